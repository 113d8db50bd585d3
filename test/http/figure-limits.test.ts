/** Figures of the explorer, for frames and next to each other: the sentences that qualify them, against the response. */
import { expect, test } from 'vitest';
import type { ExploreAnswer } from '../../shim/core/explore-answer.ts';
import type { DatasetDocument } from '../../shim/core/records.ts';
import { requestsTo } from '../_support/doors.ts';
import { unescaped } from '../_support/site-pages.ts';
import { treeJson } from '../_support/tree.ts';

const ask = requestsTo();

/** What a reader sees of the pages that draw a query: explorer, frame and comparison. */
async function drawn(query: string): Promise<[page: string, html: string][]> {
  const addresses = ['explore/?', 'embed/?'].map((page) => `${page}${query}`);
  addresses.push(`compare/?a=${encodeURIComponent(query)}`);
  return Promise.all(
    addresses.map(async (address): Promise<[string, string]> => {
      const response = await ask(address);
      expect([address, response.status]).toEqual([address, 200]);
      return [address, await response.text()];
    }),
  );
}

async function responseOf(query: string): Promise<ExploreAnswer> {
  const response = await ask(`api/v1/market-observations?${query}`);
  return ((await response.json()) as { data: ExploreAnswer }).data;
}

/** The sentences of how not to read the figure. */
const boundariesIn = (html: string): string[] =>
  [...html.matchAll(/<p class="boundary">([^<]*)</g)].map(([, text = '']) => unescaped(text));

test('a figure of an earlier edition carries the sentence of that edition, as its response does', async () => {
  const query = 'indicator=seizures&geo=BEL&category=Cocaine-type';
  const past = `${query}&as_of=2024-07-01`;
  const { limitations } = await responseOf(past);
  const now = (await responseOf(query)).limitations;
  for (const [page, html] of await drawn(past)) {
    const [sentence = '', ...others] = boundariesIn(html);
    expect([page, others]).toEqual([page, []]);
    expect(sentence).toContain('2018 and 2019');
    expect([limitations.includes(sentence), now.includes(sentence)]).toEqual([true, false]);
  }
});

const CATALOG = treeJson<{ datasets: DatasetDocument[] }>('data/catalog.json').datasets.flatMap(
  ({ indicators, limitations }) =>
    indicators.map(({ id, label, limitations: [first = limitations[0]] }) => ({ id, label, first })),
);

test.each(['dataset=informal-economy&geo=MEX&from=2010&to=2010', 'geo=x-kosovo', 'geo=MEX&from=2023'])(
  'a figure of several indicators says of each how not to read it: %s',
  async (query) => {
    const { observations } = await responseOf(`${query}&limit=500`);
    const ids = new Set(observations.map(({ indicatorId }) => indicatorId));
    const own = CATALOG.filter(({ id }) => ids.has(id));
    const sentences = [...new Set(own.map(({ first }) => first ?? ''))];
    expect(sentences.length).toBeGreaterThan(1);
    const views = [`explore/?${query}&view=series`, `embed/?${query}&view=series`];
    for (const address of views) {
      const html = await (await ask(address)).text();
      if (!html.includes('<figure ')) continue;
      const said = boundariesIn(html);
      expect(said.length).toBe(sentences.length);
      for (const sentence of sentences) {
        const names = own.filter(({ first }) => first === sentence).map(({ label }) => `“${label}”`);
        const [line = '', ...again] = said.filter((text) => text.endsWith(`: ${sentence}`));
        expect(again).toEqual([]);
        expect(names.filter((name) => line.includes(name)).length).toBe(Math.min(names.length, 3));
        if (names.length > 3) expect(line).toContain(` and ${names.length - 3} more: `);
      }
    }
  },
);

test('of many sentences the further ones open', async () => {
  const html = await (await ask('explore/?geo=MEX&view=series&from=2021')).text();
  const [shown = '', hidden = ''] = html.split('<summary>How not to read it: ');
  expect(boundariesIn(shown)).toHaveLength(4);
  expect(boundariesIn(hidden).length).toBe(Number(/^(\d+) further sentence/.exec(hidden)?.[1]));
});

const COCAINE = 'indicator=seizures&geo=BEL&category=Cocaine-type';

test.each([
  [COCAINE, /^Periods that are not in this response have records under other labels .*Reported totals/],
  [
    `${COCAINE}&subgroup=Cocaine%20hydrochloride`,
    /^Periods that are not in this response .*Reported totals.*2020, 2021/,
  ],
  ['indicator=nifl&geo=MEX&as_of=2024-08-01', /its edition 2024-07-26; the current one is 2025-11-21\.$/],
  [`${COCAINE}&as_of=2024-07-01`, /its edition 2024-06; the current one is 2025-06\.$/],
])('what qualifies the figure of %s is said once wherever it is drawn', async (query, words) => {
  const sentence =
    (await responseOf(query)).limitations.find((text) => words.test(text)) ?? 'no such sentence';
  for (const [page, html] of await drawn(query)) {
    expect(html, page).toContain('<figure ');
    expect([page, unescaped(html).split(sentence).length]).toEqual([page, 2]);
  }
  // Each view of a comparison has its own.
  const two = await (
    await ask(`compare/?a=geo%3DBEL%26indicator%3Ddge&b=${encodeURIComponent(query)}`)
  ).text();
  const [one = '', other = ''] = unescaped(two).split('id="view-b"');
  expect([one.includes(sentence), other.includes(sentence)]).toEqual([false, true]);
});

test('labels of the place beside a figure for frames are a link to them, in a window of its own', async () => {
  const html = unescaped(await (await ask(`embed/?${COCAINE}`)).text());
  expect(html).toContain(
    '<a href="../explore/?indicator=seizures&geo=BEL" target="_blank" rel="noopener">All labels of this place</a>',
  );
});
