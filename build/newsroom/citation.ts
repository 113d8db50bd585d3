/** Citations: tokens with what the packaged records say, and everything a reader needs to check them. */
import type { JsonObject, JsonValue, PackEntry } from '../../shim/core/types.ts';
import type { DatasetDocument, DatasetSource } from '../lib/records.ts';
import { fieldOf, individualNames, isObject, placeOf, recordFinder, type FindRecord } from './records.ts';
import type { Token } from './story.ts';

/** A dataset as stories cite it. */
export interface CitedDataset {
  document: DatasetDocument;
  /** Path and hash of the packaged records. */
  path: string;
  sha256: string;
  find: FindRecord;
  /** Official names of the individuals among its records; none in other datasets. */
  individuals: () => string[];
}

/** A cell that a token names; `value` is null where it is unavailable. */
export interface Cell {
  dataset: CitedDataset;
  record: JsonObject;
  value: JsonValue;
  /** Unit of the record's amounts, as the source prints it; null where it has none. */
  unit: string | null;
  source: DatasetSource;
  locator: string;
  /** What the record belongs to: the market of its indicator, the domain of its atlas, or `designations`. */
  lane: string;
}

/** A token whose cell can be printed. */
export interface Citation extends Token {
  /** Position in the story's list, from 1: tokens of the same cell are one citation. */
  number: number;
  cell: Cell;
  value: string | number | boolean;
  /** The value as it is in the text: numbers exactly as JSON writes them. */
  printed: string;
  /** Null for what is not an amount. */
  unit: string | null;
  /** `reported`, `estimated`, ... as the record says; null where records of the dataset have no status. */
  status: string | null;
}

/** Why a token cannot be printed: nothing is there, or what is there is unavailable. */
export interface Unresolved {
  rule: 'unresolved-token' | 'unavailable-as-value';
  message: string;
}

/** The datasets of some packs, by id. */
export function citedDatasets(
  documents: readonly DatasetDocument[],
  packs: readonly { entry: PackEntry; records: Buffer }[],
): Map<string, CitedDataset> {
  const datasets = new Map<string, CitedDataset>();
  for (const { entry, records } of packs) {
    const { kind, id, path, sha256 } = entry;
    const document = documents.find((known) => known.id === id);
    if (!document) continue;
    const individuals = (): string[] => (kind === 'entities' ? individualNames(records) : []);
    datasets.set(id, { document, path, sha256, find: recordFinder(kind, id, records), individuals });
  }
  return datasets;
}

/** The cell a token names. */
export function cellOf(token: Token, datasets: ReadonlyMap<string, CitedDataset>): Cell | Unresolved {
  const dataset = datasets.get(token.dataset);
  if (!dataset)
    return unresolved(
      token,
      `unknown dataset "${token.dataset}"; the datasets are ${[...datasets.keys()].join(', ')}`,
    );
  const record = dataset.find(token.recordId);
  if (!record) return unresolved(token, `dataset ${token.dataset} has no record "${token.recordId}"`);
  const value = fieldOf(record, token.field);
  if (value === undefined) return unresolved(token, `the record has no field "${token.field}"`);
  const { sources, unit: atlasUnit = null } = dataset.document;
  const { sourceId, locator } = placeOf(record);
  const source = sources.find(({ id }) => id === sourceId) ?? sources[0];
  if (!source) return unresolved(token, `dataset ${token.dataset} names no source`);
  const unit = typeof record['unit'] === 'string' ? record['unit'] : atlasUnit;
  return { dataset, record, value, unit, source, locator, lane: laneOf(record, dataset.document) };
}

/** A token as citation `number` of its story. */
export function citationOf(
  token: Token,
  number: number,
  datasets: ReadonlyMap<string, CitedDataset>,
): Citation | Unresolved {
  const cell = cellOf(token, datasets);
  if ('rule' in cell) return cell;
  const { record, value } = cell;
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
  const isAmount = typeof value === 'number' && AMOUNT.test(token.field);
  const { availability = null } = isObject(record['meta']) ? record['meta'] : {};
  return {
    ...token,
    number,
    cell,
    value,
    printed: String(value),
    unit: isAmount ? cell.unit : null,
    status: textOrNull(record['status']) ?? textOrNull(availability),
  };
}

/** Fields that have the unit of their record. */
const AMOUNT = /^(?:value|lower|upper|data\.(?!year$).+)$/;

function laneOf(record: JsonObject, { kind, domain, indicators }: DatasetDocument): string {
  if (kind === 'entities') return 'designations';
  return domain ?? indicators.find(({ id }) => id === record['indicatorId'])?.market ?? 'unknown';
}

function unresolved(token: Token, message: string): Unresolved {
  return { rule: 'unresolved-token', message: `${token.raw} cannot be resolved: ${message}` };
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
