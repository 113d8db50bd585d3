/** The cell a locator leads to, straight from the raw file, and whether it supports the published value. */
import type { Claim, Field } from './published.ts';
import type { Cell, Line, Sheet } from './raw.ts';
import { heading, isExternal, numberOf, printed } from './table.ts';

/** The raw file of a source, opened, and what is needed to find a cell in it. */
export interface Opened {
  sheets: Sheet[];
  lines: Line[];
  fields: Field[];
  /** Header word of the value's column in a CSV of one value per line. */
  valueColumn: string;
}

/** The cells a claim's locator leads to (several where an atlas field is printed more than once); throws where it leads nowhere. */
export function cellsAt({ locator, field }: Claim, { sheets, lines, fields, valueColumn }: Opened): Cell[] {
  const [, number, column] = /^row (\d+)(?: column (.+))?$/.exec(locator) ?? [];
  if (number !== undefined) {
    const word = column ?? valueColumn;
    const line = lines.find((one) => one.line === Number(number));
    const header = lines.find(({ cells }) => cells.includes(word));
    if (!line || !header) throw new Error(`no line ${number} under a column ${JSON.stringify(word)}`);
    const value = (line.cells[header.cells.indexOf(word)] ?? '').trim();
    return [{ value: value || null, formula: null, isError: false }];
  }
  const at = locator.lastIndexOf('!');
  const sheet = sheets.find(({ name }) => name === locator.slice(0, at));
  if (at < 0 || !sheet) throw new Error('no such sheet');
  const label = fields.find(({ path }) => path === field)?.label;
  return addresses(locator.slice(at + 1))
    .filter(({ row, column: own }) => label === undefined || isLabelled(sheet, row, own, label))
    .map(({ row, column: own }) => sheet.cell(row, own));
}

/** Null where the cells support the claim, else what they hold instead. */
export function contradiction(claim: Claim, cells: Cell[]): string | null {
  const numbers = new Set(cells.map(numberOf));
  const isBlank = cells.every((cell) => printed(cell) === '');
  const shown = cells.map((cell) => printed(cell) || 'blank').join(' and ') || 'no cell';
  if (claim.value !== null) {
    const isSame = numbers.size === 1 && numbers.has(claim.value) && !cells.some(isExternal);
    return isSame ? null : `the cell holds ${shown}, published ${claim.value}`;
  }
  const reason = claim.reason ?? '';
  const supports: Record<string, boolean> = {
    blank_in_source: isBlank,
    no_point_value_in_source: isBlank && (claim.lower !== null || claim.upper !== null),
    placeholder_in_source: !isBlank && (numbers.has(0) || numbers.has(null)),
    broken_formula_in_source: cells.some((cell) => isExternal(cell) || cell.isError),
    conflicting_source_rows: !isBlank,
    suppressed_by_source: !isBlank && numbers.has(null),
    // An atlas field has no reason: nothing is printed for it, or what is printed disagrees with itself.
    '': isBlank || numbers.size > 1,
  };
  if (supports[reason] === true) return null;
  return `the cell holds ${shown}, published as unavailable (${reason || 'no reason'})`;
}

/** Every cell of `H3`, `D115:AG115` or `L2056:L2057,L2059`. */
function addresses(ranges: string): { row: number; column: number }[] {
  return ranges.split(',').flatMap((range) => {
    const found = /^([A-Z]+)(\d+)(?::([A-Z]+)(\d+))?$/.exec(range);
    if (!found) throw new Error(`${JSON.stringify(range)} is not a cell`);
    const [, left = '', top = '', right = left, bottom = top] = found;
    const list: { row: number; column: number }[] = [];
    for (let row = Number(top); row <= Number(bottom); row += 1)
      for (let column = columnNumber(left); column <= columnNumber(right); column += 1)
        list.push({ row, column });
    return list;
  });
}

/** `Indicator: Category` is printed in two cells of the row; any other label is the heading of the column. */
function isLabelled(sheet: Sheet, row: number, column: number, label: string): boolean {
  if (!label.includes(': ')) return heading(printed(sheet.cell(1, column))) === heading(label);
  const words = [...(sheet.rows.get(row)?.values() ?? [])].map(printed);
  return words.some((word, at) => words.slice(at + 1).some((later) => `${word}: ${later}` === label));
}

function columnNumber(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}
