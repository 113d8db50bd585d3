/** A record of records.csv as a row of its dataset. */
import { columnsOf, type Column } from '../../shim/core/fields.ts';
import type { CsvRecord } from '../lib/csv.ts';
import type { AtlasRow, Descriptor, EntityRow, ObservationRow } from '../lib/dataset.ts';

/** A row of any kind of dataset. */
export type Row = ObservationRow | AtlasRow | EntityRow;

/**
 * Reads the row of a record. `fault` is called with the line and what is wrong with a number. Texts are taken as printed;
 * build/check decides which of them a dataset may hold.
 */
export function rowReader(
  descriptor: Descriptor,
  header: readonly string[],
  fault: (line: number, message: string) => void,
): (record: CsvRecord) => Row {
  const columns = columnsOf(descriptor).map((column) => {
    // Rows with the same text share one string in memory, which is parsed once.
    return { column, position: header.indexOf(column.name), known: new Map<string, Cell>() };
  });
  const paths = descriptor.kind === 'atlas' ? descriptor.fields.map(({ path }) => path) : null;
  return ({ line, cells }) => {
    const row: Record<string, unknown> = {};
    for (const { column, position, known } of columns) {
      const text = cells[position] ?? '';
      let cell = known.get(text);
      if (cell === undefined) {
        let isFault = false;
        cell = readCell(text, column, (message) => {
          isFault = true;
          fault(line, message);
        });
        if (!isFault && column.type !== 'list' && known.size < MOST_KNOWN) known.set(text, cell);
      }
      row[column.name] = cell;
    }
    // The border: the row has this type, because columns and type come from one schema.
    if (!paths) return row as unknown as Row;
    const { iso3, country, year, source, locator } = row;
    const values = Object.fromEntries(paths.map((path) => [path, row[path]]));
    return { iso3, country, year, source, locator, values } as AtlasRow;
  };
}

type Cell = string | number | string[] | null;

/** Most texts of a column that are remembered: enough for all labels, not for all numbers and locators. */
const MOST_KNOWN = 5000;

function readCell(cell: string, { name, type, nullable }: Column, fault: (message: string) => void): Cell {
  if (type === 'list') return cell.split('|').filter((item) => item !== '');
  if (type === 'string') return cell === '' && nullable ? null : cell;
  const value = cell === '' ? null : parseNumber(cell);
  if (typeof value === 'string') fault(`column "${name}" ${value}, not ${JSON.stringify(cell)}`);
  return typeof value === 'number' ? value : nullable ? null : 0;
}

const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?$/;

/**
 * The number in a cell, or what is wrong with it. A number that a double cannot hold, so that JSON would print another, is
 * refused rather than rounded. A blank cell is not a number.
 */
export function parseNumber(cell: string): number | string {
  if (!NUMBER.test(cell)) return 'must be a number or blank';
  const value = Number(cell);
  if (String(value) === cell && Number.isSafeInteger(Math.trunc(value))) return value;
  if (!Number.isFinite(value)) return 'must not exceed the range of numbers';
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return 'must be a number without loss, at most 9007199254740991';
  if (normalized(JSON.stringify(value)) !== normalized(cell))
    return `must be a number without loss; it would be published as ${JSON.stringify(value)}`;
  return value;
}

/** Sign, significant digits and power of ten of a decimal: equal for equal numbers, however they are written. */
function normalized(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return `${sign}0`;
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
