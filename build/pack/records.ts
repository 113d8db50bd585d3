/** Rows -> records in the fixed order of their kind, exactly as responses carry them. */
import type { JsonObject, JsonValue } from '../../shim/core/types.ts';
import { byAtlasOrder, byCodeUnits, byEntityOrder, byObservationOrder } from '../lib/dataset.ts';
import type {
  AtlasDescriptor,
  AtlasRow,
  EntitiesDescriptor,
  EntityRow,
  ObservationRow,
  ObservationsDescriptor,
  Source,
} from '../lib/dataset.ts';
import { isObject } from '../../shim/core/json.ts';
import { identifier } from '../lib/identity.ts';
import type { AtlasRecord, Entity, Observation } from '../../shim/core/records.ts';

/** The observations of a dataset in memory. Rows with the same key must be in source order; their records are ordered by id. */
export function observationsOf(
  descriptor: ObservationsDescriptor,
  rows: readonly ObservationRow[],
): Observation[] {
  return recordMaker(descriptor)(rows, identifier(descriptor.labelKeys)(rows));
}

/** Makes records from rows and their ids, in the fixed order: for a whole dataset, or for one indicator and place at a time. */
export function recordMaker({
  name,
  geographies,
  sources,
}: ObservationsDescriptor): (rows: readonly ObservationRow[], ids: readonly string[]) => Observation[] {
  const places = new Map(geographies.map((geography) => [geography.code, geography]));
  const editions = new Map(sources.map(({ id, dated }) => [id, dated]));
  return (rows, ids) =>
    inOrder(rows.map((row, position) => ({ row, id: ids[position] ?? '' }))).map(({ id, row }) => {
      const { indicatorId, geoCode } = row;
      const { name: geoName = geoCode, level: geoLevel = 'country' } = places.get(geoCode) ?? {};
      const edition = editions.get(row.sourceId) ?? '';
      // The rest of a row is in the order of the schema, as it was read.
      return Object.assign({ id, datasetId: name, edition, indicatorId, geoCode, geoName, geoLevel }, row);
    });
}

interface IdentifiedRow {
  row: ObservationRow;
  id: string;
}

/** Sorts rows, unless they are in the fixed order already. */
function inOrder(rows: IdentifiedRow[]): IdentifiedRow[] {
  const compare = (a: IdentifiedRow, b: IdentifiedRow): number =>
    byObservationOrder(a.row, b.row) || byCodeUnits(a.id, b.id);
  const isSorted = rows.every((one, at) => at === 0 || compare(rows[at - 1] ?? one, one) <= 0);
  return isSorted ? rows : rows.sort(compare);
}

/** The designations of a dataset: official fields only. */
export function entitiesOf({ sources: [source] }: EntitiesDescriptor, rows: readonly EntityRow[]): Entity[] {
  const meta: Entity['meta'] = {
    evidence_class: 'administrative_action',
    adjudication: false,
    source: source?.title ?? '',
    source_url: source?.url ?? '',
    downloaded_at: source?.retrievedAt ?? '',
  };
  return [...rows].sort(byEntityOrder).map((row) => ({ ...row, meta }));
}

/** The country-years of a dataset in the source's own fields, nulls listed by dotted path. */
export function atlasRecords(descriptor: AtlasDescriptor, rows: readonly AtlasRow[]): AtlasRecord[] {
  const sources = new Map(descriptor.sources.map((source) => [source.id, source]));
  return [...rows].sort(byAtlasOrder).map((row) => atlasRecord(descriptor, row, sources.get(row.source)));
}

function atlasRecord(descriptor: AtlasDescriptor, row: AtlasRow, source: Source | undefined): AtlasRecord {
  const fields: JsonObject = {};
  for (const { path } of descriptor.fields) place(fields, path.split('.'), row.values[path] ?? null);
  const native = collapsed(fields);
  const known = Object.values(row.values).some((value) => value !== null);
  const missing = pathsOfNulls(native);
  return {
    domain: descriptor.domain,
    meta: {
      availability: missing.length === 0 ? 'observed' : known ? 'partial' : 'unavailable',
      unavailable_fields: missing,
      source: row.source,
      source_url: source?.url ?? '',
      source_sha256: source?.sha256 ?? '',
      locator: row.locator,
      downloaded_at: source?.retrievedAt ?? '',
      rights: descriptor.rights,
      caveats: descriptor.caveats,
    },
    data: { iso3: row.iso3, country: row.country, year: row.year, ...native },
  };
}

function place(target: JsonObject, [name = '', ...rest]: string[], value: JsonValue): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const group = isObject(target[name]) ? target[name] : {};
  target[name] = group;
  place(group, rest, value);
}

/** A group whose every field is null is itself null: most country-years report a small part of a long breakdown. */
function collapsed(group: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(group).map(([name, value]) => {
      if (!isObject(value)) return [name, value];
      const inner = collapsed(value);
      return [name, Object.values(inner).every((part) => part === null) ? null : inner];
    }),
  );
}

function pathsOfNulls(group: JsonObject, prefix = ''): string[] {
  return Object.entries(group).flatMap(([name, value]) => {
    if (value === null) return [`${prefix}${name}`];
    return isObject(value) ? pathsOfNulls(value, `${prefix}${name}.`) : [];
  });
}
