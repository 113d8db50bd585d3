/** What the audit compares: each published value as a claim, and the same value as read again from the raw file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A JSON object of unknown members. */
export type Json = Record<string, unknown>;

/** An atlas field of the descriptor: its place in a record and the source's own words for it. */
export interface Field {
  path: string;
  label: string;
}

interface Statement {
  /** As published: `Seizures!H3`, `row 17`, `2021_dataset!D115:AG115`. */
  locator: string;
  /** Dotted path of the atlas field; empty for an observation. */
  field: string;
  country: string;
  period: string;
  value: number | null;
  lower: number | null;
  upper: number | null;
  /** Null where there is a value, and for atlas fields, which carry no reason. */
  reason: string | null;
}

/** One published value: an observation, or one field of an atlas record. */
export interface Claim extends Statement {
  source: string;
  code: string;
  category: string;
  unit: string;
  status: string;
}

/** The same value as the audit reads it; null is what the source does not print. */
export interface Reread extends Statement {
  code: string | null;
  unit: string | null;
  /** What the row prints as category; the published one must be among them. */
  categories: string[] | null;
}

/** A value read again; what a table does not print has a neutral default. */
export function reread(
  read: Pick<Reread, 'locator' | 'value' | 'country' | 'period'> & Partial<Reread>,
): Reread {
  const reason = read.value === null ? 'blank_in_source' : null;
  return { field: '', lower: null, upper: null, code: null, categories: null, unit: null, reason, ...read };
}

/** The key both sides share: a cell and, in an atlas, the field it fills. */
export function keyOf({ locator, field }: Pick<Statement, 'locator' | 'field'>): string {
  return field === '' ? locator : `${locator} ${field}`;
}

/** The records of a dataset as published. */
export type ReadRecords = (dataset: { name: string; kind: string; domain?: string }) => Promise<Json[]>;

/** Reads records from a folder with `data/<id>.ndjson`, or page by page from the API of a server. */
export function recordsOf(base: string): ReadRecords {
  if (!/^https?:/.test(base))
    return async ({ name }) => ndjson(readFileSync(join(base, 'data', `${name}.ndjson`), 'utf8'));
  const origin = base.replace(/\/$/, '');
  return async ({ name, kind, domain }) => {
    if (kind === 'atlas') return allPages(`${origin}/api/v1/atlas?limit=100&domain=${domain ?? ''}`);
    if (kind === 'entities') return allPages(`${origin}/api/v1/entities?limit=100`);
    // National series are not part of the market resource: their bulk file is where they are published.
    if (name === 'national-indicators') return ndjson(await textAt(`${origin}/data/${name}.ndjson`));
    return allPages(`${origin}/api/v1/market-observations?limit=500&dataset=${name}`);
  };
}

/** An observation as one claim, an atlas record as one claim per field. */
export function claimsOf(record: Json, fields: Field[]): Claim[] {
  const [meta, data] = [object(record['meta']), object(record['data'])];
  if (fields.length === 0)
    return [
      {
        source: text(record['sourceId']),
        locator: text(record['sourceLocator']),
        field: '',
        code: text(record['geoCode']),
        country: text(record['geoName']),
        period: text(record['period']),
        category: text(record['category']),
        unit: text(record['unit']),
        value: number(record['value']),
        lower: number(record['lower']),
        upper: number(record['upper']),
        status: text(record['status']),
        reason: text(record['unavailableReason']) || null,
      },
    ];
  return fields.map(({ path }) => {
    const value = number(path.split('.').reduce<unknown>((at, part) => object(at)[part], data));
    return {
      source: text(meta['source']),
      locator: text(meta['locator']),
      field: path,
      code: text(data['iso3']),
      country: text(data['country']),
      period: String(data['year']),
      category: '',
      unit: '',
      value,
      lower: null,
      upper: null,
      status: value === null ? 'unavailable' : 'reported',
      reason: null,
    };
  });
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

async function allPages(first: string): Promise<Json[]> {
  const records: Json[] = [];
  let cursor = '';
  do {
    const url = cursor === '' ? first : `${first}&cursor=${encodeURIComponent(cursor)}`;
    const data = object(object(JSON.parse(await textAt(url)))['data']);
    if (data['status'] !== 'available') throw new Error(`${first}: status ${JSON.stringify(data['status'])}`);
    const list = data['observations'] ?? data['records'];
    if (!Array.isArray(list)) throw new Error(`${first}: a page without observations or records`);
    records.push(...list.map(object));
    cursor = text(object(data['page'])['next_cursor']);
  } while (cursor !== '');
  return records;
}

async function textAt(url: string): Promise<string> {
  // A server may close an idle connection while a file is being read: a GET is tried once more on a new one.
  const response = await fetch(url).catch(() => fetch(url));
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.text();
}

function ndjson(lines: string): Json[] {
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [object(JSON.parse(line))]));
}
