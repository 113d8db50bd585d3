/** Changes of the packs between two releases, record by record, each with its reason: whether the file of its source changed. */
import { isObject, memberAt } from '../../shim/core/json.ts';
import { datasetDocumentPath, PACK_MANIFEST } from '../../shim/core/paths.ts';
import type { JsonObject, JsonValue, PackManifest } from '../../shim/core/types.ts';
import type { DatasetDocument } from '../../shim/core/records.ts';

/** Why a record differs: its source came, went or has another file; or the same file is packaged differently. */
type ChangeReason = 'source_added' | 'source_removed' | 'source_edition' | 'packaging';

/** A record that came, went or changed. `source` is null where records name none (designations). */
interface RecordChange {
  id: string;
  reason: ChangeReason;
  source: string | null;
}

/** Changes of one pack. */
export interface PackDelta {
  dataset: string;
  path: string;
  added: (RecordChange & { record: JsonObject })[];
  /** `fields`: dotted paths of what differs. */
  changed: (RecordChange & { fields: string[]; record: JsonObject })[];
  removed: RecordChange[];
}

type Files = ReadonlyMap<string, Uint8Array>;
/** sha256 of every source file of a dataset by source id, in the older and in the newer release. */
type Editions = [from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>];

/** The changes of every pack that differs between the files of two releases. */
export function changedPacks(from: Files, to: Files): PackDelta[] {
  return [...new Map([...packsOf(from), ...packsOf(to)])]
    .filter(([path]) => Buffer.compare(from.get(path) ?? Buffer.of(), to.get(path) ?? Buffer.of()) !== 0)
    .map(([path, dataset]) => packDelta(dataset, path, from, to));
}

function packDelta(dataset: string, path: string, from: Files, to: Files): PackDelta {
  const before = recordsOf(path, from.get(path));
  const editions: Editions = [editionsOf(dataset, from), editionsOf(dataset, to)];
  const delta: PackDelta = { dataset, path, added: [], changed: [], removed: [] };
  const change = (id: string, was: JsonObject | null, is: JsonObject | null): RecordChange => ({
    id,
    ...reasonOf(was && sourceOf(was), is && sourceOf(is), editions),
  });
  for (const [id, record] of recordsOf(path, to.get(path))) {
    const old = before.get(id);
    before.delete(id);
    const fields = old ? differing(old, record) : [];
    if (!old) delta.added.push({ ...change(id, null, record), record });
    else if (fields.length > 0) delta.changed.push({ ...change(id, old, record), fields, record });
  }
  delta.removed = [...before].map(([id, record]) => change(id, record, null));
  return delta;
}

/** What a record is called in its dataset: observations have an id, designations a number, atlas records a domain, country and year. */
export function recordIdOf(record: JsonObject): string {
  const { id, sanctions_entity_number: number } = record;
  return String(
    id ?? number ?? ['domain', 'data.iso3', 'data.year'].map((name) => memberAt(record, name)).join('.'),
  );
}

function recordsOf(path: string, bytes: Uint8Array | undefined): Map<string, JsonObject> {
  const records = new Map<string, JsonObject>();
  const text = new TextDecoder().decode(bytes ?? new Uint8Array());
  for (const line of text === '' ? [] : text.replace(/\n$/, '').split('\n')) {
    const record = JSON.parse(line) as JsonObject;
    const id = recordIdOf(record);
    if (records.has(id)) throw new Error(`${path}: two records have the id ${id}`);
    records.set(id, record);
  }
  return records;
}

function sourceOf(record: JsonObject): string | null {
  const source =
    record['sourceId'] ??
    (record['sanctions_entity_number'] === undefined ? memberAt(record, 'meta.source') : null);
  return typeof source === 'string' ? source : null;
}

/** Records without a source of their own depend on all sources of their dataset. */
function reasonOf(
  was: string | null,
  is: string | null,
  [from, to]: Editions,
): Pick<RecordChange, 'reason' | 'source'> {
  const source = is ?? was;
  const edition = (known: Editions[number], id: string | null): string | undefined => {
    if (id !== null) return known.get(id);
    return known.size === 0 ? undefined : JSON.stringify([...known].sort());
  };
  const [old, fresh] = [edition(from, was ?? source), edition(to, is ?? source)];
  if (old === undefined) return { reason: 'source_added', source };
  if (fresh === undefined) return { reason: 'source_removed', source };
  return { reason: old === fresh ? 'packaging' : 'source_edition', source };
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

function packsOf(files: Files): [path: string, dataset: string][] {
  const manifest = documentOf(files, PACK_MANIFEST) as PackManifest | null;
  return manifest?.packs.map(({ path, id }) => [path, id]) ?? [];
}

/** Which file each source of a dataset was read from, as the dataset's document says. */
function editionsOf(dataset: string, files: Files): Editions[number] {
  const described = documentOf(files, datasetDocumentPath(dataset)) as DatasetDocument | null;
  return new Map(described?.sources.map(({ id, sha256 }) => [id, sha256]));
}

function documentOf(files: Files, path: string): unknown {
  const bytes = files.get(path);
  return bytes ? JSON.parse(new TextDecoder().decode(bytes)) : null;
}
