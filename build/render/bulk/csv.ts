/**
 * A table as CSV: RFC 4180 (comma, CRLF, quotes doubled), UTF-8 without a byte order mark, one header line.
 * A spreadsheet must never run a cell as a formula, and every text must come back as it was: see `guarded`.
 */
import { csvText } from '../../lib/csv.ts';
import type { Cell, Table } from './table.ts';

/** Joins the items of a list cell. */
export const LIST_SEPARATOR = '|';

/** What a spreadsheet may take for a formula, also behind apostrophes we could have written. */
const FORMULA = /^'*[=+\-@\t\r\n]/;

/** The bytes of the CSV file. Throws when a list item holds the separator. */
export function csvBytes({ columns, cells, rows }: Table): Buffer {
  const records = [columns.map(({ name }) => name)];
  for (let row = 0; row < rows; row += 1) records.push(cells.map((column) => field(column[row] ?? null)));
  return Buffer.from(csvText(records, '\r\n'), 'utf8');
}

/**
 * Text as it is written in a CSV cell: one apostrophe before anything that begins like a formula. To read it back, take one
 * apostrophe off every text that begins with apostrophes and then one of = + - @ TAB CR LF; other texts are as they are.
 */
export function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function field(cell: Cell): string {
  if (cell === null) return '';
  // Table Schema writes the exponent of a number with an upper-case E.
  if (typeof cell === 'number') return String(cell).replace('e', 'E');
  if (typeof cell === 'boolean') return String(cell);
  return guarded(typeof cell === 'string' ? cell : joined(cell));
}

function joined(items: readonly string[]): string {
  const bad = items.find((item) => item === '' || item.includes(LIST_SEPARATOR));
  if (bad !== undefined) throw new Error(`the list item ${JSON.stringify(bad)} cannot be in a CSV list`);
  return items.join(LIST_SEPARATOR);
}
