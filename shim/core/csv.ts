/**
 * Writes CSV (RFC 4180) for packaged rows, bulk files and downloads of a query, with quotes only where they are needed. A missing
 * value is an empty cell, a list is joined with `|`, and the exponent of a number has an upper-case E, as Table Schema writes it.
 */

/** A cell: null only in nullable columns, a list of texts only in list columns. */
export type Cell = string | number | boolean | null | readonly string[];

/** Joins the items of a list cell. */
export const LIST_SEPARATOR = '|';

/** Text that a spreadsheet may run as a formula, also after apostrophes that `guarded` could have added. */
const FORMULA = /^'*[=+\-@\t\r\n]/;

/** Records as CSV text with a line end after each. */
export function csvText(records: readonly (readonly string[])[], lineEnd: '\n' | '\r\n' = '\n'): string {
  return records.map((cells) => `${cells.map(quoted).join(',')}${lineEnd}`).join('');
}

/**
 * Text that no spreadsheet runs as a formula: one apostrophe before anything that begins like a formula. To read it back, take one
 * apostrophe off every text that begins with apostrophes and then one of = + - @ TAB CR LF; other texts are as they are.
 */
export function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** A cell as text; `written` is applied to texts and joined lists. Throws when a list item holds the separator. */
export function csvCell(cell: Cell, written: (text: string) => string): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell).replace('e', 'E');
  if (typeof cell === 'boolean') return String(cell);
  return written(typeof cell === 'string' ? cell : listText(cell));
}

/** A list as one text. Throws when an item holds the separator. */
export function listText(items: readonly string[]): string {
  const bad = items.find((item) => item === '' || item.includes(LIST_SEPARATOR));
  if (bad !== undefined) throw new Error(`the list item ${JSON.stringify(bad)} cannot be in a CSV list`);
  return items.join(LIST_SEPARATOR);
}

/** A text as a CSV cell, in quotes only where they are needed. */
export function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? inQuotes(cell) : cell;
}

/** A text in quotes: readers that distinguish quoted cells do not take it for a number. */
export function inQuotes(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
