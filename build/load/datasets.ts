/** Reads datasets/ back into memory: descriptors and rows with the line each stands on. What cannot be read is a finding. */
import { isUtf8 } from 'node:buffer';
import { readCsv, type CsvRecord } from '../lib/csv.ts';
import type {
  AtlasDescriptor,
  AtlasRow,
  Dataset,
  Descriptor,
  EntityRow,
  ObservationRow,
  Status,
  UnavailableReason,
  WrittenDescriptor,
} from '../lib/dataset.ts';
import type { BuildEffects } from '../lib/effects.ts';
import type { Finding } from '../lib/findings.ts';
import { headerFaults } from './columns.ts';
import { parseNumber } from './number.ts';

/** What records.csv prints, cell by cell. */
export interface PrintedTable {
  header: string[];
  records: CsvRecord[];
}

/** A dataset with where it came from: `lines[i]` is the line of `rows[i]` in records.csv. */
export type LoadedDataset = Dataset & { folder: string; lines: number[]; table: PrintedTable };

export interface LoadedDatasets {
  datasets: LoadedDataset[];
  findings: Finding[];
}

/** Folders of `datasets/` that are not datasets of records. */
const OTHER_FOLDERS = new Set(['newsroom', 'producerp']);

const KINDS = new Set<string>(['observations', 'atlas', 'entities']);

/** Loads every dataset folder, in the order of their ids. */
export function loadDatasets(
  root: string,
  { read, folders }: Pick<BuildEffects, 'read' | 'folders'>,
): LoadedDatasets {
  const datasets: LoadedDataset[] = [];
  const findings: Finding[] = [];
  for (const id of folders(root)) {
    if (OTHER_FOLDERS.has(id)) continue;
    const folder = `${root}/${id}`;
    const file = `${folder}/datapackage.json`;
    const text = read(file);
    const records = read(`${folder}/records.csv`);
    if (!text)
      findings.push({
        file,
        row: null,
        rule: 'descriptor-present',
        message: 'a dataset folder needs a datapackage.json',
      });
    if (!records)
      findings.push({
        file: `${folder}/records.csv`,
        row: null,
        rule: 'records-present',
        message: 'a dataset folder needs its records.csv',
      });
    if (!text || !records) continue;
    try {
      const descriptor = JSON.parse(decoded(text, 'datapackage.json')) as WrittenDescriptor;
      const loaded = loadOne(descriptor, records, `${folder}/records.csv`, findings);
      if (loaded) datasets.push({ ...loaded, folder });
    } catch (error) {
      findings.push({
        file,
        row: null,
        rule: 'readable',
        message: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return { datasets, findings };
}

/** The rows of one dataset; null, with findings, where the header or the rows themselves are missing. */
function loadOne(
  descriptor: Descriptor,
  records: Buffer,
  file: string,
  findings: Finding[],
): (Dataset & { lines: number[]; table: PrintedTable }) | null {
  if (!KINDS.has(descriptor.kind))
    throw new Error(
      `kind must be observations, atlas or entities, not ${JSON.stringify((descriptor as Descriptor).kind)}`,
    );
  decoded(records, 'records.csv');
  const [first, ...body] = readCsv(records);
  const header = first?.cells ?? [];
  const faults = headerFaults(header, descriptor);
  for (const message of faults) findings.push({ file, row: 1, rule: 'columns', message });
  if (body.length === 0)
    findings.push({
      file,
      row: null,
      rule: 'rows-present',
      message: 'there are no rows; missing evidence is never published as a dataset without records',
    });
  if (faults.length > 0 || body.length === 0) return null;
  const reader = rowReader(header, file, findings);
  const read = { lines: body.map(({ line }) => line), table: { header, records: body } };
  if (descriptor.kind === 'observations')
    return { ...read, descriptor, rows: body.map((record) => observation(reader(record))) };
  if (descriptor.kind === 'atlas')
    return { ...read, descriptor, rows: body.map((record) => country(descriptor, reader(record))) };
  return { ...read, descriptor, rows: body.map((record) => entity(reader(record))) };
}

/** The text of a file; bytes that are no UTF-8 are refused, not replaced. */
function decoded(bytes: Buffer, name: string): string {
  if (!isUtf8(bytes)) throw new Error(`${name} is not valid UTF-8`);
  return bytes.toString('utf8');
}

/** One row by column name; malformed numbers are findings and read as blank, which no tree is ever written from. */
interface Row {
  text(column: string): string;
  number(column: string): number | null;
}

function rowReader(header: string[], file: string, findings: Finding[]): (record: CsvRecord) => Row {
  const positions = new Map(header.map((name, position) => [name, position]));
  return ({ line, cells }) => {
    const text = (column: string): string => cells[positions.get(column) ?? -1] ?? '';
    const number = (column: string): number | null => {
      const cell = text(column);
      if (cell === '') return null;
      const value = parseNumber(cell);
      if (typeof value === 'number') return value;
      findings.push({
        file,
        row: line,
        rule: 'number',
        message: `column "${column}" ${value}, not ${JSON.stringify(cell)}`,
      });
      return null;
    };
    return { text, number };
  };
}

function observation(row: Row): ObservationRow {
  const reason = row.text('reason');
  return {
    indicator: row.text('indicator'),
    geo: row.text('geo'),
    category: row.text('category'),
    subgroup: row.text('subgroup'),
    period: row.text('period'),
    value: row.number('value'),
    lower: row.number('lower'),
    upper: row.number('upper'),
    unit: row.text('unit'),
    status: row.text('status') as Status,
    reason: reason === '' ? null : (reason as UnavailableReason),
    source: row.text('source'),
    locator: row.text('locator'),
  };
}

function country({ fields }: AtlasDescriptor, row: Row): AtlasRow {
  return {
    iso3: row.text('iso3'),
    country: row.text('country'),
    year: row.number('year') ?? 0,
    source: row.text('source'),
    locator: row.text('locator'),
    values: Object.fromEntries(fields.map(({ path }) => [path, row.number(path)])),
  };
}

function entity(row: Row): EntityRow {
  const list = (column: string): string[] =>
    row
      .text(column)
      .split('|')
      .filter((item) => item !== '');
  return {
    number: row.number('number') ?? 0,
    name: row.text('name'),
    type: row.text('type') as EntityRow['type'],
    programs: list('programs'),
    countries: list('countries'),
  };
}
