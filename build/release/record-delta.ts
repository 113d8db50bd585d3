/** Changes of a pack, record by record, each with its reason: read from which source's file stands behind it. */
import { CATALOG, PACK_MANIFEST } from '../../shim/core/paths.ts';
import type { JsonObject, JsonValue } from '../../shim/core/types.ts';
import type { ChangeReason, PackDelta, RecordChange } from './delta.ts';

/** sha256 of every source file, by dataset and source id. */
export type Editions = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The lines of a pack, and the editions of its release; no bytes where the release lacks the pack. */
export interface PackSide {
  bytes: Uint8Array | undefined;
  editions: Editions;
}

/** Which file each source was read from, as the catalog and the pack manifest of a release say. */
export function editionsOf(files: ReadonlyMap<string, Uint8Array>): Editions {
  const editions = new Map<string, Map<string, string>>();
  const collect = (path: string, list: string): void => {
    const bytes = files.get(path);
    if (!bytes) return;
    const document = JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
    const rows = document[list];
    for (const row of Array.isArray(rows) ? rows : []) {
      const id = memberOf(row, 'id');
      if (typeof id !== 'string') continue;
      const known = editions.get(id) ?? new Map<string, string>();
      editions.set(id, known);
      addSources(row, known);
    }
  };
  collect(CATALOG, 'datasets');
  collect(PACK_MANIFEST, 'packs');
  return editions;
}

/** What changed between two states of a pack. Throws an Error when a record would not survive being written as JSON. */
export function packDelta(dataset: string, path: string, from: PackSide, to: PackSide): PackDelta {
  const before = recordsOf(path, from.bytes);
  const lineOf = new Map(before.map(({ id }, line) => [id, line]));
  const delta: PackDelta = { dataset, path, added: [], changed: [], removed: [], order: [] };
  const seen = new Set<string>();
  const reason = (was: JsonObject | null, is: JsonObject | null): Pick<RecordChange, 'reason' | 'source'> =>
    reasonOf(dataset, was && sourceOf(was), is && sourceOf(is), from.editions, to.editions);
  for (const { id, text, record } of recordsOf(path, to.bytes)) {
    if (JSON.stringify(record) !== text)
      throw new Error(`${path}: record ${id} is not in the form the build writes`);
    seen.add(id);
    const line = lineOf.get(id);
    const old = line === undefined ? undefined : before[line];
    if (line === undefined || !old) {
      delta.added.push({ id, ...reason(null, record), record });
      append(delta.order, '+');
    } else if (old.text === text) {
      copyLine(delta.order, line);
    } else {
      delta.changed.push({
        id,
        ...reason(old.record, record),
        fields: differing(old.record, record),
        record,
      });
      append(delta.order, '~');
    }
  }
  for (const { id, record } of before) if (!seen.has(id)) delta.removed.push({ id, ...reason(record, null) });
  return delta;
}

/** The new pack from the old one. Throws an Error when the delta does not fit it. */
export function applyPackDelta(
  { path, order, added, changed }: PackDelta,
  old: Uint8Array | undefined,
): Buffer {
  const lines = linesOf(old);
  const queues = { '+': added.map(({ record }) => record), '~': changed.map(({ record }) => record) };
  const taken = { '+': 0, '~': 0 };
  const pieces = order.flatMap((step): Uint8Array[] => {
    if (step[0] === '=') {
      const [, from, count] = step;
      if (from + count > lines.length) throw new Error(`${path}: the delta copies lines that are not there`);
      return lines.slice(from, from + count).map((line) => Buffer.from(`${line}\n`, 'utf8'));
    }
    const [kind, count] = step;
    const records = queues[kind].slice(taken[kind], taken[kind] + count);
    taken[kind] += count;
    if (records.length < count) throw new Error(`${path}: the delta lacks records that it places`);
    return records.map((record) => Buffer.from(`${JSON.stringify(record)}\n`, 'utf8'));
  });
  return Buffer.concat(pieces);
}

interface Line {
  id: string;
  text: string;
  record: JsonObject;
}

/** Observations carry an id, atlas records are one a country and year, designations one a number. */
function recordsOf(path: string, bytes: Uint8Array | undefined): Line[] {
  const ids = new Set<string>();
  return linesOf(bytes).map((text) => {
    const record = JSON.parse(text) as JsonObject;
    const data = record['data'] ?? null;
    const id = String(
      record['id'] ??
        record['sanctions_entity_number'] ??
        ['domain', 'iso3', 'year'].map((name) => memberOf(record, name) ?? memberOf(data, name)).join('.'),
    );
    if (ids.has(id)) throw new Error(`${path}: two records are called ${id}`);
    ids.add(id);
    return { id, text, record };
  });
}

function linesOf(bytes: Uint8Array | undefined): string[] {
  const text = new TextDecoder().decode(bytes ?? new Uint8Array());
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function sourceOf(record: JsonObject): string | null {
  const source =
    record['sourceId'] ??
    (record['sanctions_entity_number'] === undefined ? memberOf(record['meta'] ?? null, 'source') : null);
  return typeof source === 'string' ? source : null;
}

/** Records without a source of their own stand on all sources of their dataset. */
function reasonOf(
  dataset: string,
  was: string | null,
  is: string | null,
  from: Editions,
  to: Editions,
): Pick<RecordChange, 'reason' | 'source'> {
  const source = is ?? was;
  const edition = (editions: Editions, id: string | null): string | undefined => {
    const known = editions.get(dataset);
    if (id !== null) return known?.get(id);
    return (
      known &&
      [...known]
        .map((pair) => pair.join(' '))
        .sort()
        .join('\n')
    );
  };
  const [old, fresh] = [edition(from, was ?? source), edition(to, is ?? source)];
  const reason: ChangeReason =
    old === undefined
      ? 'source_added'
      : fresh === undefined
        ? 'source_removed'
        : old === fresh
          ? 'packaging'
          : 'source_edition';
  return { reason, source };
}

function differing(was: JsonValue, is: JsonValue, prefix = ''): string[] {
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  if (!isObject(was) || !isObject(is)) return [prefix];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const inner = names.flatMap((name) =>
    differing(was[name] ?? null, is[name] ?? null, prefix === '' ? name : `${prefix}.${name}`),
  );
  return inner.length > 0 ? inner : [prefix];
}

function append(order: PackDelta['order'], kind: '+' | '~'): void {
  const last = order.at(-1);
  if (last && last[0] === kind) last[1] += 1;
  else order.push([kind, 1]);
}

function copyLine(order: PackDelta['order'], line: number): void {
  const last = order.at(-1);
  if (last && last[0] === '=' && last[1] + last[2] === line) last[2] += 1;
  else order.push(['=', line, 1]);
}

function addSources(value: JsonValue, known: Map<string, string>): void {
  if (Array.isArray(value)) for (const item of value) addSources(item, known);
  if (!isObject(value)) return;
  const [id, sha256] = [value['id'], value['sha256']];
  if (typeof id === 'string' && typeof sha256 === 'string' && 'retrievedAt' in value) known.set(id, sha256);
  for (const item of Object.values(value)) addSources(item, known);
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  return isObject(value) ? value[name] : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
