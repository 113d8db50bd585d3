/** The clients for Python and R, and the client module: the same rows as the packaged records, from a service and from files. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Observation } from '../../shim/core/records.ts';
import * as client from '../../shim/client/client.ts';
import type * as Client from '../../shim/client/v1.d.ts';
import { inBrowser } from '../_support/browser.ts';
import { fileServer, type FileServer } from '../_support/file-server.ts';
import { INTERPRETERS, told } from '../_support/interpreters.ts';
import { casesOf } from '../_support/share.ts';
import { allObservations, packManifest } from '../_support/records.ts';
import { builtTree, treeFile } from '../_support/tree.ts';
import { onPort } from '../_support/doors.ts';
import { listening } from '../_support/free-port.ts';

const records = allObservations();
let files: FileServer;
const service = { url: `${(await onPort()).url}/` };
beforeAll(async () => {
  // A host that gives a page for its address without the ending, and ignores the query, as some do.
  const page = treeFile('api/v1/series.json');
  const headers = { 'content-type': 'application/json' };
  files = await fileServer(builtTree(), {
    fault: (path, sent) => (path === 'api/v1/series' ? { status: 200, headers, body: page } : sent),
  });
});
afterAll(() => files.close());

/** Filters that select a few records, each by a rule that can be counted here. */
function queries(count: number): Record<string, string>[] {
  return Array.from({ length: count }, (_, position) => {
    const record = records[Math.floor((position * records.length) / count)] as Observation;
    const { datasetId: dataset, indicatorId: indicator, geoCode: geo, category, period, id } = record;
    const forms: Record<string, string>[] = [
      { indicator, geo, category },
      { dataset, geo, from: period },
      { indicator, geo, to: period.slice(0, 4) },
      { id },
      { id: `${id}@${record.edition}` },
      { indicator, geo, from: `${period.slice(0, 4)}-02`, to: `${period.slice(0, 4)}-11` },
      { dataset, geo: 'Nowhere' },
    ];
    return forms[position % forms.length] ?? {};
  });
}

/** The rows of a query, counted over all records. */
function expected(query: Record<string, string>): Observation[] {
  const { dataset, indicator, geo, category, from = '', to, id } = query;
  const months = from.length === 7 || to?.length === 7;
  return records.filter(
    (record) =>
      (dataset === undefined || record.datasetId === dataset) &&
      (indicator === undefined || record.indicatorId === indicator) &&
      (geo === undefined || record.geoCode === geo) &&
      (category === undefined || record.category === category) &&
      (id === undefined || record.id === id.split('@')[0]) &&
      (!months || record.period.length === 7) &&
      record.period.slice(0, from.length) >= from &&
      (to === undefined || record.period.slice(0, to.length) <= to),
  );
}

interface Row extends Observation {
  sourceName: string;
  sourceSha256: string;
  license: string;
}

const sources = new Map(
  packManifest().packs.flatMap(({ meta }) =>
    ((meta['sources'] ?? []) as { datasetId: string; id: string; sha256: string; license: string }[]).map(
      (source) => [`${source.datasetId} ${source.id}`, source] as const,
    ),
  ),
);

/** R prints numbers with fewer digits than they have, so it gives them as text. */
function numbersOf({ value, lower, upper }: Observation): Pick<Observation, 'value' | 'lower' | 'upper'> {
  const numberOf = (number: number | null): number | null => (number === null ? null : Number(number));
  return { value: numberOf(value), lower: numberOf(lower), upper: numberOf(upper) };
}

/** A page of a service one of whose datasets is damaged. */
const PARTIAL = {
  schema: 'svc.api.market-observations.v1',
  status: 'partial',
  page: { limit: 1, next_cursor: null },
  observations: [],
  sources: [],
  limitations: ['Dataset arms is currently unavailable; its records are not included.'],
};

const sampled = queries(casesOf(140, 56));
const matching = sampled.map(expected);

describe.each(INTERPRETERS)('the client for $language', (interpreter) => {
  const { language, command, client: program, isThere } = interpreter;
  beforeEach(({ skip }) => {
    if (!isThere) skip(`${command} is not installed: the client for ${language} was not run`);
  });

  test.each(['service', 'files'])('gives the rows of the packaged records from %s', async (from) => {
    const { url } = from === 'service' ? service : files;
    const [{ cited } = { cited: '' }, ...answers] = await told<Row>(
      interpreter,
      [{ id: first.id }, ...sampled].map((query) => [url, query]),
    );
    expect(cited).toContain(`, record ${addressAt(from)}. Licence`);
    expect(answers).toHaveLength(sampled.length);
    for (const [position, { from: source, rows }] of answers.entries()) {
      const own = rows.map(({ sourceName: _n, sourceSha256: _s, license: _l, ...record }) => ({
        ...record,
        ...numbersOf(record),
      }));
      expect([source, own], JSON.stringify(sampled[position])).toEqual([from, matching[position]]);
      for (const { datasetId, sourceId, sourceSha256, license } of rows)
        expect(sources.get(`${datasetId} ${sourceId}`)).toMatchObject({ sha256: sourceSha256, license });
    }
  });

  test('refuses what the service refuses, where it has only files', async () => {
    const asked = [
      { from: '20x' },
      { to: '2020-13' },
      { from: '2020', to: '2019-12' },
      { as_of: '2024' },
      { as_of: '2024-02-30' },
      { dataset: 'arms', as_of: '2020-01-01' },
      { indicator: first.indicatorId, as_of: '2000-01-01' },
      { dataset: 'nothing' },
      { as_of: '2100-01-01' },
      { as_of: '2025-07-01', id: `${first.id}@2025-05-12` },
      { geo: '' },
      { id: 'no id' },
      { id: 'x@2025-13' },
    ];
    const both = [service, files].flatMap(({ url }) => asked.map((query) => [url, query] as const));
    // R is not given the body of an error: what it requested has the parameters.
    const refused = (await told(interpreter, both)).map(
      ({ error = '' }) =>
        error.match(/(?:Invalid value .[^'"]*. for |: Parameter )(?:parameter )?"(\w+)"/)?.[1] ??
        error.match(/invalid_request \(400\)/)?.[0] ??
        error,
    );
    const parameters = asked.map(
      (query) => Object.keys(query).find((key) => key === 'as_of') ?? Object.keys(query)[0],
    );
    const byService = language === 'R' ? asked.map(() => 'invalid_request (400)') : parameters;
    expect(refused).toEqual([...byService, ...parameters]);
  });

  test('takes one value for a filter, and any text as it is', async () => {
    const several = { geo: ['MEX', 'BEL'], indicator: first.indicatorId };
    const text = { dataset: 'arms', category: '%20&x=1 “ü”' };
    const both = [service, files].flatMap(({ url }) => [several, text].map((query) => [url, query] as const));
    const answers = (await told(interpreter, both)).map(({ error, rows }) => error ?? rows.length);
    expect(answers).toEqual([0, 1].flatMap(() => ["filter 'geo' takes one value", 0]));
  });

  // R has no text with NUL.
  test.skipIf(language === 'R')('refuses NUL in a filter', async () => {
    const both = [service, files].map(({ url }) => [url, { geo: 'AFG\0' }] as const);
    for (const { error } of await told(interpreter, both)) expect(error).toMatch(/without NUL/);
  });

  test('says what it takes where it is asked, or gets no address', () => {
    for (const words of ['--help', '-h', '--nope', '', `${service.url} geo`]) {
      const args = [program, ...words.split(' ').filter(Boolean)];
      const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
      expect([words, status, stdout]).toEqual([words, /^-(h|-help)$/.test(words) ? 0 : 2, '']);
      expect(stderr).toMatch(/^usage: .*filters: dataset, indicator/);
    }
  });

  test('prints every sign as it is, whatever the locale', async () => {
    const record = records.find(({ category }) => /[^\0-\x7f]/.test(category)) as Observation;
    const { indicatorId: indicator, geoCode: geo, category } = record;
    const args = [service.url, `indicator=${indicator}`, `geo=${geo}`, `category=${category}`];
    const { stdout } = await promisify(execFile)(command, [program, ...args], {
      env: { ...process.env, LC_ALL: 'C', PYTHONDONTWRITEBYTECODE: '1' },
    });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .filter((row) => row.includes(category)),
    ).toHaveLength(expected({ indicator, geo, category }).length);
  });

  test('raises for a page that lacks a dataset, and for a body that is not JSON or breaks off', async () => {
    const bodies: ((response: ServerResponse) => unknown)[] = [
      (response) => response.end(JSON.stringify({ ok: true, data: PARTIAL })),
      (response) => response.end('<!doctype html>'),
      (response) =>
        response.req.method === 'HEAD'
          ? response.end()
          : response.writeHead(200, { 'content-length': 100 }).write('{"ok":', () => response.destroy()),
    ];
    const servers = bodies.map((send) =>
      createServer(({ url = '' }, response) => {
        const page = { limit: 1 };
        if (url.includes('/series')) response.end(JSON.stringify({ ok: true, data: { page } }));
        else send(response);
      }),
    );
    const ports = await Promise.all(servers.map(listening));
    const answers = await told(
      interpreter,
      ports.map((port) => [`http://127.0.0.1:${port}`, { geo: 'MEX' }]),
    );
    for (const server of servers) server.close();
    expect(answers.map(({ error }) => error)).toEqual([
      `${PARTIAL.limitations[0]} Try again later, or ask for other datasets.`,
      expect.stringMatching(/the host answers with something other than (a )?JSON/),
      expect.stringMatching(
        /\/api\/v1\/market-observations\?geo=MEX&limit=500: .*(Incomplete|incomplete|6 bytes|failed)/,
      ),
    ]);
  });
});

/** The address of the first record in its edition: of the service, or of the page that finds rows on a copy. */
function addressAt(from: string): string {
  return `${from === 'service' ? `${service.url}r/` : `${files.url}r/#`}${first.id}@${first.edition}`;
}

// The published types are those of the module and of the records: the compiler says where they are not.
client satisfies typeof Client;
const first = records[0] as Observation satisfies Client.Observation;

describe('the client module', () => {
  const site = inBrowser();
  const query = { indicator: first.indicatorId, geo: first.geoCode };

  test.each(['service', 'files'] as const)('gives and proves records from %s in node', async (from) => {
    const { open, RequestError } = (await import(
      pathToFileURL(join(builtTree(), 'client/v1.js')).href
    )) as typeof Client;
    const evidence = await open(from === 'service' ? service.url : files.url);
    expect(evidence.from).toBe(from);
    const rows = await evidence.observations(query).all();
    expect(rows).toEqual(expected(query));
    const row = rows[0] as Observation;
    expect(await evidence.prove(row)).toMatchObject({
      record: `${row.id}@${row.edition}`,
      source: { locator: row.sourceLocator, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      pack: { path: `data/${row.datasetId}.ndjson` },
    });
    expect((await evidence.cite(row)).text).toContain(row.sourceLocator);
    expect((await evidence.cite(first)).text).toContain(` ${addressAt(from)}. `);
    const several = evidence.observations({ geo: ['MEX', 'BEL'] } as never).all();
    await expect(several).rejects.toThrow('"geo" takes one text or number');
    const refusal = await evidence
      .observations({ dataset: 'nothing' })
      .all()
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RequestError);
    expect(String(refusal)).toContain('Invalid value "nothing" for parameter "dataset"');
    for (const resource of ['series', 'revisions', 'atlas'] as const)
      for await (const page of evidence[resource]({ limit: 1 }).pages()) {
        expect(page['schema']).toBe(`svc.api.${resource}.v1`);
        break;
      }
  });

  test('says so where the service has a newer contract', async () => {
    const data = { schema: 'svc.api.market-observations.v2', page: { limit: 1, next_cursor: null } };
    const fetch: typeof globalThis.fetch = async () => Response.json({ ok: true, data });
    const evidence = await client.open('https://evidence.example', { fetch });
    expect(evidence.from).toBe('service');
    await expect(evidence.observations(query).all()).rejects.toThrow(
      'this client knows svc.api.market-observations.v1. Load a newer client.',
    );
  });

  test('rejects where a page lacks a damaged dataset, whose pages say so', async () => {
    const fetch: typeof globalThis.fetch = async () => Response.json({ ok: true, data: PARTIAL });
    const asked = (await client.open('https://evidence.example', { fetch })).observations(query);
    await expect(asked.all()).rejects.toThrow(PARTIAL.limitations[0]);
    for await (const page of asked.pages()) expect(page['status']).toBe('partial');
  });

  test('reads only what it needs of a mirror, from a page of another origin', async () => {
    const elsewhere = await fileServer(builtTree());
    const { page, messages } = await site.open(`${elsewhere.url}404.html`);
    files.requests();
    const count: unknown = await page.evaluate(`(async () => {
      const { open } = await import('${files.url}client/v1.js');
      const evidence = await open('${files.url}', { from: 'files' });
      return (await evidence.observations(${JSON.stringify(query)}).all()).length;
    })()`);
    elsewhere.close();
    expect(count).toBe(expected(query).length);
    expect(messages).toEqual([]);
    const seen = files.requests();
    expect(seen.filter(({ range }) => range !== null).map(({ path }) => path)).toEqual([
      `data/${first.datasetId}.ndjson`,
    ]);
  });
});
