/**
 * Finds a table's header row by its words, never by position: editions move columns and add title rows.
 * A missing or repeated column is a Refusal that names the sheet, the row and the word.
 */
import { Refusal, shown } from './refusal.ts';
import { foldSpace } from '../lib/text.ts';
import { type Sheet } from './workbook.ts';

/** A column to find: its key in the result and the spellings that mean it (compared folded, case-insensitive). */
export type Columns<K extends string> = Record<K, readonly string[]>;

export interface Header<K extends string> {
  row: number;
  /** Column number (from 1) of each key found. */
  column: Record<K, number>;
}

/** Looks in the first `within` rows for the first row holding every required column. `optional` keys may be absent (column 0). */
export function findHeader<K extends string>(
  file: string,
  sheet: Sheet,
  columns: Columns<K>,
  options: { within?: number; optional?: readonly K[] } = {},
): Header<K> {
  const keys = Object.keys(columns) as K[];
  const needed = keys.filter((key) => !(options.optional ?? []).includes(key));
  const last = Math.min(sheet.lastRow, sheet.firstRow + (options.within ?? 30));
  let best: { row: number; missing: K[] } | null = null;
  for (let row = sheet.firstRow; row <= last; row += 1) {
    const column = columnsIn(file, sheet, row, columns, keys);
    const missing = needed.filter((key) => column[key] === 0);
    if (missing.length === 0) return { row, column };
    if (!best || missing.length < best.missing.length) best = { row, missing };
  }
  const missing = best?.missing ?? needed;
  throw new Refusal(
    file,
    `${sheet.name}!${best?.row ?? sheet.firstRow}:${best?.row ?? sheet.firstRow}`,
    `a header row with ${missing.map((key) => `"${columns[key][0] ?? key}"`).join(', ')}`,
    'no such column',
  );
}

function columnsIn<K extends string>(
  file: string,
  sheet: Sheet,
  row: number,
  columns: Columns<K>,
  keys: K[],
): Record<K, number> {
  const found = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
  for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1) {
    const { value, address } = sheet.cell(row, column);
    if (typeof value !== 'string') continue;
    const word = foldSpace(value).toLowerCase();
    const key = keys.find((candidate) =>
      columns[candidate].some((spelling) => foldSpace(spelling).toLowerCase() === word),
    );
    if (!key) continue;
    if (found[key] !== 0)
      throw new Refusal(
        file,
        `${sheet.name}!${address}`,
        `one column "${columns[key][0] ?? key}"`,
        `a second one, ${shown(value)}`,
      );
    found[key] = column;
  }
  return found;
}
