/** The cell a locator leads to, straight from the raw file, and whether it bears out the published value. */
import type { Claim } from './claim.ts';
import type { RawFile } from './raw-files.ts';
import { heading, type Field } from './reread-atlas.ts';
import { columnLetters, columnNumber, type Cell, type Sheet } from './sheets.ts';
import { isExternal, numberOf, printed } from './table.ts';

/** The cells a claim's locator leads to (several where an atlas field is printed more than once); throws where it leads nowhere. */
export function cellsAt(
  claim: Claim,
  file: RawFile,
  fields: Field[],
  valueColumn: string | undefined,
): Cell[] {
  const [, line, column] = /^row (\d+)(?: column (.+))?$/.exec(claim.locator) ?? [];
  if (line !== undefined) return [lineCell(file, Number(line), column ?? valueColumn ?? '')];
  const at = claim.locator.lastIndexOf('!');
  const sheet = file.sheets().get(claim.locator.slice(0, at))?.();
  const cells = claim.locator.slice(at + 1);
  if (at < 0 || !sheet) throw new Error('no such sheet');
  if (claim.field === '') return [sheet.cells.get(addressOf(cells)) ?? emptyCell()];
  const label = fields.find(({ path }) => path === claim.field)?.label ?? '';
  return label.includes(': ') ? labelledCells(sheet, cells, label) : scoreCells(sheet, cells, label);
}

/** Null where the cells bear the claim out, else what they hold instead. */
export function contradiction(claim: Claim, cells: Cell[]): string | null {
  const numbers = new Set(cells.map(numberOf));
  const [cell] = cells;
  const shown = cells.map((one) => printed(one) || 'blank').join(' and ') || 'no cell';
  if (claim.value !== null) {
    const isSame = numbers.size === 1 && numbers.has(claim.value) && !cells.some(isExternal);
    return isSame ? null : `the cell holds ${shown}, published ${claim.value}`;
  }
  const isBlank = cells.every((one) => printed(one) === '');
  const borne: Record<string, boolean> = {
    blank_in_source: isBlank,
    no_point_value_in_source: isBlank && (claim.lower !== null || claim.upper !== null),
    placeholder_in_source: !isBlank && (numbers.has(0) || numbers.has(null)),
    broken_formula_in_source: isExternal(cell) || (cell?.error ?? null) !== null,
    conflicting_source_rows: !isBlank,
    suppressed_by_source: !isBlank && numbers.has(null),
    // An atlas field has no reason: nothing is printed for it, or what is printed disagrees with itself.
    '': isBlank || numbers.size > 1,
  };
  const reason = claim.reason ?? '';
  return borne[reason] === true
    ? null
    : `the cell holds ${shown}, published as unavailable (${reason || 'no reason'})`;
}

function lineCell(file: RawFile, number: number, word: string): Cell {
  const lines = file.lines();
  const line = lines.find(({ line: own }) => own === number);
  const header = lines.find(({ cells }) => cells.includes(word));
  if (!line || !header) throw new Error(`no line ${number} under a column ${JSON.stringify(word)}`);
  const column = header.cells.indexOf(word);
  const text = (line.cells[column] ?? '').trim();
  const number_ = text === '' || Number.isNaN(Number(text)) ? null : Number(text);
  return {
    ...emptyCell(),
    row: number,
    column: column + 1,
    number: number_,
    text: number_ === null ? text : null,
  };
}

// `L2056:L2057,L2059`: the rows of one country and year; indicator and category stand on the row of the cell.
function labelledCells(sheet: Sheet, ranges: string, label: string): Cell[] {
  return ranges.split(',').flatMap((range) => {
    const [from = '', to = from] = range.split(':');
    const letters = from.replace(/\d+$/, '');
    const found: Cell[] = [];
    for (let row = rowOf(from); row <= rowOf(to); row += 1) {
      const words = [...(sheet.rows.get(row)?.values() ?? [])].map(printed);
      const own = words.some((word, at) =>
        words.slice(at + 1).some((later) => `${word}: ${later}` === label),
      );
      const cell = sheet.cells.get(`${letters}${row}`);
      if (own && cell) found.push(cell);
    }
    return found;
  });
}

// `D115:AG115`: the scores of one row; the heading above a cell names its field.
function scoreCells(sheet: Sheet, range: string, label: string): Cell[] {
  const [from = '', to = from] = range.split(':');
  const cells: Cell[] = [];
  for (
    let column = columnNumber(from.replace(/\d+$/, ''));
    column <= columnNumber(to.replace(/\d+$/, ''));
    column += 1
  ) {
    const head = printed(sheet.rows.get(1)?.get(column));
    const cell = sheet.cells.get(`${columnLetters(column)}${rowOf(from)}`);
    if (cell && heading(head) === heading(label)) cells.push(cell);
  }
  return cells;
}

function addressOf(cell: string): string {
  if (!/^[A-Z]+\d+$/.test(cell)) throw new Error(`${JSON.stringify(cell)} is no cell`);
  return cell;
}

function rowOf(address: string): number {
  return Number(/\d+$/.exec(address)?.[0] ?? 0);
}

function emptyCell(): Cell {
  return { row: 0, column: 0, number: null, text: null, error: null, formula: null };
}
