/** Designations -> pack: official fields only, in the order of folded names. */
import { encodeIndex } from '../../shim/core/index-file.ts';
import { fold } from '../../shim/core/entity-search.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { byCodeUnits, byEntityOrder, type EntitiesDescriptor, type EntityRow } from '../lib/dataset.ts';
import { valuesOf } from '../lib/fields.ts';
import type { Entity } from '../lib/records.ts';
import { countryCodes } from '../reference/geography.ts';
import { blockColumns, type Lines, packOf, type Packed } from './pack-file.ts';

const TYPES = valuesOf('entities', 'entity_type');

/** The pack of the designations dataset. */
export function packEntities(descriptor: EntitiesDescriptor, rows: EntityRow[], meta: JsonObject): Packed {
  const [source] = descriptor.sources;
  const ordered = [...rows].sort(byEntityOrder);
  const records = ordered.map((row): Entity => ({
    ...row,
    meta: {
      evidence_class: 'administrative_action',
      adjudication: false,
      source: source?.title ?? '',
      source_url: source?.url ?? '',
      downloaded_at: source?.retrievedAt ?? '',
    },
  }));
  return packOf(
    descriptor.name,
    'entities',
    records,
    (lines) => nameIndex(descriptor.programs, ordered, lines),
    meta,
  );
}

function nameIndex(programs: string[], rows: EntityRow[], lines: Lines): Uint8Array {
  const countries = [...new Set(rows.flatMap((row) => row.countries))].sort(byCodeUnits);
  const countryIds = new Map(countries.map((country, id) => [country, id]));
  const from = [0];
  for (const row of rows) from.push((from.at(-1) ?? 0) + row.countries.length);
  const header: JsonObject = {
    names: rows.map(({ name }) => fold(name)),
    types: [...TYPES],
    programs,
    countries: countries.map((country) => [country, ...countryCodes(country)]),
  };
  return encodeIndex(header, {
    type: Uint32Array.from(rows, ({ entity_type }) => TYPES.indexOf(entity_type)),
    programs: Uint32Array.from(rows, (row) =>
      row.programs.reduce((mask, program) => mask | (1 << programs.indexOf(program)), 0),
    ),
    countryFrom: Uint32Array.from(from),
    country: Uint32Array.from(
      rows.flatMap((row) => row.countries.map((country) => countryIds.get(country) ?? 0)),
    ),
    ...blockColumns(lines),
  });
}
