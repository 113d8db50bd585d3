/** Tables in a worksheet or a CSV file: a header row found by its words, and the rows below it read by those words. */
import type { Cell, Line, Sheet } from './raw.ts';

/** A row below a header. A word the header lacks reads as a blank cell. */
export interface Row {
  /** The row of the sheet, or the line of the file. */
  number: number;
  /** The words of the header. */
  words: string[];
  cell: (word: string) => Cell;
  /** Text or number as printed, white space folded; empty for a blank cell. */
  text: (word: string) => string;
  /** The locator of a cell: `Sheet name!H3`, or `row 17`. */
  place: (word: string) => string;
}

/** The rows below the first row of a sheet that prints all these words; throws where no row does. */
export function sheetRows(sheet: Sheet, words: string[]): Row[] {
  for (const [header, cells] of sheet.rows) {
    const columns = new Map([...cells].map(([column, cell]) => [printed(cell), column]));
    if (!words.every((word) => columns.has(word))) continue;
    const below = [...sheet.rows.keys()].filter((row) => row > header);
    return below.map((number) => {
      const cell = (word: string): Cell => sheet.cell(number, columns.get(word) ?? 0);
      return {
        number,
        words: [...columns.keys()],
        cell,
        text: (word) => printed(cell(word)),
        place: (word) => sheet.place(number, columns.get(word) ?? 0),
      };
    });
  }
  throw new Error(`sheet ${sheet.name}: no row prints ${words.join(', ')}`);
}

/** The records below the first record of a CSV file that has all these words; throws where none has. */
export function csvRows(lines: Line[], words: string[]): Row[] {
  const at = lines.findIndex(({ cells }) => words.every((word) => cells.includes(word)));
  const header = lines[at]?.cells;
  if (!header) throw new Error(`no line with the header words ${words.join(', ')}`);
  return lines.slice(at + 1).map(({ line, cells }) => {
    const text = (word: string): string => (cells[header.indexOf(word)] ?? '').trim();
    const cell = (word: string): Cell => ({ value: text(word) || null, formula: null, isError: false });
    return { number: line, words: header, cell, text, place: () => `row ${line}` };
  });
}

/** What a cell prints, white space folded; empty where there is nothing. */
export function printed(cell: Cell): string {
  return tidy(String(cell.value ?? ''));
}

/** The number of a cell, also one typed as text; null for anything else. */
export function numberOf({ value }: Cell): number | null {
  if (typeof value !== 'string') return value;
  return /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(value.trim()) ? Number(value) : null;
}

/** True where a cell's formula leads into another workbook: `'[1]OVERALL'!O6`. */
export function isExternal({ formula }: Cell): boolean {
  return /\[\d+\]/.test(formula ?? '');
}

/** The year of a cell: a year, a day as Excel counts them, or text beginning with a year; null otherwise. */
export function yearOf(cell: Cell): string | null {
  const number = numberOf(cell);
  if (number === null) return /^\d{4}(?!\d)/.exec(printed(cell))?.[0] ?? null;
  if (number >= 1900 && number <= 2200) return String(number);
  if (number < 30_000 || number > 80_000) return null;
  return String(new Date(Date.UTC(1899, 11, 30) + number * 86_400_000).getUTCFullYear());
}

/** Text with white space folded, as printed otherwise. */
export function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Words alone, in lower case, without accents and punctuation. */
export function fold(text: string): string {
  const words = text.normalize('NFKD').replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  return words.trim().toLowerCase();
}

/** The words of a score's heading, which editions print with and without "avg". */
export function heading(text: string): string {
  return fold(text).replace(/ avg$/, '');
}
