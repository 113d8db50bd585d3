/** One cell of a raw file, and how its content is read. What is not understood is refused, naming file, cell and expectation. */
import { foldSpace } from '../lib/text.ts';
import { Refusal, shown } from './importer.ts';

/** A cell of a worksheet or of a CSV file. */
export interface Cell {
  file: string;
  /** Its locator: `Sheet name!H3`, or `row 17`. */
  place: string;
  /** The row of the sheet or the line of the file, from 1. */
  row: number;
  /** Null when blank. */
  value: string | number | boolean | null;
  /** Text of the formula without `=`. */
  formula: string | null;
  /** Excel number format. */
  format: string | null;
}

/** Throws the Refusal of a cell. */
export function refuse(
  cell: Pick<Cell, 'file' | 'place' | 'value'>,
  expected: string,
  found?: string,
): never {
  throw new Refusal(cell.file, cell.place, expected, found ?? shown(cell.value));
}

/** Text with white space folded, empty when blank; a number that stands for text is written out. */
export function textOf(cell: Cell): string {
  if (typeof cell.value === 'boolean') return refuse(cell, 'text');
  return foldSpace(String(cell.value ?? ''));
}

/** The same, refused when blank. */
export function neededText(cell: Cell, expected = 'text'): string {
  return textOf(cell) || refuse(cell, expected);
}

/** The text of a cell that may say nothing else than these. */
export function oneOf(cell: Cell, accepted: readonly string[], what = ''): string {
  const text = textOf(cell);
  if (accepted.includes(text)) return text;
  return refuse(cell, `${what} ${accepted.map((word) => `"${word}"`).join(', ')}`.trim());
}

/** `YYYY` of a number or text from 1900 to 2200; null for anything else. */
export function yearIn({ value }: Pick<Cell, 'value'>): string | null {
  const text = String(value ?? '').trim();
  return /^\d{4}$/.test(text) && Number(text) >= 1900 && Number(text) <= 2200 ? text : null;
}

/** `YYYY`, refused when the cell holds anything else. */
export function yearOf(cell: Cell): string {
  return yearIn(cell) ?? refuse(cell, 'a year from 1900 to 2200');
}

/** Which numbers a cell may hold. */
export interface Bounds {
  min?: number;
  max?: number;
  /** True for a number printed as text, as every number of a CSV file is. */
  inText?: boolean;
  /** True where no formula may stand for the number; a link to another workbook never may. */
  isTyped?: boolean;
}

/** A number of zero or more, or within `bounds`; null when blank. `expected` says in words what it is. */
export function numberOf(cell: Cell, expected: string, bounds: Bounds = {}): number | null {
  const { min = 0, max = Infinity, inText = false, isTyped = false } = bounds;
  const { value, formula } = cell;
  if (formula !== null && isTyped) return refuse(cell, 'a number, not a formula', shown(formula));
  if (formula?.includes('[')) return refuse(cell, 'a number', `a link to another workbook, =${formula}`);
  if (value === null) return null;
  const number = inText && isNumber(value) ? Number(value) : value;
  return typeof number === 'number' && number >= min && number <= max ? number : refuse(cell, expected);
}

/** True for a number printed as text: `12`, `-0.5`, `1.2E-5`. */
export function isNumber(value: Cell['value']): boolean {
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(value.trim());
}
