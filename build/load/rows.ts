/**
 * Cells of records.csv -> rows. A published number is the file's number: what a double cannot hold, so that JSON would
 * print another (underflow, overflow, digits lost), is refused rather than rounded.
 */
import type { CsvRecord } from '../lib/csv.ts';
import type { AtlasRow, Dataset, Descriptor, EntityRow, ObservationRow } from '../lib/dataset.ts';
import { columnsOf, type Column } from '../lib/fields.ts';

/** What is wrong with a header: a column that is missing, unknown or duplicated. Empty when it is as expected. */
export function headerFaults(header: readonly string[], descriptor: Descriptor): string[] {
  const expected = new Set(columnsOf(descriptor).map(({ name }) => name));
  const found = new Set(header);
  const twice = new Set(header.filter((name, position) => header.indexOf(name) !== position));
  return [
    ...[...expected].filter((name) => !found.has(name)).map((name) => `column "${name}" is missing`),
    ...[...found]
      .filter((name) => !expected.has(name))
      .map((name) => `column ${JSON.stringify(name)} is unknown in a dataset of kind ${descriptor.kind}`),
    ...[...twice].map((name) => `column "${name}" is duplicated`),
  ];
}

/**
 * The dataset of these records. `fault` takes the line and what is wrong with a number; texts are as printed, and check
 * says which of them a dataset may hold.
 */
export function readRows(
  descriptor: Descriptor,
  header: readonly string[],
  records: readonly CsvRecord[],
  fault: (line: number, message: string) => void,
): Dataset {
  const columns = columnsOf(descriptor).map((column) => ({ column, position: header.indexOf(column.name) }));
  const rows = records.map(({ line, cells }) => {
    const row: Record<string, unknown> = {};
    for (const { column, position } of columns)
      row[column.name] = readCell(cells[position] ?? '', column, (message) => fault(line, message));
    return row;
  });
  // The border: what the columns say of a row is what its type says, because both come from one schema.
  const { kind } = descriptor;
  if (kind === 'observations') return { kind, descriptor, rows: rows as unknown as ObservationRow[] };
  if (kind === 'entities') return { kind, descriptor, rows: rows as unknown as EntityRow[] };
  const paths = descriptor.fields.map(({ path }) => path);
  return {
    kind,
    descriptor,
    rows: rows.map((row) => {
      const values = Object.fromEntries(paths.map((path) => [path, row[path]]));
      const { iso3, country, year, source, locator } = row;
      return { iso3, country, year, source, locator, values } as AtlasRow;
    }),
  };
}

function readCell(
  cell: string,
  { name, type, nullable }: Column,
  fault: (message: string) => void,
): string | number | string[] | null {
  if (type === 'list') return cell.split('|').filter((item) => item !== '');
  if (type === 'string') return cell === '' && nullable ? null : cell;
  const value = cell === '' ? null : parseNumber(cell);
  if (typeof value === 'string') fault(`column "${name}" ${value}, not ${JSON.stringify(cell)}`);
  return typeof value === 'number' ? value : nullable ? null : 0;
}

const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?$/;

/** The number a cell holds, or what is wrong with it. A blank cell is not a number. */
export function parseNumber(cell: string): number | string {
  if (!NUMBER.test(cell)) return 'must be a number or blank';
  const value = Number(cell);
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
