/** A published dossier as its check reads it. */
import type { JsonObject, JsonValue } from '../../shim/core/types.ts';

/** The parts of a dossier that a check reads. */
export interface Dossier {
  passages: { place: string; template: string; text: string; citations: number[] }[];
  citations: Cell[];
  charts: { title: string; points: Cell[] }[];
  records: { dataset: string; recordId: string; record: JsonObject; cite: { csl: PublishedCsl } }[];
  limitations: { dataset: string; texts: string[] }[];
  changes: { place: string; dataset: string; recordId: string; field: string }[];
  corrections: { date: string }[];
  url: string;
  published: string;
  updated: string;
  title: string;
  summary: string;
}

/** What a check reads of a CSL-JSON item: what a citation itself does not repeat of its source. */
export interface PublishedCsl {
  title: string;
  issued: { 'date-parts': number[][] };
}

/** The parts of a brief that a check reads. */
export interface Brief {
  citations: Cell[];
  title: string;
  summary: string;
  paragraphs: { kind: 'paragraph' | 'synthesis'; text: string }[];
}

/** A citation or a bar: what both name of a cell. */
export interface Cell {
  dataset: string;
  recordId: string;
  field: string;
  value: JsonValue;
  datasetSha256: string;
  source: string;
  sourceSha256: string;
  locator: string;
  number?: number;
  printed?: string;
  publisher?: string;
  sourceUrl?: string;
  license: string;
  licenseUrl?: string | null;
  retrievedAt?: string;
  /** Of a bar. */
  label?: string;
  series?: string | null;
  lower?: number | null;
  upper?: number | null;
}

/** Takes a finding about a published file. */
export type Report = (file: string, message: string) => void;

/** The token a cell was cited by. */
export function tokenOf({ dataset, recordId, field }: Pick<Cell, 'dataset' | 'recordId' | 'field'>): string {
  return `{{${dataset}:${recordId}#${field}}}`;
}

/** How findings name a cell. */
export function nameOf(cell: Cell): string {
  return `${cell.number === undefined ? 'bar' : `citation ${cell.number}`} ${cell.dataset}:${cell.recordId}#${cell.field}`;
}
