/** places/ and data/<dataset>/<place>/: what a place has, what it has not, and every row of the packs on exactly one page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { groupedBy } from '../../shim/core/groups.ts';
import type { AtlasRecord, DatasetDocument, Entity, Observation, Revision } from '../../shim/core/records.ts';
import type { PackManifest } from '../../shim/core/types.ts';
import { atlasRecordId, placeAddress, rowAddress, rowsAddress } from '../../shim/view/address.ts';
import { testApp } from '../_support/doors.ts';
import { builtTree, TEST_SITE, treeText, treeRecords } from '../_support/tree.ts';
import { unescaped } from '../_support/site-pages.ts';

const root = builtTree();
const packOf = <T>(id: string): T[] => treeRecords<T>(`data/${id}.ndjson`);

const { packs } = JSON.parse(treeText('data/packs.json')) as PackManifest;
const idsOf = (...kinds: string[]): string[] =>
  packs.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id);
const documents = new Map(
  packs.map(({ id }) => [id, JSON.parse(treeText(`data/datasets/${id}.json`)) as DatasetDocument]),
);
const observations = idsOf('observations', 'context').flatMap((id) => packOf<Observation>(id));
const atlas = idsOf('atlas').flatMap((dataset) =>
  packOf<AtlasRecord>(dataset).map((record) => ({
    dataset,
    record,
    id: atlasRecordId(dataset, record.data.iso3, record.data.year),
  })),
);

const pagesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('index.html'))
    .map((path) => `${folder}/${path}`)
    .sort();
const placePages = pagesIn('places').filter((path) => path !== 'places/index.html');
/** Pages two folders below data/: those above them are of whole datasets. */
const rowPages = pagesIn('data').filter(
  (path) => path.split('/').length > 3 && !path.startsWith('data/index'),
);
/** The text of markup, as it is read. */
const textOf = (html: string): string => unescaped(html.replaceAll(/<[^>]+>/g, ''));
const anchorsIn = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

/** What all these pages hold, read once: their anchors, where their links lead, and their distinct texts. */
const anchors = new Map<string, Set<string>>();
const targets = new Map<string, string>();
const texts = new Set<string>();
for (const path of ['places/index.html', ...placePages, ...rowPages]) {
  const html = treeText(path);
  anchors.set(path, new Set(anchorsIn(html)));
  for (const [, href = ''] of html.matchAll(/ href="([^"]+)"/g)) targets.set(addressFrom(path, href), path);
  for (const [, text = ''] of html.matchAll(/>([^<>]*[A-Za-z]{3}[^<>]*)</g)) texts.add(text);
}

/** A link of a page as an address from the site root; links to other sites keep theirs. */
function addressFrom(path: string, href: string): string {
  if (/^https?:/.test(href)) return href;
  const steps = /^(?:\.\.\/)*/.exec(href)?.[0] ?? '';
  if (href.startsWith('#')) return `${path.slice(0, -'index.html'.length)}${href}`;
  const folders = path.split('/').slice(0, -1 - steps.length / 3);
  return [...folders, href.slice(steps.length)].join('/').replaceAll('&amp;', '&');
}

test('every geography of the release has a page, and the list leads to each', () => {
  const codes = new Set([
    ...observations.map(({ geoCode }) => geoCode),
    ...atlas.map(({ record }) => record.data.iso3),
  ]);
  const expected = [...codes].map((code) => `places/${code.toLowerCase()}/index.html`).sort();
  expect(expected.length).toBeGreaterThan(240);
  expect(placePages).toEqual(expected);
  const list = treeText('places/index.html');
  const linked = [...list.matchAll(/href="\.\.\/(places\/[^"]+\/)"/g)].map(
    ([, path = '']) => `${path}index.html`,
  );
  expect(linked.filter((path) => path !== 'places/index.html').toSorted()).toEqual(expected);
});

describe('known, without a value, not covered', () => {
  const market = idsOf('observations').flatMap((id) => documents.get(id) ?? []);
  const assessed = idsOf('atlas').flatMap((id) => documents.get(id) ?? []);
  const rows = groupedBy(observations, ({ geoCode }) => geoCode.toLowerCase());

  /** The group that the packs put something in. */
  const standing = (values: readonly boolean[]): string =>
    values.length === 0 ? 'absent' : values.includes(true) ? 'known' : 'valueless';

  test.each(['mex', 'bel', 'afg', 'x-kosovo', 'nru', 'x-us-cbp-yuma-sector', 'esp'])(
    '%s: every indicator and dataset of the catalog is in exactly the group that the packs put it in',
    (code) => {
      const html = treeText(`places/${code}/index.html`);
      const own = rows.get(code) ?? [];
      const expected = [
        ...market.flatMap((document) => [
          [
            `dataset-${document.id}`,
            standing(
              own.filter(({ datasetId }) => datasetId === document.id).map(({ value }) => value !== null),
            ),
          ],
          ...document.indicators.map(({ id }) => [
            id,
            standing(own.filter(({ indicatorId }) => indicatorId === id).map(({ value }) => value !== null)),
          ]),
        ]),
        ...assessed.map(({ id }) => [
          `dataset-${id}`,
          standing(
            atlas
              .filter(({ dataset, record }) => dataset === id && record.data.iso3.toLowerCase() === code)
              .map(({ record }) =>
                /[:,]\d|:-/.test(JSON.stringify({ ...record.data, year: null, iso3: null })),
              ),
          ),
        ]),
      ].map(([id, group]) => `${group}-${id}`);
      const found = anchorsIn(html).filter((id) => /^(known|valueless|absent)-/.test(id));
      expect(found.toSorted()).toEqual(expected.toSorted());

      const sums = [...html.matchAll(/<span class="sum">([^<]+)<\/span>/g)].map(([, sum = '']) =>
        sum.replaceAll(',', '').split(' = '),
      );
      expect(sums).toHaveLength(3);
      for (const [parts = '', whole] of sums)
        expect(parts.split(' + ').reduce((sum, part) => sum + Number(part), 0)).toBe(Number(whole));
      const [indicators, datasets, records] = sums.map(([parts = '']) => parts.split(' + ').map(Number));
      const count = (group: string, kind: boolean): number =>
        expected.filter((id) => id.startsWith(`${group}-`) && id.startsWith(`${group}-dataset-`) === kind)
          .length;
      const groups = ['known', 'valueless', 'absent'];
      expect(indicators).toEqual(groups.map((group) => count(group, false)));
      expect(datasets).toEqual(groups.map((group) => count(group, true)));
      const counted = own.filter(({ datasetId }) => idsOf('observations').includes(datasetId));
      expect(records).toEqual(
        ['reported', 'estimated', 'unavailable'].map(
          (status) => counted.filter((one) => one.status === status).length,
        ),
      );
    },
  );

  test('periods that others report and a place does not are those of the packs', () => {
    const seizures = observations.filter(({ indicatorId }) => indicatorId === 'seizures');
    const others = new Set(seizures.map(({ period }) => period));
    for (const [code, own] of groupedBy(seizures, ({ geoCode }) => geoCode.toLowerCase())) {
      const known = new Set(own.map(({ period }) => period));
      const missing = [...others].filter((period) => !known.has(period)).sort();
      const [, part = ''] =
        /id="missing">.*?<\/h3>(.*?)<h3/s.exec(treeText(`places/${code}/index.html`)) ?? [];
      const [, periods = ''] = /<li>Drug seizures: ([^<]+)<\/li>/.exec(part) ?? [];
      const spans = periods === '' ? [] : periods.split(', ').map((span) => span.split(' to '));
      const shown = [...others].filter((period) =>
        spans.some(([from = '', to = from]) => from <= period && period <= to),
      );
      expect(shown.sort(), code).toEqual(missing);
    }
  });

  test('every field of the atlas is on the page of its country, in words and with its value or its absence', () => {
    const html = textOf(
      treeText('places/afg/index.html').replaceAll('</td>', '\t</td>').replaceAll('</th>', '\t</th>'),
    );
    for (const { dataset, record } of atlas.filter((one) => one.record.data.iso3 === 'AFG'))
      for (const { path, label } of documents.get(dataset)?.fields ?? []) {
        const value = path
          .split('.')
          .reduce<unknown>(
            (group, name) => (group as Record<string, unknown> | null)?.[name] ?? null,
            record.data,
          );
        const line = html.split('\n').find((row) => row.startsWith(`${label}\t`));
        expect(line, label).toContain(`\t${value === null ? 'unavailable' : String(value)}\t`);
      }
  });

  test('tables of fields of the atlas have their unit in the caption, on pages of rows and of places', () => {
    for (const { dataset, record } of atlas) {
      const { unit = '?', title = '?' } = documents.get(dataset) ?? {};
      const { iso3, year } = record.data;
      const page = `${rowsAddress(dataset, iso3)}index.html`;
      for (const [path, of] of [
        [page, year],
        [`${placeAddress(iso3)}index.html`, 'every field of the source'],
      ] as const) {
        const captions = [...treeText(path).matchAll(/<caption>(.*?)<\/caption>/g)].map(([text]) =>
          textOf(text),
        );
        const own = captions.filter((text) => text.startsWith(`${title}: `) && text.includes(`, ${of}`));
        expect([path, own.map((text) => text.endsWith(`, ${of} (${unit})`))]).toEqual([path, [true]]);
      }
    }
  });

  test('a country whose every row has a value still says in which years fields of the atlas have none', () => {
    const text = textOf(treeText('places/plw/index.html'));
    expect(text).not.toContain('None: every row of this place has a value.');
    expect(text).toContain(
      'Global Organized Crime Index, by country and edition: fields are unavailable in 2021.',
    );
  });

  test('differences between editions are counted, and their values shown as both editions print them', () => {
    const revisions = packOf<Revision>('revisions').filter(({ geoCode }) => geoCode === 'BEL');
    const text = textOf(treeText('places/bel/index.html'));
    expect(text).toContain('Differs between editions');
    expect(text).toContain(`${revisions.length} rows: `);
  });
});

describe('rows', () => {
  const pagesOf = new Map<string, string[]>();
  const printed = new Map<string, string[]>();
  for (const path of rowPages) {
    const html = treeText(path);
    for (const id of anchorsIn(html)) pagesOf.set(id, [...(pagesOf.get(id) ?? []), path]);
    for (const [, id = '', row = ''] of html.matchAll(/<tr id="([^"]+)">(.*?)<\/tr>/g))
      printed.set(
        id,
        [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => textOf(cell)),
      );
  }

  test('every record of every pack is an anchor on exactly one page: that of its address', () => {
    expect(observations.length).toBeGreaterThan(90_000);
    const lost = observations.filter((record) => {
      const [page = '', ...others] = pagesOf.get(record.id) ?? [];
      return (
        others.length > 0 || `${page.slice(0, -'index.html'.length)}#${record.id}` !== rowAddress(record)
      );
    });
    expect(lost.map(({ id }) => id)).toEqual([]);
    const missing = atlas.filter(({ id, dataset, record }) => {
      const page = `data/${dataset}/${record.data.iso3.toLowerCase()}/index.html`;
      return JSON.stringify(pagesOf.get(id)) !== JSON.stringify([page]);
    });
    expect(missing.map(({ id }) => id)).toEqual([]);
  });

  test('every row says what its record says: period, value, unit, status, range and cell', () => {
    const wrong = observations.filter((record) => {
      const { period, value, unit, status, unavailableReason, lower, upper, sourceLocator } = record;
      const cells = printed.get(record.id) ?? [];
      const [shownPeriod, shownValue, shownUnit, shownStatus, ...rest] = cells;
      const bounds = [lower, upper].filter((bound) => bound !== null).map(String);
      const range = rest.length > 1 ? (rest[0] ?? '') : '';
      return (
        shownPeriod !== period ||
        shownValue !== (value === null ? 'no value' : String(value)) ||
        shownUnit !== unit ||
        !shownStatus?.startsWith(status) ||
        (unavailableReason === null) !== (shownStatus === status) ||
        rest.at(-1) !== sourceLocator ||
        !bounds.every((bound) => range.includes(bound)) ||
        (bounds.length === 0) !== (range === '')
      );
    });
    expect(wrong.map(({ id }) => [id, printed.get(id)])).toEqual([]);
  });

  test('every page of rows names the file of its source with its hash and its licence', () => {
    for (const path of rowPages) {
      const [, dataset = ''] = path.split('/');
      const html = treeText(path);
      const named = (documents.get(dataset)?.sources ?? []).filter(({ sha256 }) => html.includes(sha256));
      expect(named.length, path).toBeGreaterThan(0);
      expect(textOf(html), path).toContain(named[0]?.license);
    }
  });
});

describe('what is on no page of a place or of rows', () => {
  const all = [...texts].join('\n');

  test('a designation', () => {
    const names = idsOf('entities').flatMap((id) => packOf<Entity>(id).map(({ name }) => name));
    expect(names.length).toBeGreaterThan(1000);
    // A name can only be there if each of its words is: that leaves a few to look for.
    const wordsIn = (text: string): string[] => text.match(/[\p{L}\d]+/gu) ?? [];
    const known = new Set(wordsIn(all));
    const possible = names.filter((name) => wordsIn(name).every((word) => known.has(word)));
    expect(possible.length).toBeLessThan(100);
    expect(possible.filter((name) => all.includes(name.replaceAll('&', '&amp;')))).toEqual([]);
    expect(all).not.toContain('SDNTK');
    for (const path of placePages)
      expect(treeText(path), path).not.toMatch(/designations\/\d|sanctions_entity/);
  });

  test('a record of the infrastructure context; national indicators are on pages of their own', () => {
    const bri = JSON.parse(treeText('data/svc-producerp-bri-v1.json')) as {
      targetCoverage: { label: string; targets: { label: string }[] }[];
    };
    const labels = bri.targetCoverage.flatMap(({ label, targets: aims }) => [
      label,
      ...aims.map((target) => target.label),
    ]);
    expect(labels.filter((label) => all.includes(label))).toEqual([]);
    const context = idsOf('context');
    const ids = context.flatMap((id) =>
      (documents.get(id)?.indicators ?? []).map((indicator) => indicator.id),
    );
    expect(ids.length).toBeGreaterThan(0);
    for (const path of [
      ...placePages,
      ...rowPages.filter((page) => !context.includes(page.split('/')[1] ?? '')),
    ]) {
      const html = treeText(path);
      expect(
        ids.filter((id) => html.includes(`"${id}`) || html.includes(`/${id}.`)),
        path,
      ).toEqual([]);
    }
    const china = treeText('places/chn/index.html');
    for (const id of context) expect(china).toContain(`href="../../data/${id}/chn/"`);
    expect(treeText('places/bel/index.html')).not.toContain('context lane: ');
  });
});

test('every link and anchor of these pages resolves, and a sample of their queries is answered', async () => {
  const records = new Set([...observations.map(({ id }) => id), ...atlas.map(({ id }) => id)]);
  const past = new Set(packOf<Revision>('revisions').map(({ id }) => id.slice(0, id.lastIndexOf('@'))));
  const dead = [...targets].filter(([target]) => {
    const [, path = '', anchor] = /^([^#]*)(?:#(.*))?$/.exec(target) ?? [];
    if (/^https?:|^api\//.test(target)) return false;
    if (path.startsWith('r/')) {
      const [id = '', edition] = path.slice(2).split('@');
      return !(records.has(id) || (edition !== undefined && past.has(id)));
    }
    const [page = ''] = path.split('?');
    const file = page === '' || page.endsWith('/') ? `${page}index.html` : page;
    return (
      !existsSync(join(root, file)) ||
      (anchor !== undefined &&
        !(anchors.get(file)?.has(anchor) ?? treeText(file).includes(` id="${anchor}"`)))
    );
  });
  expect(dead).toEqual([]);

  const app = testApp();
  const queries = [...targets.keys()].filter((target) => target.startsWith('api/v1/')).sort();
  expect(queries.length).toBeGreaterThan(1000);
  for (const query of queries.filter((_, index) => index % 41 === 0)) {
    const { status } = await app.fetch(new Request(`${TEST_SITE}/${query}`));
    expect(status, query).toBe(200);
  }
});

test('pages stay small: rows up to 300 kB, places up to 160 kB compressed, others up to 120 kB', () => {
  const sizes = (paths: readonly string[], size: (bytes: Buffer) => number): [number, string][] =>
    paths.map((path) => [size(readFileSync(join(root, path))), path]);
  const compressed = (bytes: Buffer): number =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
  expect(sizes(rowPages, ({ length }) => length).filter(([size]) => size > 300_000)).toEqual([]);
  expect(sizes(rowPages.slice(0, 200), compressed).filter(([size]) => size > 120_000)).toEqual([]);
  expect(sizes(placePages, compressed).filter(([size]) => size > 160_000)).toEqual([]);
});
