/** What a query of one place is called, in the explorer, in frames, in comparisons and in a citation: by the name that its records print. */
import { expect, test } from 'vitest';
import { groupedBy } from '../../shim/core/groups.ts';
import { testApp, requestsTo } from '../_support/doors.ts';
import { allObservations } from '../_support/records.ts';
import { shareOf } from '../_support/share.ts';
import { unescaped } from '../_support/site-pages.ts';
import { TEST_SITE } from '../_support/tree.ts';

const ask = requestsTo(testApp());
const text = async (target: string): Promise<string> => unescaped(await (await ask(target)).text());
const titleOf = (html: string): string => /<h2 id="result">([^<]*)</.exec(html)?.[1] ?? '';

test.each([
  ['wbentp1', 'x-kosovo', 'Kosovo'],
  ['nifl', 'PSE', 'Occupied Palestinian Territory'],
  ['dge', 'VEN', 'Venezuela, RB'],
  ['dge', 'TUR', 'Turkey'],
  ['seizures', 'GBR', 'United Kingdom'],
])('%s of %s is of %s, wherever it is named', async (indicator, geo, name) => {
  const query = `indicator=${indicator}&geo=${geo}`;
  const explored = await text(`explore/?${query}&view=series`);
  const title = titleOf(explored);
  expect(title).toMatch(new RegExp(`: ${name}$`));
  expect(explored).toContain(`<title>${title} - Explore`);
  expect(explored.slice(explored.indexOf('id="cite"'))).toContain(title);
  const html = await text(`embed/?${query}&view=series`);
  expect(/<title>([^<]*)/.exec(html)?.[1]).toContain(title);
  expect(/<figcaption[^>]*>([^]*?)<\/figcaption>/.exec(html)?.[1]).toContain(title);
  const url = encodeURIComponent(`${TEST_SITE}/embed/?${query}&view=series`);
  const about = await text(`oembed?url=${url}`);
  expect(about).toContain(`"title":${JSON.stringify(title)}`);
  expect(await text(`compare/?a=${encodeURIComponent(query)}`)).toContain(`>${title}</a>`);
});

test('a title never has a name of the place that its records do not print', async () => {
  const records = allObservations();
  const names = groupedBy(records, ({ geoCode }) => geoCode);
  // Places that sources name in more than one way.
  const differing = [
    ...groupedBy(records, ({ indicatorId, geoCode }) => `${indicatorId} ${geoCode}`).values(),
  ]
    .flatMap(([first]) => (first ? [first] : []))
    .filter(({ geoCode }) => new Set(names.get(geoCode)?.map(({ geoName }) => geoName)).size > 1);
  expect(differing.length).toBeGreaterThan(50);
  for (const { indicatorId, geoCode, geoName } of shareOf(differing, 7)) {
    const query = `indicator=${indicatorId}&geo=${geoCode}&limit=1&view=table`;
    expect([query, titleOf(await text(`explore/?${query}`)).endsWith(`: ${geoName}`)]).toEqual([query, true]);
  }
});

test('a place without rows in the answer has the name that is known of it, else its code', async () => {
  expect(titleOf(await text('explore/?indicator=seizures&geo=NRU'))).toBe('Drug seizures: Nauru');
  expect(titleOf(await text('explore/?indicator=seizures&geo=QQQ'))).toBe('Drug seizures: QQQ');
});
