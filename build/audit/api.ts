/** The published records, from a built tree or through the API of a running server, flattened to claims. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Claim } from './claim.ts';
import type { Field } from './reread-atlas.ts';

/** A JSON object of unknown members. */
export type Json = Record<string, unknown>;

/** The records of a dataset as published. */
export type ReadRecords = (dataset: { name: string; kind: string; domain?: string }) => Promise<Json[]>;

/** Reads records from a folder with `data/<id>.ndjson`, or from a server by the pages of its three resources. */
export function recordsOf(base: string): ReadRecords {
  if (!/^https?:/.test(base))
    return async ({ name }) => ndjson(readFileSync(join(base, 'data', `${name}.ndjson`), 'utf8'));
  const origin = base.replace(/\/$/, '');
  return async ({ name, kind, domain }) => {
    if (kind === 'atlas') return walk(`${origin}/api/v1/atlas?limit=100&domain=${domain ?? ''}`);
    if (kind === 'entities') return walk(`${origin}/api/v1/entities?limit=100`);
    // National series answer no market query: their bulk file is where they are published.
    if (name === 'national-indicators') return ndjson(await text(`${origin}/data/${name}.ndjson`));
    return walk(`${origin}/api/v1/market-observations?limit=500&dataset=${name}`);
  };
}

/** An observation as one claim, an atlas record as one claim a field. */
export function claimsOf(dataset: string, record: Json, fields: Field[]): Claim[] {
  const blank = { dataset, field: '', category: '', unit: '', lower: null, upper: null, reason: null };
  if (fields.length === 0)
    return [
      {
        ...blank,
        source: text_(record['sourceId']),
        locator: text_(record['sourceLocator']),
        code: text_(record['geoCode']),
        name: text_(record['geoName']),
        period: text_(record['period']),
        category: text_(record['category']),
        unit: text_(record['unit']),
        value: number(record['value']),
        lower: number(record['lower']),
        upper: number(record['upper']),
        status: text_(record['status']),
        reason: typeof record['unavailableReason'] === 'string' ? record['unavailableReason'] : null,
      },
    ];
  const [meta, data] = [object(record['meta']), object(record['data'])];
  return fields.map(({ path }) => {
    const value = number(path.split('.').reduce<unknown>((at, part) => object(at)[part], data));
    return {
      ...blank,
      source: text_(meta['source']),
      locator: text_(meta['locator']),
      field: path,
      code: text_(data['iso3']),
      name: text_(data['country']),
      period: String(data['year']),
      value,
      status: value === null ? 'unavailable' : 'reported',
    };
  });
}

/** The value as an object, empty where it is none. */
export function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

async function walk(first: string): Promise<Json[]> {
  const records: Json[] = [];
  let cursor = '';
  do {
    const answer = object(
      JSON.parse(await text(cursor === '' ? first : `${first}&cursor=${encodeURIComponent(cursor)}`)),
    );
    const data = object(answer['data']);
    if (data['status'] !== 'available') throw new Error(`${first}: status ${JSON.stringify(data['status'])}`);
    const list = data['observations'] ?? data['records'];
    if (!Array.isArray(list)) throw new Error(`${first}: a page without observations or records`);
    records.push(...list.map(object));
    const next = object(data['page'])['next_cursor'];
    cursor = typeof next === 'string' ? next : '';
  } while (cursor !== '');
  return records;
}

async function text(url: string): Promise<string> {
  // A server may close an idle connection while a file is being read: a GET is asked once more on a new one.
  const response = await fetch(url).catch(() => fetch(url));
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.text();
}

function ndjson(lines: string): Json[] {
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [object(JSON.parse(line))]));
}

function text_(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
