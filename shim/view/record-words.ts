/** What the pages of cells say of a cell in a few words, and what they are made from. */
import type { Cell, EditionOfCell, ReleaseFacts } from '../core/cell.ts';
import type { CiteBlock } from '../core/cite.ts';
import { recordAddress } from './address.ts';
import type { Site } from './frame.ts';
import { linkTo, type Child } from './node.ts';
import { labelOf, statusWords } from './words.ts';

/** What the page of a cell shows. */
export interface CellView {
  cell: Cell;
  /** Whether the address names the edition. */
  pinned: boolean;
  /** Every edition of the dataset, oldest first, the current one last. */
  editions: readonly EditionOfCell[];
  series: readonly Cell[];
  labels: readonly Cell[];
  release: ReleaseFacts | null;
  /** How the value must not be read. */
  limitations: readonly string[];
  cite: CiteBlock;
  /** Address of the API that gives the record, below the site root; null where no resource has it. */
  api: string | null;
  site: Site;
}

/** The forms of a cell next to its page: ending, media type and name. */
export const FORMS = [
  ['.json', 'application/json', 'JSON'],
  ['.bib', 'text/plain', 'BibTeX'],
  ['.ris', 'application/x-research-info-systems', 'RIS'],
  ['.csl.json', 'application/vnd.citationstyles.csl+json', 'CSL-JSON'],
  ['.txt', 'text/plain', 'Text'],
] as const;

/** Pages of cells are one folder below the root. */
export const ROOT = '../';

/** The place of a cell with its code, its period, and what it is of: its printed labels, or those of its indicator. */
export function placeOfCell(cell: Cell): { place: string; code: string; period: string; label: string } {
  if (cell.kind === 'observation') {
    const { geoName: place, geoCode: code, period } = cell.record;
    return { place, code, period, label: labelOf(cell.record) || indicatorLabel(cell) };
  }
  const { country: place, iso3: code, year } = cell.record.data;
  return { place, code, period: String(year), label: cell.document.title };
}

/** Whether the cell of another edition may be another row: one of the two editions has several rows of this key. */
export function mayBeOther({ rows }: EditionOfCell, { cell, editions }: CellView): boolean {
  const own = editions.find(({ pack }) => pack.id === cell.pack.id);
  return Math.max(rows, own?.rows ?? 0) > 1;
}

/** The label of a record's indicator. */
export function indicatorLabel({ document, record }: Extract<Cell, { kind: 'observation' }>): string {
  return document.indicators.find(({ id }) => id === record.indicatorId)?.label ?? record.indicatorId;
}

/** A cell's value as plain text. */
export function plainValue(cell: Cell): string {
  if (cell.kind === 'atlas') return `${cell.record.meta.availability} fields`;
  const { record } = cell;
  return record.value === null ? statusWords(record) : `${record.value} ${record.unit}, ${record.status}`;
}

/** A link to a cell in its edition. */
export function cellLink({ id, edition }: Cell, text: Child): Child {
  return linkTo(ROOT, recordAddress(id, edition), text);
}
