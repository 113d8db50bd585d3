/** The pages of datasets, indicators and publishers' files: what they print is what the published documents say. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memberAt } from '../../shim/core/json.ts';
import type { DatasetDocument, Entity, Observation } from '../../shim/core/records.ts';
import type { JsonObject, PackManifest } from '../../shim/core/types.ts';
import { testApp } from '../_support/doors.ts';
import { factsOf, rowsOf, sectionOf, textOf } from '../_support/page-text.ts';
import { builtTree, TEST_SITE, treeText, treeJson, treeRecords } from '../_support/tree.ts';
import type { PublishedEdition } from '../../build/render/api/editions.ts';

const root = builtTree();

const { packs, editions: earlier } = treeJson<PackManifest>('data/packs.json');
const documents = packs.map(({ id }) => treeJson<DatasetDocument>(`data/datasets/${id}.json`));
const clocks = new Map(
  treeJson<{ sources: { dataset: string; id: string; staleAfter: string | null; stale: boolean }[] }>(
    'data/files.json',
  ).sources.map((source) => [`${source.dataset} ${source.id}`, source]),
);

const { editions } = treeJson<{ editions: PublishedEdition[] }>('data/editions.json');

/** A page: its markup and its text. */
function pageAt(path: string): { html: string; text: string } {
  const html = treeText(`${path}index.html`);
  return { html, text: textOf(html) };
}

const grouped = (value: number): string => value.toLocaleString('en-US');

function recordsOf(dataset: string): Observation[] {
  return treeRecords<Observation>(`data/${dataset}.ndjson`);
}

/** Counts by status and reason as the pages print them. */
function statusesOf(records: readonly Observation[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { value, status, unavailableReason } of records) {
    const key = value === 0 ? 'zero' : (unavailableReason ?? status);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const PAGES = ['data', 'indicators', 'sources'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('index.html'))
    .map((path) => posix.join(folder, dirname(path), '/').replace('/./', '/'))
    .filter((path) => !/^data\/[^/]+\/[^/]+\//.test(path)),
);

test('there is a page for each dataset, indicator, set of fields and publisher’s file, and no other', () => {
  const files = new Set(editions.map(({ source, edition, sha256 }) => `${source} ${edition} ${sha256}`));
  expect(PAGES.filter((path) => path.startsWith('data/'))).toHaveLength(packs.length + 1);
  expect(PAGES.filter((path) => path.startsWith('sources/'))).toHaveLength(files.size + 1);
  const indicators = documents.flatMap(({ id, kind, indicators: own }) =>
    kind === 'atlas' ? [id] : own.map((indicator) => indicator.id),
  );
  for (const id of indicators) expect(PAGES).toContain(`indicators/${id}/`);
  expect(PAGES.filter((path) => path.startsWith('indicators/'))).toHaveLength(indicators.length + 1);
  for (const { id } of packs) expect(PAGES).toContain(`data/${id}/`);
});

describe.each(documents)('data/$id/', (document) => {
  const { id, kind, sources, files } = document;
  const { html, text } = pageAt(`data/${id}/`);

  test('states the edition, the clocks, the rights and the limits of the document', () => {
    const facts = factsOf(html);
    expect(facts.get('Edition')).toContain(document.edition);
    expect(facts.get('Records')).toBe(grouped(document.records));
    for (const { name, license, rights, dated, retrievedAt, id: source } of sources) {
      expect(facts.get('Licence')).toContain(license);
      const answer = { open: 'Yes', non_commercial: 'No', unresolved: 'Unclear' }[rights.verdict];
      expect(facts.get('May I use it commercially?')).toContain(
        `${answer}. ${rights.evidence} Checked ${rights.checked}.`,
      );
      const row = rowsOf(sectionOf(html, 'sources')).find(([first]) => first === name) ?? [];
      const { stale, staleAfter } = clocks.get(`${id} ${source}`) ?? { stale: false, staleAfter: null };
      expect(row.slice(1, 3)).toEqual([dated, retrievedAt]);
      expect(row[3]).toContain(staleAfter ?? 'not renewed');
      expect(row[3]?.includes('overdue')).toBe(stale);
    }
    for (const limitation of document.limitations) expect(text).toContain(limitation);
  });

  test('lists its files with size and sha256, and lines that check them', () => {
    const section = textOf(sectionOf(html, 'downloads'));
    const forms = files.filter(({ path }) => /^data\/[^/]+\.(ndjson|csv|parquet|xlsx)$/.test(path));
    expect(forms).toHaveLength(4);
    for (const file of forms) {
      expect(section).toContain(`${grouped(file.bytes)} bytes`);
      expect(section).toContain(`echo '${file.sha256} ${posix.basename(file.path)}' | sha256sum -c`);
      expect(html).toContain(`href="../../${file.path}"`);
    }
  });

  test('counts its rows by status and those that share a key', () => {
    if (kind !== 'observations') {
      expect(sectionOf(html, 'statuses')).toBe('');
      return;
    }
    const records = recordsOf(id);
    const rows = rowsOf(sectionOf(html, 'statuses')).slice(1);
    expect(rows.map(([, count]) => count).toSorted()).toEqual(
      [...statusesOf(records).values()].map(grouped).toSorted(),
    );
    // Zeros are counted apart here, and among the reported rows elsewhere.
    expect(rows.map(([status]) => status).filter((status) => status === 'reported')).toEqual([]);
    const keys = new Map<string, number>();
    for (const record of records) {
      const { indicatorId, geoCode, period, category, subgroup } = record;
      const key = JSON.stringify([indicatorId, geoCode, period, category, subgroup]);
      keys.set(key, (keys.get(key) ?? 0) + 1);
    }
    const shared = [...keys.values()].filter((count) => count > 1).reduce((sum, count) => sum + count, 0);
    expect(Number(/data-shared="(\d+)"/.exec(html)?.[1] ?? 0)).toBe(shared);
  });

  test('has its records and its cells without a value on the front page', () => {
    const [row = ''] = new RegExp(`<tr id="dataset-${id}">.*?</tr>`, 's').exec(treeText('index.html')) ?? [];
    const [cells = []] = rowsOf(row);
    expect(cells[3]).toBe(grouped(document.records));
    if (kind === 'entities') {
      expect(cells[4]).toBe('names, no values');
      return;
    }
    const values =
      kind === 'atlas'
        ? treeRecords<{ data: JsonObject }>(`data/${id}.ndjson`).flatMap(({ data }) =>
            document.fields.map(({ path }) => memberAt(data, path) ?? null),
          )
        : recordsOf(id).map(({ value }) => value);
    const without = values.filter((value) => value === null).length;
    const share = (100 * without) / values.length;
    const percent = share > 0 && share < 0.1 ? 'under 0.1' : share.toFixed(1);
    expect(cells[4]).toBe(`${grouped(without)} (${percent} %)`);
  });

  test('leads to every edition, and counts what differs between them', () => {
    if (kind === 'entities') {
      expect(sectionOf(html, 'editions')).toBe('');
      return;
    }
    const rows = rowsOf(sectionOf(html, 'editions')).slice(1);
    const own = [...packs, ...earlier].filter((pack) => pack.id.split('@')[0] === id);
    expect(rows).toHaveLength(own.length);
    for (const { edition, rows: count, sha256, path } of own) {
      const row = rows.find(([first]) => first?.split(' ')[0] === edition);
      expect([row?.[1], row?.[4]]).toEqual([grouped(count), sha256]);
      expect(html).toContain(`href="../../${path}"`);
    }
    expect(html).toContain(`href="../../data/editions/${id}/timemap.link"`);
    const { revisions } = treeJson<PackManifest>('data/packs.json');
    const pairs = ((revisions?.meta['pairs'] ?? []) as JsonObject[]).filter(
      (pair) => pair['datasetId'] === id,
    );
    const counted = rowsOf(sectionOf(html, 'differences')).flatMap(([, count]) =>
      count === undefined || count === 'Count' ? [] : [count],
    );
    const expected = pairs.flatMap((pair) =>
      Object.values(pair).filter((count) => typeof count === 'number' && count > 0),
    );
    expect(counted.toSorted()).toEqual(expected.map((count) => grouped(Number(count))).toSorted());
  });

  test('has every column of the CSV in the codebook', () => {
    const [header = ''] = treeText(`data/${id}.csv`).split('\r\n');
    expect(
      rowsOf(sectionOf(html, 'codebook'))
        .slice(1)
        .map(([name]) => name),
    ).toEqual(header.split(','));
  });

  test('leads to the rows of every place and to every indicator', () => {
    for (const { code } of document.geographies)
      expect(html).toContain(`href="../../data/${id}/${code.toLowerCase()}/"`);
    for (const indicator of document.indicators)
      expect(html).toContain(`href="../../indicators/${indicator.id}/"`);
  });

  test('says the same as JSON-LD, which nothing executes', () => {
    const [, block = ''] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(html) ?? [];
    const data = JSON.parse(block) as Record<string, JsonObject[] & string>;
    const dcat = treeJson<{ '@graph': JsonObject[] }>('data/dcat.jsonld')['@graph'];
    const listed = dcat.find((node) => node['@type'] === 'Dataset' && node['identifier'] === id);
    expect(data['@type']).toBe('Dataset');
    expect(data['url']).toBe(`${TEST_SITE}/data/${id}/`);
    expect([data['name'], data['description'], data['keywords']]).toEqual([
      document.title,
      listed?.['description'],
      listed?.['keyword'],
    ]);
    expect(data['version']).toBe(document.edition);
    expect(data['temporalCoverage']).toBe(
      document.firstPeriod === null ? undefined : `${document.firstPeriod}/${document.lastPeriod}`,
    );
    expect((data['spatialCoverage'] ?? []).map(({ identifier, name }) => [identifier, name])).toEqual(
      document.geographies.map(({ code, name }) => [code, name]),
    );
    expect(new Set(data['creator']?.map(({ name }) => name))).toEqual(
      new Set(sources.map(({ publisher }) => publisher)),
    );
    expect(
      new Set(data['license']?.map(({ name, url }) => `${String(name)} ${String(url ?? null)}`)),
    ).toEqual(new Set(sources.map(({ license, licenseUrl }) => `${license} ${licenseUrl}`)));
    expect((data['variableMeasured'] ?? []).map(({ identifier, name }) => [identifier, name])).toEqual([
      ...document.indicators.map((indicator) => [indicator.id, indicator.label]),
      ...document.fields.map(({ path, label }) => [path, label]),
    ]);
    expect(data['isBasedOn']?.map(({ identifier, version, url }) => [identifier, version, url])).toEqual(
      sources.map(({ sha256, dated, url }) => [`sha256:${sha256}`, dated, url]),
    );
    const downloads = data['distribution']?.map(({ contentUrl, sha256, contentSize }) => [
      contentUrl,
      sha256,
      contentSize,
    ]);
    expect(downloads).toEqual(
      files
        .filter(({ path }) => !path.endsWith('.idx'))
        .map((file) => [`${TEST_SITE}/${file.path}`, file.sha256, `${file.bytes} B`]),
    );
    expect(data['citation']).toContain(files[0]?.sha256);
    expect(text).toContain(String(data['citation']));
  });

  test('is cited in four forms that name its edition and its hash', () => {
    const forms = new Map(
      [...sectionOf(html, 'cite').matchAll(/<summary>(.*?)<\/summary><pre><code>(.*?)<\/code>/gs)].map(
        ([, name = '', form = '']) => [name, textOf(form)],
      ),
    );
    expect([...forms.keys()]).toEqual(['BibTeX', 'RIS', 'CSL-JSON']);
    const [item] = JSON.parse(forms.get('CSL-JSON') ?? '') as {
      version: string;
      note: string;
      URL: string;
    }[];
    expect([item?.version, item?.URL]).toEqual([document.edition, `${TEST_SITE}/data/${id}/`]);
    for (const form of [item?.note, forms.get('BibTeX'), forms.get('RIS')])
      expect(form).toContain(files[0]?.sha256);
  });
});

describe.each(documents.filter(({ kind }) => kind === 'observations'))('indicators of $id', (document) => {
  const records = recordsOf(document.id);

  test.each(document.indicators)(
    '$id',
    ({ id, label, description, limitations, coverage, geographies, units }) => {
      const { html, text } = pageAt(`indicators/${id}/`);
      const own = records.filter(({ indicatorId }) => indicatorId === id);
      const facts = factsOf(html);
      expect(text).toContain(label);
      expect(text).toContain(description);
      for (const limitation of [...limitations, ...document.limitations]) expect(text).toContain(limitation);
      expect([facts.get('Rows'), facts.get('Places')]).toEqual([
        grouped(coverage.observations),
        grouped(geographies.length),
      ]);
      for (const unit of units) expect(facts.get('Unit')).toContain(unit === '' ? 'none printed' : unit);
      expect(
        rowsOf(sectionOf(html, 'statuses'))
          .slice(1)
          .map(([, count]) => count)
          .toSorted(),
      ).toEqual([...statusesOf(own).values()].map(grouped).toSorted());
      const places = sectionOf(html, 'coverage');
      for (const code of geographies) {
        expect(places).toContain(`href="../../places/${code.toLowerCase()}/"`);
        expect(places).toContain(`href="../../data/${document.id}/${code.toLowerCase()}/"`);
      }
      const labels = new Set(own.map(({ category, subgroup }) => `${category}\n${subgroup}`));
      expect(Math.max(0, rowsOf(sectionOf(html, 'labels')).length - 1)).toBe(
        labels.size > 1 ? labels.size : 0,
      );
      expect(textOf(sectionOf(html, 'cite'))).toContain(document.edition);
    },
  );
});

test('the list of indicators has each with its counts', () => {
  const rows = rowsOf(treeText('indicators/index.html'));
  for (const { label, coverage, geographies } of documents.flatMap(({ indicators }) => indicators)) {
    const { observations, reported, estimated, zeros, unavailable } = coverage;
    const found = rows.filter(([first]) => first === label);
    const counts = [reported, estimated, zeros, unavailable, geographies.length].map(grouped);
    expect(found.map((row) => [row[1], ...row.slice(3, 8)])).toContainEqual([
      grouped(observations),
      ...counts,
    ]);
  }
});

test.each(editions)('sources: $source $edition, as $dataset $datasetEdition has it', (edition) => {
  const { source, sha256, dataset, datasetEdition } = edition;
  const path = [`sources/${source}/`, `sources/${source}/${edition.edition}/`].find(
    (address) =>
      existsSync(join(root, address, 'index.html')) &&
      pageAt(address).html.includes(`<dd><code class="hash">${sha256}`),
  );
  const { html, text } = pageAt(path ?? '');
  const facts = factsOf(html);
  expect(facts.get('SHA-256')).toBe(sha256);
  expect(facts.get('Bytes')).toContain(`${grouped(edition.bytes)} (`);
  expect([facts.get('Edition'), facts.get('Retrieved'), facts.get('Publisher')]).toEqual([
    `${edition.edition}, its publisher’s date of publication, unless a note below says that it is inferred`,
    edition.retrieved,
    edition.publisher,
  ]);
  // Overdue is what a current edition is read from.
  const isCurrent = documents.some(({ sources }) => sources.some((current) => current.sha256 === sha256));
  if (!isCurrent) expect(facts.get('Next one')).toMatch(/is here|newer editions of .+ are from other files/);
  expect(text).toContain(edition.name);
  expect(html).toMatch(new RegExp(`<section class="verify"[^>]*data-sha256="${sha256}"`));
  expect(textOf(sectionOf(html, 'cite'))).toContain(`File with sha256 ${sha256}`);
  const taken = textOf(sectionOf(html, 'taken'));
  expect(taken).toContain(`edition ${datasetEdition}`);
  if (documents.find(({ id }) => id === dataset)?.kind !== 'entities')
    expect(taken).toContain(`${grouped(edition.rows)} row`);
  const list = treeText('sources/index.html');
  expect(list).toContain(sha256);
  expect(list).toContain(`href="../${path}"`);
});

test('no name of a designation is on any of these pages', () => {
  const names = treeRecords<Entity>('data/designations.ndjson').map(({ name }) => name);
  expect(names.length).toBeGreaterThan(1000);
  const texts = PAGES.map((path) => [path, ` ${treeText(`${path}index.html`)} `] as const);
  const found = texts.flatMap(([path, page]) =>
    names.filter((name) => name.length > 4 && page.includes(name)).map((name) => `${path}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('every link and anchor of these pages leads to something, every query of the API to records', async () => {
  const ids = new Map<string, Set<string>>();
  const idsOf = (path: string): Set<string> => {
    const known =
      ids.get(path) ?? new Set([...treeText(path).matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
    ids.set(path, known);
    return known;
  };
  const queries = new Set<string>();
  const lost = PAGES.flatMap((page) =>
    [...treeText(`${page}index.html`).matchAll(/ href="([^"]*)"/g)].flatMap(([, href = '']) => {
      if (/^https?:/.test(href)) return [];
      const target = new URL(href.replaceAll('&amp;', '&'), `${TEST_SITE}/${page}`);
      const path = decodeURIComponent(target.pathname.slice(1));
      // Single records are answered by the service and have tests of their own.
      if (/^r\/./.test(path)) return [];
      if (path.startsWith('api/')) {
        queries.add(target.href);
        return [];
      }
      const found = path === '' || path.endsWith('/') ? `${path}index.html` : path;
      const isThere = existsSync(join(root, found)) && statSync(join(root, found)).isFile();
      const anchor = decodeURIComponent(target.hash.slice(1));
      return isThere && (anchor === '' || idsOf(found).has(anchor)) ? [] : `${page}: ${href}`;
    }),
  );
  expect(lost.slice(0, 5)).toEqual([]);
  expect(queries.size).toBeGreaterThan(60);
  const app = testApp();
  for (const query of queries) {
    const response = await app.fetch(new Request(query));
    const { data } = (await response.json()) as { data: { page: { matched: number } } };
    expect([query, response.status, data.page.matched > 0]).toEqual([query, 200, true]);
  }
});

test('the site map lists them', () => {
  const map = treeText('sitemap.xml');
  for (const path of PAGES) expect(map).toContain(`<loc>${TEST_SITE}/${path}</loc>`);
});
