/** Atlas datasets -> packs: a country-year record in the source's own fields, nulls listed by dotted path. */
import type { JsonObject, JsonValue } from '../../shim/core/types.ts';
import { byAtlasOrder, type AtlasDescriptor, type AtlasRow, type Source } from '../lib/dataset.ts';
import type { AtlasRecord } from '../lib/records.ts';
import { seriesIndex, packOf, type Packed } from './pack-file.ts';

/** The rows of a dataset as atlas records in the fixed order (iso3, year). */
export function atlasRecords(descriptor: AtlasDescriptor, rows: AtlasRow[]): AtlasRecord[] {
  const sources = new Map(descriptor.sources.map((source) => [source.id, source]));
  return [...rows].sort(byAtlasOrder).map((row) => atlasRecord(descriptor, row, sources.get(row.source)));
}

/** One dataset's pack. */
export function packAtlas(descriptor: AtlasDescriptor, records: AtlasRecord[], meta: JsonObject): Packed {
  const rows = records.map(({ data }) => ({ dims: [String(data['iso3'])], period: String(data['year']) }));
  return packOf(descriptor.name, 'atlas', records, (lines) => seriesIndex(['iso3'], rows, lines), {
    domain: descriptor.domain,
    ...meta,
  });
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
  const group = isGroup(target[name]) ? target[name] : {};
  target[name] = group;
  place(group, rest, value);
}

/** A group whose every field is null is itself null: most country-years report a small part of a long breakdown. */
function collapsed(group: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(group).map(([name, value]) => {
      if (!isGroup(value)) return [name, value];
      const inner = collapsed(value);
      return [name, Object.values(inner).every((part) => part === null) ? null : inner];
    }),
  );
}

function pathsOfNulls(group: JsonObject, prefix = ''): string[] {
  return Object.entries(group).flatMap(([name, value]) => {
    if (value === null) return [`${prefix}${name}`];
    return isGroup(value) ? pathsOfNulls(value, `${prefix}${name}.`) : [];
  });
}

function isGroup(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
