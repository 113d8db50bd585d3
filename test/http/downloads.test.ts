/** [DOWNLOADS] /download/<resource>.csv: every record of a query, against the pages of the API and the bulk files; refusals; headers. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../build/lib/tree.ts';
import { DOWNLOADS, downloadOf } from '../../shim/core/download.ts';
import { LIMITS } from '../../shim/core/limits.ts';
import { validator } from '../../shim/core/schema.ts';
import type { Context, JsonObject, Pack } from '../../shim/core/types.ts';
import { requestOf, type Reply } from '../../shim/http/content.ts';
import { downloadReplies } from '../../shim/http/downloads.ts';
import { csvCells, unguarded } from '../bulk/read.ts';
import { testApp, testContext, requestsTo } from '../_support/doors.ts';
import { builtTree, copyOfTree, treeFile, treeText, flipBit } from '../_support/tree.ts';
import { words } from '../_support/words.ts';

const unexpected: unknown[] = [];
const get = requestsTo(testApp(builtTree(), (error) => unexpected.push(error)));

async function bytesOf(target: string): Promise<Buffer> {
  const response = await get(target);
  expect([target, response.status]).toEqual([target, 200]);
  return Buffer.from(await response.arrayBuffer());
}

/** Every record of a query, by the pages of the API. */
async function paged(resource: string, query: string): Promise<JsonObject[]> {
  const records: JsonObject[] = [];
  const limit = resource === 'market-observations' ? 500 : 100;
  let cursor: string | null = '';
  while (cursor !== null) {
    const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await get(`/api/v1/${resource}?${query}&limit=${limit}${next}`);
    const { data } = (await response.json()) as { data: Record<string, JsonObject[]> & { page: JsonObject } };
    records.push(...(data['records'] ?? data['observations'] ?? []));
    cursor = data.page['next_cursor'] as string | null;
  }
  return records;
}

/** A leaf as a cell should have it, written without the code under test. */
function cellOf(record: unknown, column: string): string {
  const value = column
    .split('.')
    .reduce<unknown>((group, name) => (group as Record<string, unknown> | null | undefined)?.[name], record);
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join('|');
  return typeof value === 'number' ? String(value).replace('e', 'E') : String(value as string | boolean);
}

describe('what a download holds', () => {
  test.each([
    ['market-observations', 'dataset=drug-seizures', 10_000],
    ['market-observations', 'geo=MEX&from=2019&to=2021', 100],
    ['market-observations', 'dataset=border-drug-seizures&from=2025-10', 100],
    ['market-observations', 'category=&geo=AFG', 1],
    ['market-observations', 'dataset=drug-seizures&as_of=2024-12-31&geo=BEL', 10],
    ['atlas', 'domain=organized_crime&year=2023', 100],
    ['atlas', 'iso3=MEX', 4],
    ['atlas', 'domain=firearms_tracing&as_of=2024-12-31', 10],
    ['entities', 'program=SDNTK', 500],
    ['entities', 'query=cartel&country=mexico', 1],
  ])('%s?%s is row for row what the pages of the API give', async (resource, query, atLeast) => {
    const records = await paged(resource, query);
    expect(records.length).toBeGreaterThanOrEqual(atLeast);
    const { header, rows } = csvCells(await bytesOf(`/download/${resource}.csv?${query}`));
    const own = resource === 'entities' ? 1 : 0;
    const columns = header.slice(own);
    expect(rows).toHaveLength(records.length);
    const wrong = rows.filter((cells, row) =>
      columns.some((column, position) => cells[position + own] !== cellOf(records[row], column)),
    );
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(new Set(rows.map((cells) => cells.length)).size).toBeLessThanOrEqual(1);
  });

  test.each([
    ['market-observations', 'dataset=drug-seizures', 'drug-seizures'],
    ['atlas', 'domain=organized_crime', 'organized-crime-index'],
    ['atlas', 'domain=firearms_tracing', 'firearms-tracing'],
  ])(
    'the variant for spreadsheets of %s?%s has the rows of the bulk file, a byte order mark, and quotes around texts alone',
    async (...of) => {
      const [resource, query, dataset] = of;
      const bytes = await bytesOf(`/download/${resource}.excel.csv?${query}`);
      const bulk = treeFile(`data/${dataset}.csv`);
      expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
      expect(csvCells(bytes)).toEqual(csvCells(bulk));
      const [, line = ''] = bytes.toString('utf8').split('\r\n');
      expect(line.replaceAll(/"(?:[^"]|"")*"/g, '').replaceAll(/[-+.,\dE]/g, '')).toBe('');
    },
  );

  test('both domains of the atlas have the columns of both', async () => {
    const columns = (dataset: string): string[] => csvCells(treeFile(`data/${dataset}.csv`)).header;
    const { header } = csvCells(await bytesOf('/download/atlas.csv?iso3=MEX'));
    const both = [...columns('firearms-tracing'), ...columns('organized-crime-index')];
    expect(header).toEqual([...new Set(both)]);
    const all = csvCells(await bytesOf('/download/atlas.csv?iso3=MEX&domain=all'));
    expect(all.header).toEqual(header);
  });

  test('designations carry the notice in the first column of every row, with the date of the list', async () => {
    const { header, rows } = csvCells(await bytesOf('/download/entities.csv?program=TCO'));
    const bulk = csvCells(treeFile('data/designations.csv'));
    expect(header).toEqual(['notice', ...bulk.header]);
    const [notice = '', ...others] = new Set(rows.map(([first]) => first));
    expect(others).toEqual([]);
    expect(notice).toMatch(/not proof of guilt and not an adjudication.*list of \d{4}-\d\d-\d\d/);
  });

  test.each([...DOWNLOADS.keys()])('%s that matches nothing has its head row', async (resource) => {
    const query = { atlas: 'iso3=ZZZ', entities: 'query=zzzzzz' }[resource] ?? 'geo=ZZZ';
    const { header, rows } = csvCells(await bytesOf(`/download/${resource}.csv?${query}`));
    expect([header.length > 5, rows]).toEqual([true, []]);
  });
});

describe('texts and numbers of the variant for spreadsheets', () => {
  /** A release whose records are these: only texts and numbers differ. */
  function contextOf(records: JsonObject[]): Context {
    const context = testContext();
    const { release } = context;
    const [first] = JSON.parse(
      `[${treeText('data/opium-cultivation.ndjson').split('\n')[0]}]`,
    ) as JsonObject[];
    const pack = (id: string): Pack => ({
      ...release.pack(id),
      derive: release.pack(id).derive.bind(release.pack(id)),
      copy: (from, to) =>
        records
          .slice(from, to)
          .map((record) => new TextEncoder().encode(JSON.stringify({ ...first, ...record }))),
    });
    return { ...context, release: { ...release, derive: release.derive.bind(release), pack } };
  }

  async function rowsOf(form: 'csv' | 'excel.csv', records: JsonObject[]): Promise<Record<string, string>[]> {
    const resource = DOWNLOADS.get('market-observations');
    if (!resource) throw new Error('no such download');
    const search = '?dataset=opium-cultivation';
    const { blocks } = downloadOf(resource, form, search, contextOf(records), () => undefined);
    let text = '';
    for await (const block of blocks()) text += block;
    const { header, rows } = csvCells(Buffer.from(text));
    return rows.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ''])));
  }

  test('no text begins like a formula, each is read back, and numbers stay as they are', async () => {
    const text = fc.stringMatching(/^'{0,2}[=+\-@\t\r\n]?[a-z",\r\n=é|]{0,5}$/);
    const value = fc.constantFrom(null, 0, -5, 0.1, 1e-7, 1e21);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ category: text, unit: text, value }), { minLength: 1, maxLength: 5 }),
        async (records) => {
          const plain = await rowsOf('csv', records);
          for (const [at, row] of (await rowsOf('excel.csv', records)).entries()) {
            const { category = '', unit = '', value: number = null } = records[at] ?? {};
            expect([row['category'], row['unit']].join('')).not.toMatch(/^[=+\-@\t\r\n]/);
            expect([unguarded(row['category'] ?? ''), unguarded(row['unit'] ?? '')]).toEqual([
              category,
              unit,
            ]);
            expect(row['value']).toBe(number === null ? '' : String(number as number).replace('e', 'E'));
            expect([plain[at]?.['category'], plain[at]?.['unit']]).toEqual([category, unit]);
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('refusals', () => {
  test.each([
    ['market-observations.csv?limit=5', /does not accept parameter "limit"\. A download holds all records/],
    ['atlas.csv?cursor=abc', /does not accept parameter "cursor"/],
    ['entities.excel.csv?as_of=2024-01-01', /list is published in its current edition only/],
    ['atlas.csv?iso3=mex', /Invalid value "mex" for parameter "iso3"/],
    ['market-observations.csv?geo=MEX&geo=BEL', /"geo" was given more than once/],
    ['market-observations.csv?nope=1', /Unknown parameter "nope"; market-observations accepts (?!.*"limit")/],
    ['entities.csv?query=%ff', /not valid percent-encoded UTF-8/],
  ])('%s is a 400 of the API', async (target, message) => {
    const response = await get(`/download/${target}`);
    const { ok, error, message: text } = (await response.json()) as Record<string, string>;
    expect([response.status, ok, error]).toEqual([400, false, 'invalid_request']);
    expect(text).toMatch(message);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  });

  test.each(words(`series.csv atlas.xlsx atlas.csv/ .csv excel.csv __proto__.csv %ff a/b.csv?x`))(
    '%s is a 404 that lists what there is',
    async (target) => {
      const response = await get(`/download/${target}`);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('/download/entities.excel.csv');
    },
  );

  test('other methods are refused, OPTIONS is answered', async () => {
    expect((await get('/download/atlas.csv', { method: 'POST' })).status).toBe(405);
    expect((await get('/download/atlas.csv', { method: 'OPTIONS' })).status).toBe(204);
  });

  test('while a dataset cannot be read no file is given that lacks its records, others are', async () => {
    const damaged = ['data/firearms-tracing.ndjson', 'data/coca-cultivation.ndjson'];
    const copy = copyOfTree(...damaged);
    for (const path of damaged) flipBit(join(copy, path));
    const other = requestsTo(testApp(copy));
    const ask = async (target: string): Promise<[number, string]> => {
      const response = await other(`/download/${target}`);
      return [response.status, await response.text()];
    };
    const [status, text] = await ask('atlas.csv?iso3=MEX');
    const body = JSON.parse(text) as {
      ok: boolean;
      resource: string;
      data: { status: string; sources: { domain: string; status: string }[] };
    };
    expect([status, body.ok, body.resource, body.data.status]).toEqual([503, false, 'atlas', 'unavailable']);
    expect(body.data.sources.map(({ domain, status: state }) => [domain, state])).toEqual([
      ['firearms_tracing', 'unavailable'],
      ['organized_crime', 'available'],
    ]);
    const schema = treeText('schemas/atlas.unavailable.schema.json');
    expect(validator(JSON.parse(schema) as JsonObject)(body)).toBe(null);
    const [all, message] = await ask('market-observations.csv?geo=COL');
    expect([all, JSON.parse(message)]).toMatchObject([503, { error: 'unavailable' }]);
    expect(message).toContain('coca-cultivation');
    expect((await ask('atlas.csv?iso3=MEX&domain=organized_crime'))[0]).toBe(200);
    expect((await ask('market-observations.csv?dataset=arms&geo=COL'))[0]).toBe(200);
  });
});

describe('headers', () => {
  const small = '/download/market-observations.csv?indicator=seizures&geo=MEX';
  const large = '/download/market-observations.csv?dataset=drug-seizures';

  test.each([small, large])('%s has name, type, length, ETag of its bytes and caching', async (target) => {
    const response = await get(target);
    const bytes = Buffer.from(await response.arrayBuffer());
    const fields = Object.fromEntries(response.headers);
    expect(fields).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': String(bytes.length),
      etag: `"${sha256(bytes)}"`,
      'cache-control': 'public, max-age=300, stale-while-revalidate=86400',
      'netlify-vary': 'query',
      'access-control-allow-origin': '*',
      link: expect.stringContaining('rel="service-desc"'),
      'x-robots-tag': 'noindex',
    });
    expect(fields['content-disposition']).toMatch(
      /^attachment; filename="market-observations\.[\w.-]+\.csv"$/,
    );
    const again = await get(target, { headers: { 'if-none-match': fields['etag'] ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await get(target, { method: 'HEAD' });
    expect([head.status, await head.text(), Object.fromEntries(head.headers)]).toEqual([200, '', fields]);
    const packed = await get(target, { headers: { 'accept-encoding': 'br' } });
    expect(packed.headers.get('etag')).toBe(`"${sha256(bytes)}-br"`);
    expect(sha256(brotliDecompressSync(Buffer.from(await packed.arrayBuffer())))).toBe(sha256(bytes));
  });

  test('a file name takes no sign from a query that a header could be broken with', async () => {
    const response = await get('/download/entities.csv?query=%22a%0d%0ab%22&country=mexico');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="entities.mexico.csv"');
    const nameOf = async (target: string): Promise<string | null> =>
      (await get(`/download/${target}`)).headers.get('content-disposition');
    const long = 'a'.repeat(40);
    expect(await nameOf(`entities.csv?query=${long}`)).toBe(`attachment; filename="entities.${long}.csv"`);
    expect(await nameOf(`entities.csv?query=${long}a`)).toBe('attachment; filename="entities.csv"');
    expect(await nameOf('atlas.excel.csv?iso3=MEX&year=2023')).toBe(
      'attachment; filename="atlas.MEX.2023.excel.csv"',
    );
  });
});

/** A context, and how many pages were read with it. */
function counting(): { context: Context; pages: () => number } {
  const context = testContext();
  const { release } = context;
  let pages = 0;
  const pack = (id: string): Pack => {
    pages += 1;
    return release.pack(id);
  };
  const counted = { ...release, derive: release.derive.bind(release), pack };
  return { context: { ...context, release: counted }, pages: () => pages };
}

test('a file is read no faster than it is taken, in blocks', async () => {
  const { context, pages } = counting();
  const reply = await downloadReplies(
    context,
    () => undefined,
  )(requestOf('GET', '/download/market-observations.csv?dataset=arms', () => null));
  const made = pages();
  expect(made).toBeGreaterThan(30);
  const blocks = (reply.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  await blocks.next();
  await blocks.next();
  await wait(30);
  expect(pages() - made).toBe(2);
  let longest = 0;
  for (let block = await blocks.next(); !block.done; block = await blocks.next())
    longest = Math.max(longest, block.value.length);
  expect(longest).toBeLessThan(400_000);
  expect(pages()).toBe(2 * made);
});

test('a file that many ask for is prepared once, and few different ones at a time', async () => {
  const { context, pages } = counting();
  const reply = downloadReplies(context, () => undefined);
  const ask = async (query: string): Promise<Reply> =>
    reply(requestOf('GET', `/download/market-observations.csv?${query}`, () => null));
  await ask('dataset=arms&from=1899');
  const once = pages();
  const same = await Promise.all(Array.from({ length: 20 }, async () => ask('dataset=arms&from=1900')));
  expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]));
  expect(pages()).toBeLessThan(3 * once);
  const different = await Promise.all(
    Array.from({ length: LIMITS.downloads + 3 }, async (_, at) => ask(`dataset=arms&from=${1900 + at + 1}`)),
  );
  const refused = different.filter(({ status }) => status === 503);
  expect(refused.length).toBe(3);
  for (const { headers } of refused) expect(headers).toContain('retry-after');
  expect((await ask('dataset=arms&from=1950')).status).toBe(200);
});

test('nothing unexpected was reported', () => expect(unexpected).toEqual([]));
