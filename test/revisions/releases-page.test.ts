/** The page of what changed: its counts, values and links against the API over the same tree, and its bounds. */
import { describe, expect, test } from 'vitest';
import { datasetDocuments } from '../../build/render/api/dataset-documents.ts';
import type { SiteFacts } from '../../build/render/facts.ts';
import { evidenceOf } from '../../build/render/site/evidence.ts';
import { renderReleases } from '../../build/render/site/releases.ts';
import { lastDay } from '../../shim/core/editions.ts';
import type { Revision } from '../../shim/core/records.ts';
import { testApp } from '../_support/doors.ts';
import { packedStore } from '../_support/packed.ts';
import { rowsOf, sectionOf, textOf } from '../_support/page-text.ts';
import { packManifest } from '../_support/records.ts';
import { tagsOf, unescaped } from '../_support/site-pages.ts';
import { TEST_SITE, treeJson, treeText } from '../_support/tree.ts';
import { made, packed, type Answer, type Pair } from './made.ts';

const app = testApp();
const html = treeText('releases/index.html');
const pairs = (packManifest().revisions?.meta['pairs'] ?? []) as Pair[];
const number = (text = ''): number => Number(text.replaceAll(',', ''));

/** The response to a link of the page. */
async function answerTo(href: string): Promise<Answer> {
  const response = await app.fetch(new Request(new URL(href, `${TEST_SITE}/releases/`)));
  return ((await response.json()) as { data: Answer }).data;
}

function linksIn(part: string): string[] {
  return tagsOf(part).flatMap(({ name, attributes }) =>
    name === 'a' ? [unescaped(attributes.get('href') ?? '')] : [],
  );
}

/** All differences of a pair, from the link of its section. */
async function differencesOf(part: string): Promise<{ pairs: Pair[]; all: Revision[] }> {
  const [href] = linksIn(part).filter((link) => link.includes('v1/revisions?') && !link.includes('&geo='));
  if (href === undefined) return { pairs: [], all: [] };
  const all: Revision[] = [];
  let answer = await answerTo(href);
  for (;;) {
    all.push(...answer.revisions);
    if (answer.page.next_cursor === null) return { pairs: answer.pairs, all };
    answer = await answerTo(`${href}&cursor=${answer.page.next_cursor}`);
  }
}

describe('[REVISIONS-PAGE] what changed', () => {
  test('lists every pair of editions, the newest first, with the counts of the API', () => {
    const rows = rowsOf(sectionOf(html, 'editions')).slice(1);
    const counts = ({
      changed,
      became_available,
      became_unavailable,
      added,
      withdrawn,
      new_periods,
    }: Pair) => [
      Number(changed) + Number(became_available) + Number(became_unavailable),
      added,
      withdrawn,
      new_periods,
    ];
    expect(rows.map(([, to, , from, ...cells]) => [from, to, ...cells.map(number)]).toSorted()).toEqual(
      pairs.map((pair) => [pair['from'], pair['to'], ...counts(pair)]).toSorted(),
    );
    const days = rows.map(([, to = '']) => lastDay(to));
    expect(days).toEqual(days.toSorted().toReversed());
  });

  test.each(pairs.map(({ datasetId, from, to }) => [String(datasetId), String(from), String(to)]))(
    '%s, %s next to %s: the differences listed and counted by place are those of the API',
    async (dataset, from, to) => {
      const part = sectionOf(html, `${dataset}-${to}`);
      const { pairs: own, all } = await differencesOf(part);
      const counted = pairs.find((pair) => pair['datasetId'] === dataset && pair['to'] === to);
      if (all.length === 0) {
        expect(textOf(part)).toContain('The API lists no difference between these two.');
        return;
      }
      expect(own).toEqual([counted]);
      expect(all.map(({ id }) => id.slice(id.indexOf('@')))).toEqual(all.map(() => `@${from}..${to}`));
      // The last table lists differences: both editions link to what they print.
      const linked = linksIn(part).filter((href) => href.includes('../r/'));
      const cells = new Map<string, number | null>(
        all.flatMap(({ id, from: was, to: is }) =>
          [was, is].flatMap((side) =>
            side ? [[`../r/${id.slice(0, id.indexOf('@'))}@${side.edition}`, side.value] as const] : [],
          ),
        ),
      );
      expect(linked.filter((href) => !cells.has(href))).toEqual([]);
      const text = textOf(part);
      for (const href of linked) {
        const value = cells.get(href);
        if (typeof value === 'number') expect(text).toContain(String(value));
      }
      for (const kind of ['changed', 'added', 'withdrawn'] as const) {
        const some = all.filter((revision) => revision.kind === kind);
        const shown = some.filter(({ id, from: was, to: is }) =>
          linked.includes(`../r/${id.slice(0, id.indexOf('@'))}@${(is ?? was)?.edition}`),
        );
        expect([kind, shown.length]).toEqual([kind, Math.min(some.length, 10)]);
      }
      const places = [
        ...part.matchAll(/<li><a href="([^"]+)">[^<]+<\/a> <span class="soft">([\d,]+)<\/span>/g),
      ];
      expect(places.reduce((sum, [, , count]) => sum + number(count), 0)).toBe(all.length);
      for (const [, href = '', count] of places.filter(([, link = '']) => link.includes('&amp;geo=')))
        expect((await answerTo(unescaped(href))).page.matched).toBe(number(count));
    },
  );

  test('says which data it is of, and where serial and hash of the release are', () => {
    const { treeSha256, generatedAt } = treeJson<Record<string, string>>('data/files.json');
    const text = textOf(sectionOf(html, 'release'));
    expect(text).toContain(treeSha256);
    expect(text).toContain(generatedAt?.slice(0, 10));
    expect(linksIn(sectionOf(html, 'release'))).toContain('../release.json');
  });

  test('is found from the front page, the data, a dataset and the site map', () => {
    for (const [path, part, link] of [
      ['index.html', 'datasets', './releases/'],
      ['data/index.html', 'more', '../releases/'],
      ['data/arms/index.html', 'differences', '../../releases/'],
    ] as const)
      expect([path, linksIn(sectionOf(treeText(path), part))]).toEqual([
        path,
        expect.arrayContaining([link]),
      ]);
    expect(treeText('sitemap.xml')).toContain(`<loc>${TEST_SITE}/releases/</loc>`);
  });
});

describe('made-up editions', () => {
  const pageOf = (editions: Parameters<typeof made>[0][]): string => {
    const data = packed(...editions.map((edition) => made(edition)));
    const evidence = evidenceOf(packedStore(data), datasetDocuments(data), TEST_SITE);
    // The page reads no other fact.
    const facts = { evidence, examples: new Map() } as Partial<SiteFacts> as SiteFacts;
    return Buffer.from(renderReleases(facts).bytes).toString();
  };

  test('a bound that differs alone is shown as both editions print it', () => {
    const page = pageOf([
      { edition: '2024-06', rows: [{ value: 5, lower: 1 }] },
      { edition: '2025-06', rows: [{ value: 5, lower: 2 }] },
    ]);
    const text = textOf(sectionOf(page, 'drug-seizures-2025-06'));
    expect(text).toMatch(/2024-06 : 5 Kilograms, reported, range from 1\b/);
    expect(text).toMatch(/2025-06 : 5 Kilograms, reported, range from 2\b/);
  });

  test('of many editions the newest have a section, and links to the others lead to their row', () => {
    const years = Array.from({ length: 15 }, (_, at) => String(2010 + at));
    const page = pageOf(years.map((year, at) => ({ edition: `${year}-06`, rows: [{ value: at }] })));
    const ids = tagsOf(page).flatMap(({ attributes }) => attributes.get('id') ?? []);
    for (const year of years.slice(1)) expect(ids).toContain(`drug-seizures-${year}-06`);
    expect(page.match(/<h2 id="drug-seizures-/g)).toHaveLength(12);
    expect(page.match(/<tr id="drug-seizures-/g)).toHaveLength(2);
  });
});
