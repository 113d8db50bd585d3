/** Citations: tokens with what the packaged records say, and everything a reader needs to check them. */
import { placeOf } from '../../shim/core/cell.ts';
import { memberAt } from '../../shim/core/json.ts';
import { recordsOf } from '../../shim/core/envelope.ts';
import { selectSeries } from '../../shim/core/series.ts';
import type { JsonObject, JsonValue, MissingDataset, PackEntry, Release } from '../../shim/core/types.ts';
import type { DatasetDocument, DatasetSource } from '../../shim/core/records.ts';
import { recordIdOf } from '../release/record-delta.ts';
import { citedTokens, type Story, type Token, type Passage } from './story.ts';

/** A dataset as stories cite it. */
export interface CitedDataset {
  document: DatasetDocument;
  path: string;
  sha256: string;
  /** All packaged records by record id, which the gate needs of lists of designations. */
  records: () => ReadonlyMap<string, JsonObject>;
  /** A single record; undefined where there is none with this id. */
  record(id: string): JsonObject | undefined;
}

/** A pack and the bytes of all its records, which are read on access. */
export interface CitedPack {
  entry: PackEntry;
  readonly records: Buffer;
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

/** A token whose cell can be printed; all but `raw` and `cell` are published as they are here, in this order. */
export interface Citation extends Token {
  /** Position in the story's list, from 1: tokens of the same cell are one citation. */
  number: number;
  value: string | number | boolean;
  /** The value as it is in the text: numbers exactly as JSON writes them. */
  printed: string;
  /** The unit of an amount; null for any other value. */
  unit: string | null;
  /** `reported`, `estimated`, ... as the record says; null where records of the dataset have no status. */
  status: string | null;
  cell: Cell;
}

/** Why a token cannot be printed: nothing is there, or what is there is unavailable. */
interface Unresolved {
  rule: 'unresolved-token' | 'unavailable-as-value';
  message: string;
}

/** A story that is not in the release; `reason` is a sentence. */
export interface MissingStory {
  id: string;
  reason: string;
}

/** Splits stories by whether they cite or draw a dataset that was left out of the release. */
export function citable(
  stories: readonly Story[],
  leftOut: readonly MissingDataset[],
): { kept: Story[]; missing: MissingStory[] } {
  const kept: Story[] = [];
  const missing: MissingStory[] = [];
  for (const story of stories) {
    const cited = new Set(citedTokens(story).map(({ token }) => token.dataset));
    const [first] = leftOut.filter(({ id }) => cited.has(id));
    if (first) missing.push({ id: story.name, reason: `It cites dataset ${first.id}. ${first.reason}` });
    else kept.push(story);
  }
  return { kept, missing };
}

/**
 * The datasets of some packs: each edition as `<dataset>@<edition>`, the current one as `<dataset>` too. Where their release is open,
 * single observations are found in it without reading all.
 */
export function citedDatasets(
  documents: ReadonlyMap<string, DatasetDocument>,
  packs: readonly CitedPack[],
  release: Release | null,
): Map<string, CitedDataset> {
  const datasets = new Map<string, CitedDataset>();
  for (const pack of packs) {
    const { id, kind, edition, path, sha256 } = pack.entry;
    const document = documents.get(id);
    if (!document) continue;
    let parsed: Map<string, JsonObject> | undefined;
    const records = (): Map<string, JsonObject> => (parsed ??= recordsById(document.id, pack.records));
    const isObserved = kind === 'observations' || kind === 'context';
    const record: CitedDataset['record'] = (key) =>
      release && isObserved ? observationIn(release, id, key) : records().get(key);
    const dataset = { document, path, sha256, records, record };
    datasets.set(id, dataset).set(`${document.id}@${edition}`, dataset);
  }
  return datasets;
}

/** An observation by its id, looked for only among those of the same indicator, place and period. */
function observationIn(release: Release, pack: string, id: string): JsonObject | undefined {
  const { indicator, geo, period } = placeOf(id, release.manifest()) ?? {};
  if (!indicator || geo === undefined) return undefined;
  const open = release.pack(pack);
  const { rows } = selectSeries(open, { equal: { indicator, geo }, from: period, to: period });
  const found = rows(0, Infinity).flatMap(([from, to]) => recordsOf(open.copy(from, to)) as JsonObject[]);
  return found.find((record) => record['id'] === id);
}

function recordsById(dataset: string, bytes: Buffer): Map<string, JsonObject> {
  const lines = bytes.toString('utf8').split('\n').filter(Boolean);
  const records = lines.map((line) => JSON.parse(line) as JsonObject);
  // Designations are numbered: alone, a number would not say of which list.
  const nameOf = (record: JsonObject): string =>
    `${record['sanctions_entity_number'] === undefined ? '' : `${dataset}.`}${recordIdOf(record)}`;
  return new Map(records.map((record) => [nameOf(record), record]));
}

/** The text at a dotted path of a record; null where it is not text. */
export function textAt(record: JsonObject, path: string): string | null {
  const value = memberAt(record, path);
  return typeof value === 'string' ? value : null;
}

/** The key of a token's dataset among those cited: with its edition where the token names one. */
export function datasetNamed({ dataset, recordId }: Token): string {
  const [, edition] = recordId.split('@');
  return edition === undefined ? dataset : `${dataset}@${edition}`;
}

/** The cell a token names. */
export function cellOf(token: Token, datasets: ReadonlyMap<string, CitedDataset>): Cell | Unresolved {
  const [key = ''] = token.recordId.split('@');
  const named = datasetNamed(token);
  const dataset = datasets.get(named);
  if (!dataset)
    return unresolved(token, `unknown dataset "${named}"; there are ${[...datasets.keys()].join(', ')}`);
  const record = dataset.record(key);
  if (!record) return unresolved(token, `dataset ${named} has no record "${key}"`);
  const value = memberAt(record, token.field);
  if (value === undefined) return unresolved(token, `the record has no field "${token.field}"`);
  const { kind, domain, indicators, sources, unit: atlasUnit = null } = dataset.document;
  // Entities name no source and no locator: they are in their dataset's first source.
  const sourceId = textAt(record, 'sourceId') ?? textAt(record, 'meta.source');
  const source = sources.find(({ id }) => id === sourceId) ?? sources[0];
  if (!source) return unresolved(token, `dataset ${token.dataset} names no source`);
  const market = indicators.find(({ id }) => id === record['indicatorId'])?.market;
  return {
    dataset,
    record,
    value,
    unit: textAt(record, 'unit') ?? atlasUnit,
    source,
    locator:
      textAt(record, 'sourceLocator') ??
      textAt(record, 'meta.locator') ??
      `entity number ${String(record['sanctions_entity_number'])}`,
    lane: kind === 'entities' ? 'designations' : (domain ?? market ?? 'unknown'),
  };
}

/** A token as citation `number` of its story. */
export function citationOf(token: Token, number: number, cell: Cell | Unresolved): Citation | Unresolved {
  if ('rule' in cell) return cell;
  const { record, value } = cell;
  if (value === null) {
    const reason = textAt(record, 'unavailableReason');
    return {
      rule: 'unavailable-as-value',
      message: `${token.raw} is unavailable in the record${reason === null ? '' : ` (${reason})`} and cannot be printed as a value; cite #status, #unavailableReason or #meta.availability`,
    };
  }
  if (typeof value === 'object')
    return unresolved(token, `field "${token.field}" holds several values; name one`);
  if (value === '') return unresolved(token, `field "${token.field}" is empty in the record`);
  return {
    number,
    ...token,
    value,
    printed: String(value),
    unit: typeof value === 'number' && AMOUNT.test(token.field) ? cell.unit : null,
    status: textAt(record, 'status') ?? textAt(record, 'meta.availability'),
    cell,
  };
}

/** Fields that have the unit of their record. */
const AMOUNT = /^(?:value|lower|upper|data\.(?!year$).+)$/;

function unresolved({ raw }: Token, message: string): Unresolved {
  return { rule: 'unresolved-token', message: `${raw} cannot be resolved: ${message}` };
}

/** A story that may be printed, with what its tokens stand for. */
export interface CheckedStory extends Story {
  /** Every existing cell that the story prints or draws, by token. */
  cells: ReadonlyMap<string, Cell>;
  /** The citations of its text, by token, in the order of their numbers. */
  citations: ReadonlyMap<string, Citation>;
  /** The lanes that its words speak of, each with the word and its passage. */
  spoken: { lane: string; word: string; at: Passage }[];
  changes: Change[];
}

/** A cited cell that changed since the story was last reviewed. The former value is for the editor, never for print. */
export interface Change {
  place: string;
  line: number;
  token: Token;
  reviewed: string;
  now: string;
}

/** Takes a finding about a passage, or about a line that is in none. */
export type ReportAt = (at: Passage | number, rule: string, message: string) => void;
