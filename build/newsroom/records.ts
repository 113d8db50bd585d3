/**
 * Cited records, looked up in the packaged bytes themselves: the build and the offline check of a mirror read the same lines.
 * A pack is never parsed as a whole unless its records have no id of their own (atlas).
 */
import type { JsonObject, JsonValue, PackEntry } from '../../shim/core/types.ts';

/** Finds a packaged record by its record id; null where there is none. */
export type FindRecord = (recordId: string) => JsonObject | null;

/** The finder over the NDJSON bytes of one pack. Throws a SyntaxError where a line is not JSON. */
export function recordFinder(kind: PackEntry['kind'], id: string, bytes: Buffer): FindRecord {
  if (kind === 'atlas') return atlasFinder(bytes);
  if (kind === 'entities') {
    const prefix = `${id}.`;
    return (recordId) => {
      const number = recordId.startsWith(prefix) ? recordId.slice(prefix.length) : '';
      return /^[1-9]\d*$/.test(number) ? lineStarting(bytes, `{"sanctions_entity_number":${number},`) : null;
    };
  }
  return (recordId) => lineStarting(bytes, `{"id":${JSON.stringify(recordId)},`);
}

/** The official names of the individuals in a pack of designations. */
export function individualNames(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject)
    .filter((record) => record['entity_type'] === 'individual')
    .map(({ name }) => String(name));
}

/** The record id of an atlas record. */
export function atlasRecordId({ domain, data }: JsonObject): string {
  const { iso3, year } = isObject(data) ? data : {};
  return `${String(domain)}.${String(iso3)}.${String(year)}`;
}

/** A member by dotted path; undefined where there is none. A group that is null makes all its members null. */
export function fieldOf(record: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = record;
  for (const name of path.split('.')) {
    if (value === null) return null;
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** The locator and source id a record names itself; entities name none and are in their dataset's first source. */
export function placeOf(record: JsonObject): { sourceId: string | null; locator: string } {
  const meta = isObject(record['meta']) ? record['meta'] : {};
  if (typeof record['sourceLocator'] === 'string')
    return { sourceId: String(record['sourceId']), locator: record['sourceLocator'] };
  if (typeof meta['locator'] === 'string')
    return { sourceId: String(meta['source']), locator: meta['locator'] };
  return { sourceId: null, locator: `entity number ${String(record['sanctions_entity_number'])}` };
}

/** Whether a JSON value is an object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function atlasFinder(bytes: Buffer): FindRecord {
  let records: Map<string, JsonObject> | null = null;
  return (recordId) => {
    records ??= new Map(
      bytes
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const record = JSON.parse(line) as JsonObject;
          return [atlasRecordId(record), record];
        }),
    );
    return records.get(recordId) ?? null;
  };
}

function lineStarting(bytes: Buffer, start: string): JsonObject | null {
  for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) {
    if (at > 0 && bytes[at - 1] !== 0x0a) continue;
    const end = bytes.indexOf(0x0a, at);
    return JSON.parse(bytes.subarray(at, end < 0 ? undefined : end).toString('utf8')) as JsonObject;
  }
  return null;
}
