/** A published dossier as its check reads it. */
import type { JsonObject, JsonValue } from '../../shim/core/types.ts';

/** The parts of a dossier that a check reads. */
export interface Dossier {
  passages: { place: string; template: string; text: string; citations: number[] }[];
  citations: Cell[];
  charts: { title: string; points: Cell[] }[];
  records: { dataset: string; recordId: string; record: JsonObject }[];
  title: string;
  summary: string;
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
  lower?: number | null;
  upper?: number | null;
}

/** Takes a finding about a published file. */
export type Report = (file: string, message: string) => void;

/** The token a cell was cited by. */
export function tokenOf({ dataset, recordId, field }: Cell): string {
  return `{{${dataset}:${recordId}#${field}}}`;
}

/** How findings name a cell. */
export function nameOf(cell: Cell): string {
  return `${cell.number === undefined ? 'bar' : `citation ${cell.number}`} ${cell.dataset}:${cell.recordId}#${cell.field}`;
}
