/** /r/<record id>: the page and the forms of one cell, against the packs; and addresses that have none. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import recordDocument from '../../schemas/record-document.schema.json' with { type: 'json' };
import { cellsBeside, editionsOfCell, placeOf } from '../../shim/core/cell.ts';
import { citeRecord } from '../../shim/core/cite.ts';
import { PAGE_POLICY } from '../../shim/core/headers.ts';
import { atlasRecordId } from '../../shim/core/paths.ts';
import { validator } from '../../shim/core/schema.ts';
import type { AtlasRecord, DatasetDocument, Observation } from '../../shim/core/records.ts';
import { printRecordPage } from '../../shim/view/record-page.ts';
import { IN_PLACE_OF_VALUE, REASONS, type Reason } from '../../shim/view/words.ts';
import { readBibtex, readRis } from '../_support/citations.ts';
import { testApp, testContext, requestsTo } from '../_support/doors.ts';
import { allAtlas, allObservations, packManifest } from '../_support/records.ts';
import { seeded } from '../_support/seeded.ts';
import { casesOf } from '../_support/share.ts';
import { builtTree, copyOfTree, TEST_SITE, treeJson, treeRecords } from '../_support/tree.ts';
import { textOf } from '../_support/page-text.ts';

const isRecordDocument = validator(recordDocument);
const unexpected: unknown[] = [];
const ask = requestsTo(testApp(builtTree(), (error) => unexpected.push(error)));

async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return ask(`r/${path}`, { method, headers });
}

async function page(path: string, status = 200): Promise<string> {
  const response = await get(path);
  expect(response.status, path).toBe(status);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toBe(PAGE_POLICY);
  return response.text();
}

const manifest = packManifest();
const documents = new Map(
  manifest.packs.map(({ id }): [string, DatasetDocument] => [
    id,
    treeJson<DatasetDocument>(`data/datasets/${id}.json`),
  ]),
);
const context = treeRecords<Observation>('data/national-indicators.ndjson');
const observations = [...allObservations(), ...context];

function sourceOf(record: Observation): DatasetDocument['sources'][number] {
  const source = documents.get(record.datasetId)?.sources.find(({ id }) => id === record.sourceId);
  if (!source) throw new Error(`no source ${record.sourceId}`);
  return source;
}

async function expectPage(record: Observation): Promise<void> {
  const html = await page(`${record.id}@${record.edition}`);
  const text = textOf(html);
  const source = sourceOf(record);
  const [, data] = /<p class="value[^>]*><data value="([^"]*)">/.exec(html) ?? [];
  expect(data, record.id).toBe(record.value === null ? undefined : String(record.value));
  expect(/<p class="value[^>]* data-status="([^"]*)"/.exec(html)?.[1]).toBe(record.status);
  const { unavailableReason: reason, unit } = record;
  if (reason !== null) expect(text).toContain(`unavailable: ${REASONS[reason]} ${IN_PLACE_OF_VALUE[reason]}`);
  expect(text.includes(`No value in ${unit} is given, which is not a zero.`)).toBe(reason !== null);
  for (const bound of [record.lower, record.upper]) if (bound !== null) expect(text).toContain(`${bound}`);
  for (const shown of [
    record.unit,
    source.sha256,
    source.license,
    source.publisher,
    record.geoName,
    record.period,
  ])
    expect(text, record.id).toContain(shown.replaceAll(/\s+/g, ' '));
  expect(textOf(/data-locator="([^"]*)"/.exec(html)?.[1] ?? '')).toBe(record.sourceLocator);
  const [, title = ''] = /<h1[^>]*>(.*?)<\/h1>/.exec(html) ?? [];
  for (const label of [record.category, record.subgroup])
    expect(textOf(title)).toContain(label.replaceAll(/\s+/g, ' '));
  // Copied text is the number as the pack has it: digits are grouped by margins.
  if (record.value !== null) expect(text).toContain(`${record.value} ${record.unit}`.replaceAll(/\s+/g, ' '));
}

async function expectForms(
  path: string,
  about: { sha256: string; locator: string; edition: string },
): Promise<void> {
  const [key = ''] = path.split('@');
  const pinned = `${TEST_SITE}/r/${key}@${about.edition}`;
  const read = async (ending: string): Promise<string> => {
    const response = await get(`${path}${ending}`);
    expect(response.status, `${path}${ending}`).toBe(200);
    return response.text();
  };
  const [entry, ...more] = readBibtex(await read('.bib'));
  expect(more).toEqual([]);
  expect(entry?.fields.get('url')).toBe(pinned);
  expect(entry?.fields.get('note')).toContain(about.sha256);
  const [reference, ...others] = readRis(await read('.ris'));
  expect(others).toEqual([]);
  expect([reference?.get('TY'), reference?.get('UR')]).toEqual([['DATA'], [pinned]]);
  expect(reference?.get('N1')?.[0]).toContain(about.locator.replaceAll(/\s+/g, ' '));
  const items = JSON.parse(await read('.csl.json')) as Record<string, unknown>[];
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ type: 'dataset', URL: pinned, author: [{ literal: expect.any(String) }] });
  expect(items[0]?.['issued']).toEqual({ 'date-parts': [about.edition.split('-').map(Number)] });
  expect(await read('.txt')).toContain(pinned);
}

test('a form for programs takes no parameters, so none is ignored; a page may be linked with any', async () => {
  const [{ id } = { id: '' }] = allObservations();
  const refused = await get(`${id}.json?as_of=2020`);
  expect([refused.status, /as_of=2020.*<edition>\.json"/.test(await refused.text())]).toEqual([400, true]);
  expect((await get(`${id}?utm_source=letter`)).status).toBe(200);
});

describe('a cell', () => {
  test('records at random show what their pack holds', async () => {
    const random = seeded(20_261_122);
    for (let count = 0; count < casesOf(500, 150); count += 1) {
      const record = observations[Math.floor(random() * observations.length)];
      if (record) await expectPage(record);
    }
    expect(unexpected).toEqual([]);
  });

  test.each(Object.keys(REASONS) as Reason[])('a cell that is unavailable as %s says so', async (reason) => {
    const records = observations.filter(({ unavailableReason }) => unavailableReason === reason);
    for (const record of records.slice(0, 20)) await expectPage(record);
    // No source of this release suppresses a cell: its words are shown on a prepared one.
    if (records.length > 0) return;
    const [blank] = observations.filter(({ unavailableReason }) => unavailableReason !== null);
    if (!blank) throw new Error('no unavailable record');
    const html = printRecordPage(viewOf({ ...blank, unavailableReason: reason }));
    expect(textOf(html)).toContain(`unavailable: ${REASONS[reason]} ${IN_PLACE_OF_VALUE[reason]}`);
    expect(html).not.toContain('<data');
  });

  test('JSON, BibTeX, RIS, CSL-JSON and text of it can be read by others', async () => {
    const random = seeded(7);
    for (let count = 0; count < 60; count += 1) {
      const record = observations[Math.floor(random() * observations.length)];
      if (!record) continue;
      const { sha256, dated } = sourceOf(record);
      const address = count % 2 === 0 ? record.id : `${record.id}@${record.edition}`;
      await expectForms(address, { sha256, locator: record.sourceLocator, edition: record.edition });
      const document = (await (await get(`${address}.json`)).json()) as Record<string, never>;
      expect(isRecordDocument(document), record.id).toBeNull();
      expect(document).toMatchObject({ schema: 'svc.record.v1', id: record.id, current: true, record });
      expect(document).toMatchObject({ source: { sha256, edition: dated }, locator: record.sourceLocator });
    }
  });

  test('a zero is called an observed zero, and a range is printed', async () => {
    const [zero] = observations.filter(({ value }) => value === 0);
    const [range] = observations.filter(
      ({ value, lower, upper }) => value !== null && lower !== null && upper !== null,
    );
    expect(textOf(await page(zero?.id ?? ''))).toContain('reported: an observed zero');
    expect(textOf(await page(range?.id ?? ''))).toContain(
      `Printed range: ${range?.lower} to ${range?.upper}`,
    );
  });

  test('a country and year of the atlas shows every field in words', async () => {
    for (const record of allAtlas().filter((_record, at) => at % 40 === 0)) {
      const document = [...documents.values()].find(({ domain }) => domain === record.domain);
      const id = atlasRecordId(document?.id ?? '', record.data.iso3, record.data.year);
      const html = await page(id);
      expect(document?.fields.length).toBeGreaterThan(10);
      expect(/<title>[^<]*/.exec(html)?.[0].split(document?.title ?? '')).toHaveLength(2);
      if (id.endsWith('2021') && id.startsWith('o')) expect(textOf(html)).toContain('the table covers 2023');
      for (const { path, label } of document?.fields ?? []) {
        const value = fieldOf(record, path);
        const [, shown] = new RegExp(`<data value="([^"]*)" data-field="${path}"`).exec(html) ?? [];
        expect(shown, `${id} ${path}`).toBe(value === null ? '' : String(value));
        expect(textOf(html)).toContain(label);
      }
      for (const words of [record.meta.source_sha256, record.data.country])
        expect(textOf(html)).toContain(words);
      const facts = { sha256: record.meta.source_sha256, locator: record.meta.locator };
      await expectForms(id, { ...facts, edition: document?.edition ?? '' });
    }
  });

  test('its series, the other labels of its place and its API query are those of the pack', async () => {
    const [record] = observations.filter(
      ({ datasetId, geoCode, period }) =>
        datasetId === 'drug-seizures' && geoCode === 'BEL' && period === '2023',
    );
    if (!record) throw new Error('no record');
    const html = await page(record.id);
    const same = observations.filter(
      (one) => one.indicatorId === record.indicatorId && one.geoCode === record.geoCode,
    );
    const linked = new Set([...html.matchAll(/href="\.\.\/r\/([^"@]+)@[^"]*"/g)].map(([, id]) => id));
    for (const one of same) {
      const isSeries = one.category === record.category && one.subgroup === record.subgroup;
      expect(linked.has(one.id) || one.id === record.id, one.id).toBe(
        isSeries || one.period === record.period,
      );
    }
    const [, api = ''] = /href="\.\.(\/api\/v1\/market-observations\?id=[^"]*)"/.exec(html) ?? [];
    const answer = await ask(api);
    expect((await answer.json()) as object).toMatchObject({ data: { observations: [record] } });
  });
});

describe('editions', () => {
  const past = manifest.editions.find(({ id }) => id.startsWith('drug-seizures@'));
  const old = treeRecords<Observation>(past?.path ?? '');
  const current = new Map(observations.map((record) => [record.id, record]));
  const both = (isSame: boolean): Observation | undefined =>
    old.find((one) => current.has(one.id) && (current.get(one.id)?.value === one.value) === isSame);

  test('a pinned cell is that of its edition, with a line above that says what is current', async () => {
    const record = both(false);
    const now = current.get(record?.id ?? '');
    if (!record || !now) throw new Error('no record differs');
    const html = await page(`${record.id}@${record.edition}`);
    expect(/<data value="([^"]*)"/.exec(html)?.[1]).toBe(String(record.value));
    expect(textOf(html)).toContain(`Edition ${now.edition} is current and prints ${now.value} ${now.unit}`);
    expect(textOf(html)).toContain('The editions differ in this row.');
    expect(textOf(await page(record.id))).not.toContain('is current and prints');
    const document = (await (await get(`${record.id}@${record.edition}.json`)).json()) as object;
    expect(document).toMatchObject({ edition: record.edition, current: false, record });
  });

  test('a row that left the table stays under its edition, and its own address says so', async () => {
    const gone = old.find((one) => !current.has(one.id));
    if (!gone) throw new Error('no row left');
    expect(textOf(await page(`${gone.id}@${gone.edition}`))).toContain('this row is no longer in it');
    const html = await page(gone.id, 404);
    expect(textOf(html)).toContain('This row is no longer in the table');
    expect(html).toContain(`href="../r/${gone.id}@${gone.edition}"`);
  });

  test('a row of a later edition is not in an earlier one', async () => {
    const ids = new Set(old.map(({ id }) => id));
    const added = observations.find((one) => one.datasetId === 'drug-seizures' && !ids.has(one.id));
    expect(textOf(await page(`${added?.id}@${past?.edition}`, 404))).toContain(
      `Edition ${past?.edition} has no such row`,
    );
  });

  test('an edition that is not published here never gives the value of another as its own', async () => {
    const record = both(true);
    const html = await page(`${record?.id}@2001-01`);
    expect(textOf(html)).toContain('This link cites edition 2001-01; this host publishes 2024-06, 2025-06.');
    expect(html).not.toContain('class="value"');
    for (const ending of ['.json', '.bib', '.ris', '.csl.json', '.txt']) {
      const response = await get(`${record?.id}@2001-01${ending}`);
      expect([ending, response.status]).toEqual([ending, 404]);
      expect(await response.json()).toMatchObject({ ok: false, error: 'not_found' });
    }
  });

  test('a source that an edition took over is one edition of its cells', async () => {
    const record = observations.find(({ sourceId }) => sourceId === 'cbp-fy2019-2022');
    const html = await page(`${record?.id}@${record?.edition}`);
    expect(textOf(html)).not.toContain('is current');
    expect(html.split(`<b aria-current="true">${record?.edition}</b>`)).toHaveLength(2);
  });
});

describe('addresses without a cell', () => {
  test.each([
    ['nope', 'No dataset published here has a record'],
    ['<script>alert(1)</script>', 'No dataset published here'],
    ['a/b/c', 'No dataset published here'],
    ['%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E', 'No dataset published here'],
    ['"><b>x', 'No dataset published here'],
    ['%ff%fe', 'No dataset published here'],
    ['a%00b', 'No dataset published here'],
    ['@2025-06', 'No dataset published here'],
    ['seizures.BEL.2023.x@yesterday', 'No dataset published here'],
    ['seizures.BEL.2023.x@2025-06@2025-06', 'No dataset published here'],
    [`seizures.BEL.2023.${'x'.repeat(90)}`, 'at most 96 letters'],
    ['x'.repeat(5000), 'at most 96 letters'],
    ['seizures', 'No dataset published here'],
    ['seizures.', 'No edition published here'],
    ['seizures.BEL.2023.not-a-label', 'The closest rows'],
    ['seizures.BEL.2023.opioids-heroin~000000', 'Opioids: Heroin: 2918.976 Kilograms'],
    ['seizures.BEL.2099.cocaine-type-cocaine-hydrochloride~2295f3', 'Cocaine hydrochloride: 123026.367'],
    ['seizures.Belgium.2023.cocaine', 'BEL'],
    ['seizures.BEL.20230.cocaine', 'The closest rows'],
    ['organized-crime-index.AFG.1999', 'The closest rows'],
    ['organized-crime-index.AFG', 'The closest rows'],
    ['bn.cab.xoka.cd.XXX.1987', 'No edition published here'],
    ['designations.1234', 'No dataset published here'],
    ['constructor', 'No dataset published here'],
  ])('%s is a 404 for people', async (path, words) => {
    const html = await page(path, 404);
    expect(textOf(html)).toContain(words);
    expect(html).toContain('<html lang="en"');
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).toContain('name="robots" content="noindex"');
    expect(html).not.toMatch(/<script(?! type="module" src="(?:\.\.\/)+assets\/)|<img|<b>x/);
    expect(html).toContain(`href="${'../'.repeat(path.split('/').length)}places/"`);
    expect(html.length).toBeLessThan(20_000);
  });

  test.each(['nope.json', 'seizures.BEL.2023.nope.ris', '%ff.csl.json'])('%s is a JSON 404', async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json']);
    expect(await response.json()).toMatchObject({ ok: false, error: 'not_found' });
  });

  test('the folder itself is a published page, and what is below a record is not', async () => {
    expect(await (await get('')).text()).toContain('Find a record');
    expect((await get('index.html.sha256')).headers.get('content-type')).toMatch(/^text\/plain/);
  });

  test('an id that is given as an example is that of a record', async () => {
    const example = /[a-z-]+\.BEL\.\d{4}\.[a-z-]+~[0-9a-f]{6}(?:@[\d-]+)?/;
    for (const html of [await page(''), await page('seizures', 404)]) {
      const [id = 'no example'] = example.exec(html) ?? [];
      expect([id, (await get(id)).status]).toEqual([id, 200]);
    }
  });

  test('nothing was unexpected', () => expect(unexpected).toEqual([]));
});

test('HEAD, ETag, compression and caching are those of other responses', async () => {
  const [record] = observations;
  const path = record?.id ?? '';
  const whole = await get(path);
  const etag = whole.headers.get('etag') ?? '';
  expect(whole.headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=86400');
  const head = await get(path, {}, 'HEAD');
  expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag]);
  expect(head.headers.get('content-length')).toBe(String((await whole.arrayBuffer()).byteLength));
  expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
  expect((await get(path, { 'accept-encoding': 'br' })).headers.get('content-encoding')).toBe('br');
  expect((await get(path, {}, 'POST')).status).toBe(405);
  expect((await get(`${path}?utm_source=x`)).status).toBe(200);
  expect((await get('nope')).headers.get('cache-control')).toBe('public, max-age=60');
});

test('a damaged current edition is a 503, and its earlier editions say that it cannot be read', async () => {
  const pack = 'data/drug-seizures.ndjson';
  const root = copyOfTree(pack);
  writeFileSync(join(root, pack), 'damaged');
  const damaged = requestsTo(testApp(root));
  const past = treeRecords<Observation>(
    manifest.editions.find(({ id }) => id.startsWith('drug-seizures@'))?.path ?? '',
  );
  const [record] = past;
  const now = await damaged(`r/${record?.id ?? ''}`);
  expect([now.status, now.headers.get('cache-control'), now.headers.get('retry-after')]).toEqual([
    503,
    'no-store',
    '60',
  ]);
  expect(textOf(await now.text())).toContain('cannot be read at the moment');
  expect((await damaged(`r/${record?.id}.json`)).status).toBe(503);
  const before = await damaged(`r/${record?.id}@${record?.edition}`);
  expect(before.status).toBe(200);
  expect(textOf(await before.text())).toContain('The current edition cannot be read at the moment.');
});

function fieldOf({ data }: AtlasRecord, path: string): unknown {
  let value: unknown = data;
  for (const name of path.split('.'))
    value = value === null || value === undefined ? null : (value as Record<string, unknown>)[name];
  return value ?? null;
}

/** The page of a record that no pack holds, with the surroundings of the one that has its id. */
function viewOf(record: Observation): Parameters<typeof printRecordPage>[0] {
  const { release } = testContext();
  const place = placeOf(record.id, release.manifest());
  const editions = place ? editionsOfCell(record.id, place, release) : [];
  const known = editions.at(-1)?.cell;
  if (known?.kind !== 'observation') throw new Error('no cell');
  const cell = { ...known, record };
  const { document, source, locator, pack } = known;
  const cite = citeRecord({
    dataset: document.id,
    recordId: record.id,
    packSha256: pack.sha256,
    locator,
    source,
    address: null,
  });
  const site = { siteUrl: TEST_SITE, generatedAt: null };
  return {
    cell,
    pinned: false,
    editions,
    ...cellsBeside(known, release),
    release: null,
    limitations: [],
    cite,
    api: null,
    site,
  };
}
