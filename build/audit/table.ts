/** Tables in a worksheet: a header row found by its words, and the rows below it. */
import { tidy } from './claim.ts';
import { columnLetters, type Cell, type Sheet } from './sheets.ts';

/** A row below a header, read by header words. */
export interface TableRow {
  row: number;
  cell: (word: string) => Cell | undefined;
  /** Text or number as printed, white space folded; empty for a blank cell. */
  text: (word: string) => string;
  place: (word: string) => string;
}

/** The rows below the first row that prints all these words; throws where no row does. */
export function tableRows(sheet: Sheet, words: string[]): TableRow[] {
  for (const [at, cells] of sheet.rows) {
    const columns = new Map([...cells].map(([column, cell]) => [tidy(cell.text ?? ''), column]));
    if (!words.every((word) => columns.has(word))) continue;
    const below = [...sheet.rows.keys()].filter((row) => row > at).sort((a, b) => a - b);
    return below.map((row) => {
      const cell = (word: string) => sheet.rows.get(row)?.get(columns.get(word) ?? 0);
      const place = (word: string) => `${sheet.name}!${columnLetters(columns.get(word) ?? 0)}${row}`;
      return { row, cell, place, text: (word) => printed(cell(word)) };
    });
  }
  throw new Error(`sheet ${sheet.name}: no row prints ${words.join(', ')}`);
}

/** What a cell prints, white space folded; empty where there is nothing. */
export function printed(cell: Cell | undefined): string {
  return tidy(cell?.text ?? String(cell?.number ?? cell?.error ?? ''));
}

/** The number of a cell, also one typed as text; null for anything else. */
export function numberOf(cell: Cell | undefined): number | null {
  const text = (cell?.text ?? '').trim();
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : (cell?.number ?? null);
}

/** True where a cell's formula leads into another workbook: `'[1]OVERALL'!O6`. */
export function isExternal(cell: Cell | undefined): boolean {
  return /\[\d+\]/.test(cell?.formula ?? '');
}

/** The year a header cell stands for: a year, a day as Excel counts them, or text beginning with a year; null otherwise. */
export function yearOf(cell: Cell | undefined): string | null {
  const number = numberOf(cell);
  if (number === null) return /^\d{4}(?!\d)/.exec(printed(cell))?.[0] ?? null;
  if (number >= 1900 && number <= 2200) return String(number);
  if (number < 30000 || number > 80000) return null;
  return String(new Date(Date.UTC(1899, 11, 30) + number * 86_400_000).getUTCFullYear());
}
