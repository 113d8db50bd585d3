/** The scores of the atlas as figures draw them: one field of a country and year is one value. */
import type { AtlasRecord, DatasetDocument } from '../../core/records.ts';
import { atlasRecordId } from '../address.ts';
import type { MapRecord } from './geography.ts';

/** One field of a country and year. The atlas gives no reason for a field without a value. */
export interface AtlasScore extends MapRecord {
  year: number;
  /** Path of the field: `markets.cocaine_trade`. */
  field: string;
  label: string;
}

/** The scores of one field in all records given, in their order. */
export function scoresOf(
  records: readonly AtlasRecord[],
  field: DatasetDocument['fields'][number],
  { id, edition, unit = '' }: Pick<DatasetDocument, 'id' | 'edition' | 'unit'>,
): AtlasScore[] {
  return records.map(({ data }) => {
    const value = valueAt(data, field.path);
    return {
      id: atlasRecordId(id, data.iso3, data.year),
      edition,
      geoCode: data.iso3,
      geoName: data.country,
      period: String(data.year),
      year: data.year,
      field: field.path,
      label: field.label,
      value,
      lower: null,
      upper: null,
      unit,
      status: value === null ? 'unavailable' : 'reported',
      unavailableReason: null,
    };
  });
}

/** What a record has at a path; null where it is not a number, so also where a part above it is unavailable. */
function valueAt(data: AtlasRecord['data'], path: string): number | null {
  let part: unknown = data;
  for (const name of path.split('.')) part = isObject(part) ? part[name] : null;
  return typeof part === 'number' ? part : null;
}

function isObject(part: unknown): part is Record<string, unknown> {
  return typeof part === 'object' && part !== null;
}
