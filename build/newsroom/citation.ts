/** Citations: tokens with what the packaged records say, and everything a reader needs to check them. */
import type { JsonObject, JsonValue, PackEntry } from '../../shim/core/types.ts';
import type { Descriptor, Source } from '../lib/dataset.ts';
import {
  fieldOf,
  individualNames,
  isObject,
  placeOf,
  printed,
  recordFinder,
  type FindRecord,
} from './records.ts';
import type { Token } from './story.ts';

/** A dataset as stories cite it. */
export interface CitedDataset {
  entry: PackEntry;
  descriptor: Descriptor;
  find: FindRecord;
  /** Official names of the individuals among its records; none where records are no designations. */
  individuals: () => string[];
}

/** A token resolved. */
export interface Citation extends Token {
  /** Position in the story's list, from 1: tokens of the same cell are one citation. */
  number: number;
  value: string | number | boolean;
  /** The value as it stands in the text. */
  printed: string;
  /** Unit as the source prints it, for numbers that have one. */
  unit: string | null;
  /** `reported`, `estimated`, ... as the record says; null where records of the dataset have no status. */
  status: string | null;
  locator: string;
  source: Source;
  /** What the cell belongs to: `drugs`, `organized_crime`, `designations`, ... (see lanes.ts). */
  lane: string;
  datasetTitle: string;
  datasetPath: string;
  datasetSha256: string;
  record: JsonObject;
}

/** Why a token cannot be printed: nothing is there, or what is there is unavailable. */
export interface Unresolved {
  rule: 'unresolved-token' | 'unavailable-as-value';
  message: string;
}

/** The datasets of a build, by id. */
export function citedDatasets(
  descriptors: Descriptor[],
  packs: { entry: PackEntry; records: Buffer }[],
): Map<string, CitedDataset> {
  const byId = new Map(descriptors.map((descriptor) => [descriptor.name, descriptor]));
  return new Map(
    packs.flatMap(({ entry, records }): [string, CitedDataset][] => {
      const descriptor = byId.get(entry.id);
      return descriptor
        ? [
            [
              entry.id,
              {
                entry,
                descriptor,
                find: recordFinder(entry.kind, entry.id, records),
                individuals: () => (entry.kind === 'entities' ? individualNames(records) : []),
              },
            ],
          ]
        : [];
    }),
  );
}

/** The record and member a token names; `value` is null where the cell is unavailable. */
export function cellOf(
  token: Token,
  datasets: Map<string, CitedDataset>,
): { dataset: CitedDataset; record: JsonObject; value: JsonValue } | Unresolved {
  const dataset = datasets.get(token.dataset);
  if (!dataset)
    return unresolved(
      token,
      `there is no dataset "${token.dataset}"; there are ${[...datasets.keys()].join(', ')}`,
    );
  const record = dataset.find(token.recordId);
  if (!record) return unresolved(token, `dataset ${token.dataset} has no record "${token.recordId}"`);
  const value = fieldOf(record, token.field);
  if (value === undefined) return unresolved(token, `the record has no field "${token.field}"`);
  return { dataset, record, value };
}

/** A token as a citation. */
export function resolve(
  token: Token,
  number: number,
  datasets: Map<string, CitedDataset>,
): Citation | Unresolved {
  const cell = cellOf(token, datasets);
  if ('rule' in cell) return cell;
  const { dataset, record, value } = cell;
  if (value === null) {
    const reason = record['unavailableReason'];
    return {
      rule: 'unavailable-as-value',
      message: `${token.raw} is unavailable in the record${typeof reason === 'string' ? ` (${reason})` : ''} and cannot be printed as a value; cite #status, #unavailableReason or #meta.availability`,
    };
  }
  if (typeof value === 'object')
    return unresolved(token, `field "${token.field}" holds several values; name one`);
  if (value === '') return unresolved(token, `field "${token.field}" is empty in the record`);
  const { sourceId, locator } = placeOf(record);
  const { descriptor, entry } = dataset;
  const source = descriptor.sources.find(({ id }) => id === sourceId) ?? descriptor.sources[0];
  if (!source) return unresolved(token, `dataset ${token.dataset} names no source`);
  return {
    ...token,
    number,
    value,
    printed: printed(value),
    unit: typeof value === 'number' ? unitOf(token, record, descriptor) : null,
    status: typeof record['status'] === 'string' ? record['status'] : availabilityOf(record),
    locator,
    source,
    lane: laneOf(record, descriptor),
    datasetTitle: descriptor.title,
    datasetPath: entry.path,
    datasetSha256: entry.sha256,
    record,
  };
}

/** What a record belongs to: the market of its indicator, the domain of its atlas, or `designations`. */
export function laneOf(record: JsonObject, descriptor: Descriptor): string {
  if (descriptor.kind === 'entities') return 'designations';
  if (descriptor.kind === 'atlas') return descriptor.domain;
  return descriptor.indicators.find(({ id }) => id === record['indicatorId'])?.market ?? 'unknown';
}

function unresolved(token: Token, message: string): Unresolved {
  return { rule: 'unresolved-token', message: `${token.raw} resolves to nothing: ${message}` };
}

function unitOf({ field }: Token, record: JsonObject, descriptor: Descriptor): string | null {
  if (['value', 'lower', 'upper'].includes(field) && typeof record['unit'] === 'string')
    return record['unit'];
  return descriptor.kind === 'atlas' && field.startsWith('data.') && field !== 'data.year'
    ? descriptor.unit
    : null;
}

function availabilityOf(record: JsonObject): string | null {
  const meta = record['meta'];
  return isObject(meta) && typeof meta['availability'] === 'string' ? meta['availability'] : null;
}
