/**
 * Reads datasets/ back into memory: descriptors and rows with the line of each. What cannot be read is a finding. A published
 * number is the file's number: what a double cannot hold, so that JSON would print another (underflow, overflow, digits lost),
 * is refused rather than rounded.
 */
import { isUtf8 } from 'node:buffer';
import { ACCEPTED, readAccepted, type AcceptedNames } from '../lib/accepted-names.ts';
import { readCsv, type CsvRecord } from '../lib/csv.ts';
import {
  byEdition,
  type AtlasRow,
  type Dataset,
  type Descriptor,
  type EntityRow,
  type ObservationRow,
  type Written,
} from '../lib/dataset.ts';
import { columnsOf, type Column } from '../../shim/core/fields.ts';
import { descriptorFinding, rowFinding, type Finding } from '../lib/findings.ts';
import type { BuildEffects } from '../lib/tree.ts';
import { readVocabulary, VOCABULARY, type ListedTerm } from '../lib/vocabulary.ts';

/** A dataset with where it came from: `lines[i]` is the line of `rows[i]` in records.csv. */
export type LoadedDataset = Dataset &
  ReviewedLists & { descriptor: Written; folder: string; lines: number[] };

/** The reviewed lists of a dataset, shared by its editions. */
interface ReviewedLists {
  /** The labels it may hold. */
  vocabulary: ListedTerm[];
  /** The names that were accepted although a rule doubts them; empty but for designations. */
  accepted: AcceptedNames;
}

/** Folders of `datasets/` that are not datasets of records. */
const OTHER_FOLDERS = new Set(['newsroom', 'producerp']);

const KINDS = new Set<unknown>(['observations', 'atlas', 'entities']);

/** Loads every edition of every dataset, in the order of ids and editions. */
export function loadDatasets(
  root: string,
  { read, folders }: Pick<BuildEffects, 'read' | 'folders'>,
): { datasets: LoadedDataset[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const datasets = folders(root)
    .filter((id) => !OTHER_FOLDERS.has(id))
    .flatMap((id) => {
      const editions = folders(`${root}/${id}`).sort(byEdition);
      if (editions.length === 0)
        findings.push({
          file: `${root}/${id}`,
          row: null,
          rule: 'edition-present',
          message: 'a dataset needs a folder for each edition, named by its date: 2025-06 or 2025-05-12',
        });
      const lists = {
        vocabulary: loadList(`${root}/${id}/${VOCABULARY}`, readVocabulary, [], read, findings),
        accepted: loadList(`${root}/${id}/${ACCEPTED}`, readAccepted, new Map(), read, findings),
      };
      return editions.flatMap(
        (edition) => loadFolder(`${root}/${id}/${edition}`, lists, read, findings) ?? [],
      );
    });
  return { datasets, findings };
}

/** One edition of a dataset; null, with findings, where it cannot be read. */
function loadFolder(
  folder: string,
  lists: ReviewedLists,
  read: BuildEffects['read'],
  findings: Finding[],
): LoadedDataset | null {
  const add = (row: number | null, rule: string, message: string): void => {
    findings.push(rowFinding({ folder }, row, rule, message));
  };
  const descriptorBytes = read(`${folder}/datapackage.json`);
  const recordBytes = read(`${folder}/records.csv`);
  const noDescriptor = 'the folder of an edition needs a datapackage.json';
  if (!descriptorBytes) findings.push(descriptorFinding({ folder }, 'descriptor-present', noDescriptor));
  if (!recordBytes) add(null, 'records-present', 'the folder of an edition needs its records.csv');
  if (!descriptorBytes || !recordBytes) return null;
  const table = readTable(recordBytes, (line, message) => add(line, 'readable', message));
  try {
    const descriptor = JSON.parse(decoded(descriptorBytes, 'datapackage.json')) as Descriptor & Written;
    const kind: unknown = descriptor.kind;
    if (!KINDS.has(kind))
      throw new Error(`kind must be observations, atlas or entities, not ${JSON.stringify(kind)}`);
    if (table === null) return null;
    const [first, ...records] = table;
    const header = first?.cells ?? [];
    const faults = headerFaults(header, descriptor);
    for (const message of faults) add(1, 'columns', message);
    const noRows = 'there are no rows; missing evidence is never published as a dataset without records';
    if (records.length === 0) add(null, 'rows-present', noRows);
    if (faults.length > 0 || records.length === 0) return null;
    const dataset = readRows(descriptor, header, records, (line, message) => add(line, 'number', message));
    const lines = records.map(({ line }) => line);
    return { ...dataset, ...lists, folder, lines } as LoadedDataset;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    findings.push(descriptorFinding({ folder }, 'readable', message));
    return null;
  }
}

/** The lines of records.csv; null, with its line where the reader knows it, when it cannot be read. */
function readTable(
  bytes: Uint8Array,
  fault: (line: number | null, message: string) => void,
): CsvRecord[] | null {
  try {
    decoded(bytes, 'records.csv');
    return readCsv(bytes);
  } catch (error) {
    const { message, lines = null } = error as Error & { lines?: number };
    fault(lines, message);
    return null;
  }
}

/** A reviewed list next to the records; `none`, with a finding, where it cannot be read. */
function loadList<List>(
  file: string,
  parse: (bytes: Buffer | null) => List,
  none: List,
  read: BuildEffects['read'],
  findings: Finding[],
): List {
  const bytes = read(file);
  try {
    if (bytes) decoded(bytes, file.slice(file.lastIndexOf('/') + 1));
    return parse(bytes);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    findings.push({ file, row: null, rule: 'list-readable', message });
    return none;
  }
}

/** The text of a file; bytes that are not UTF-8 are refused, not replaced. */
function decoded(bytes: Uint8Array, name: string): string {
  if (!isUtf8(bytes)) throw new Error(`${name} is not valid UTF-8`);
  return Buffer.from(bytes).toString('utf8');
}

/** What is wrong with a header: a column that is missing, unknown or duplicated. Empty when it is as expected. */
export function headerFaults(header: readonly string[], descriptor: Descriptor): string[] {
  const expected = [...new Set(columnsOf(descriptor).map(({ name }) => name))];
  const found = [...new Set(header)];
  const { kind } = descriptor;
  return [
    ...expected.filter((name) => !found.includes(name)).map((name) => `column "${name}" is missing`),
    ...found
      .filter((name) => !expected.includes(name))
      .map((name) => `column ${JSON.stringify(name)} is unknown in a dataset of kind ${kind}`),
    ...found
      .filter((name) => header.indexOf(name) !== header.lastIndexOf(name))
      .map((name) => `column "${name}" is duplicated`),
  ];
}

/**
 * The dataset of these records. `fault` takes the line and what is wrong with a number; texts are as printed, and check
 * says which of them a dataset may hold.
 */
function readRows(
  descriptor: Descriptor,
  header: readonly string[],
  records: readonly CsvRecord[],
  fault: (line: number, message: string) => void,
): Dataset {
  const columns = columnsOf(descriptor).map((column) => {
    // A text of many rows is one text in memory, and its cell is read once.
    return { column, position: header.indexOf(column.name), known: new Map<string, Cell>() };
  });
  const rows = records.map(({ line, cells }) => {
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

type Cell = string | number | string[] | null;

/** Texts of a column that are remembered: all labels, and not all numbers and locators. */
const MOST_KNOWN = 5000;

function readCell(cell: string, { name, type, nullable }: Column, fault: (message: string) => void): Cell {
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
