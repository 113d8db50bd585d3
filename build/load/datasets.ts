/** Reads datasets/ back, row by row: descriptors, and rows with the line of each. What cannot be read is a finding. */
import { isUtf8 } from 'node:buffer';
import { ACCEPTED, readAccepted, type AcceptedNames } from '../lib/accepted-names.ts';
import { NotPlain, plainRecords, readCsv, type CsvRecord } from '../lib/csv.ts';
import { byEdition, type Dataset, type Descriptor, type Written } from '../lib/dataset.ts';
import { columnsOf } from '../../shim/core/fields.ts';
import { isObject } from '../../shim/core/json.ts';
import type { JsonValue } from '../../shim/core/types.ts';
import { errorMessage, descriptorFinding, rowFinding, type Finding } from '../lib/findings.ts';
import type { BuildEffects } from '../lib/effects.ts';
import { rowReader, type Row } from './row.ts';
import { readVocabulary, VOCABULARY, type ListedTerm } from '../lib/vocabulary.ts';

/** A dataset in memory with where it came from: `lines[i]` is the line of `rows[i]` in records.csv. */
export type LoadedDataset = Dataset & FoundEdition & { descriptor: Written; lines: number[] };

/** The folder of an edition, and the reviewed lists of its dataset. */
export interface FoundEdition {
  folder: string;
  /** The labels it may hold. */
  vocabulary: ListedTerm[];
  /** The names that were accepted although a rule doubts them; only designations have any. */
  accepted: AcceptedNames;
}

/** Takes the rows of an edition one by one, in the order of its file. */
export interface RowTaker<Result> {
  row(row: Row, line: number): void;
  /** Called once after the last of `rows` rows. */
  finish(rows: number): Result;
}

/** Where datasets are read from; `pieces` is left out where files are small. */
export type Reading = Pick<BuildEffects, 'read' | 'folders'> & Partial<Pick<BuildEffects, 'pieces'>>;

/** Folders of `datasets/` that are not datasets of records. */
const OTHER_FOLDERS = new Set(['newsroom', 'producerp']);

const KINDS = ['observations', 'atlas', 'entities'];

/** The editions of each dataset, in the order of ids and editions, none of them read yet; findings by the id of the dataset. */
export function findEditions(
  root: string,
  { read, folders }: Reading,
): { id: string; editions: FoundEdition[]; findings: Finding[] }[] {
  return folders(root)
    .filter((id) => !OTHER_FOLDERS.has(id))
    .map((id) => {
      const folder = `${root}/${id}`;
      const all = folders(folder).sort(byEdition);
      const editions = all.filter((name) => !name.endsWith('.old'));
      const finding = (message: string): Finding => ({
        file: folder,
        row: null,
        rule: 'edition-present',
        message,
      });
      const setAside = all.flatMap((name) => (name.endsWith('.old') ? name.slice(0, -'.old'.length) : []));
      const findings = setAside
        .filter((name) => !all.includes(name))
        .map((name) => finding(`an import was interrupted: rename ${name}.old to ${name}, or import again`));
      if (all.length === 0)
        findings.push(
          finding('a dataset needs a folder for each edition, named by its date: 2025-06 or 2025-05-12'),
        );
      const lists = listsOf(folder, read, findings);
      return { id, findings, editions: editions.map((name) => ({ folder: `${folder}/${name}`, ...lists })) };
    });
}

/** The reviewed lists of a dataset, which its editions share. */
export function listsOf(
  folder: string,
  read: Reading['read'],
  findings: Finding[] = [],
): Omit<FoundEdition, 'folder'> {
  return {
    vocabulary: loadList(`${folder}/${VOCABULARY}`, readVocabulary, [], read, findings),
    accepted: loadList(`${folder}/${ACCEPTED}`, readAccepted, new Map(), read, findings),
  };
}

/** Loads every edition of every dataset into memory, in the order of ids and editions. */
export function loadDatasets(
  root: string,
  reading: Reading,
): { datasets: LoadedDataset[]; findings: Finding[] } {
  const all = findEditions(root, reading).map(({ editions, findings }) => {
    const read = editions.map((edition) => ({ edition, ...readEdition(edition.folder, reading, inMemory) }));
    const datasets = read.flatMap(({ edition, value }) => (value ? [{ ...value, ...edition }] : []));
    return { datasets, findings: [...findings, ...read.flatMap((one) => one.findings)] };
  });
  return {
    datasets: all.flatMap(({ datasets }) => datasets) as LoadedDataset[],
    findings: all.flatMap(({ findings }) => findings),
  };
}

function inMemory(descriptor: Descriptor): RowTaker<Dataset & { lines: number[] }> {
  const rows: Row[] = [];
  const lines: number[] = [];
  return {
    row(row, line) {
      rows.push(row);
      lines.push(line);
    },
    // The border: rows are of the kind that their descriptor says.
    finish: () => ({ kind: descriptor.kind, descriptor, rows, lines }) as Dataset & { lines: number[] },
  };
}

/** The descriptor of an edition; null, with what is wrong, where it cannot be read. */
export function readDescriptor(
  folder: string,
  { read }: Pick<Reading, 'read'>,
): { descriptor: (Descriptor & Written) | null; findings: Finding[] } {
  const refused = (rule: string, message: string) => ({
    descriptor: null,
    findings: [descriptorFinding({ folder }, rule, message)],
  });
  const bytes = read(`${folder}/datapackage.json`);
  if (!bytes) return refused('descriptor-present', 'the folder of an edition needs a datapackage.json');
  try {
    const found = JSON.parse(decoded(bytes, 'datapackage.json')) as JsonValue;
    if (!isObject(found)) throw new Error('datapackage.json must be a JSON object');
    // Our own constant, not the string from the JSON: V8 may come to take such a string for another one when it is compared in a loop.
    const kind = KINDS.find((known) => known === found['kind']);
    if (kind === undefined)
      throw new Error(`kind must be observations, atlas or entities, not ${JSON.stringify(found['kind'])}`);
    // The border: build/check tells whether it really has this type.
    return { descriptor: { ...found, kind } as unknown as Descriptor & Written, findings: [] };
  } catch (error) {
    return refused('readable', errorMessage(error));
  }
}

/**
 * Reads one edition: `begin` gets its descriptor and returns the taker of its rows. Null, with findings, where it cannot be
 * read. `begin` may be called twice: a file that is not in the plain form of packaged files is read again as a whole.
 */
export function readEdition<Result>(
  folder: string,
  { read, pieces }: Pick<Reading, 'read' | 'pieces'>,
  begin: (descriptor: Descriptor & Written) => RowTaker<Result>,
): { value: Result | null; findings: Finding[] } {
  const file = `${folder}/records.csv`;
  const open = (): Iterable<Uint8Array> | null => {
    if (pieces) return pieces(file);
    const bytes = read(file);
    return bytes && [bytes];
  };
  const found = readDescriptor(folder, { read });
  const records = open();
  const absent = found.findings.filter(({ rule }) => rule === 'descriptor-present');
  const noRecords = 'the folder of an edition needs its records.csv';
  if (!records) absent.push(rowFinding({ folder }, null, 'records-present', noRecords));
  if (!records || absent.length > 0) return { value: null, findings: absent };
  try {
    return readTable(folder, found, plainRecords(records), begin);
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
  }
  let whole: CsvRecord[];
  try {
    const bytes = read(file) ?? Buffer.alloc(0);
    decoded(bytes, 'records.csv');
    whole = readCsv(bytes);
  } catch (error) {
    const { message, lines = null } = error as Error & { lines?: number };
    const fault = rowFinding({ folder }, lines, 'readable', message);
    return { value: null, findings: [fault, ...found.findings] };
  }
  return readTable(folder, found, [whole], begin);
}

/** Reads the rows of an edition; throws only what reading its file throws. */
function readTable<Result>(
  folder: string,
  { descriptor, findings }: ReturnType<typeof readDescriptor>,
  batches: Iterable<readonly CsvRecord[]>,
  begin: (descriptor: Descriptor & Written) => RowTaker<Result>,
): { value: Result | null; findings: Finding[] } {
  const own = [...findings];
  const add = (row: number | null, rule: string, message: string): void => {
    own.push(rowFinding({ folder }, row, rule, message));
  };
  let reader: ((record: CsvRecord) => Row) | null = null;
  let taker: RowTaker<Result> | null = null;
  let header: readonly string[] | null = null;
  let rows = 0;
  for (const batch of batches)
    for (const record of batch) {
      if (header === null) {
        header = record.cells;
        if (descriptor) [reader, taker] = beginRows(folder, descriptor, header, begin, own, add);
        continue;
      }
      rows += 1;
      // Even without a reader the file is read to its end, because its CSV may be faulty too.
      if (reader && taker) taker.row(reader(record), record.line);
    }
  const noRows = 'there are no rows; missing evidence is never published as a dataset without records';
  if (descriptor && header === null) [reader] = beginRows(folder, descriptor, [], begin, own, add);
  if (descriptor && rows === 0) add(null, 'rows-present', noRows);
  return { value: taker && rows > 0 ? taker.finish(rows) : null, findings: own };
}

/** The reader and the taker of the rows below a header; nulls, with findings, where header and descriptor do not match. */
function beginRows<Result>(
  folder: string,
  descriptor: Descriptor & Written,
  header: readonly string[],
  begin: (descriptor: Descriptor & Written) => RowTaker<Result>,
  findings: Finding[],
  add: (row: number | null, rule: string, message: string) => void,
): [reader: ((record: CsvRecord) => Row) | null, taker: RowTaker<Result> | null] {
  try {
    const faults = headerFaults(header, descriptor);
    for (const message of faults) add(1, 'columns', message);
    if (faults.length > 0) return [null, null];
    return [
      rowReader(descriptor, header, (line, message) => add(line, 'number', message)),
      begin(descriptor),
    ];
  } catch (error) {
    const message = errorMessage(error);
    findings.push(descriptorFinding({ folder }, 'readable', message));
    return [null, null];
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
    const message = errorMessage(error);
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
function headerFaults(header: readonly string[], descriptor: Descriptor): string[] {
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
