/** Reads datasets/ back into memory: descriptors and rows with the line of each. What cannot be read is a finding. */
import { isUtf8 } from 'node:buffer';
import { readCsv, type CsvRecord } from '../lib/csv.ts';
import type { Dataset, WrittenDescriptor } from '../lib/dataset.ts';
import type { BuildEffects } from '../lib/effects.ts';
import type { Finding } from '../lib/findings.ts';
import { headerFaults, readRows } from './rows.ts';

/** What records.csv prints, cell by cell. */
export interface PrintedTable {
  header: string[];
  records: CsvRecord[];
}

/** A dataset with where it came from: `lines[i]` is the line of `rows[i]` in records.csv. */
export type LoadedDataset = Dataset & { folder: string; lines: number[]; table: PrintedTable };

/** A loaded dataset of one kind. */
export type Loaded<Kind extends Dataset['kind']> = Extract<LoadedDataset, { kind: Kind }>;

export interface LoadedDatasets {
  datasets: LoadedDataset[];
  findings: Finding[];
}

/** Folders of `datasets/` that are not datasets of records. */
const OTHER_FOLDERS = new Set(['newsroom', 'producerp']);

const KINDS = new Set<unknown>(['observations', 'atlas', 'entities']);

/** Loads every dataset folder, in the order of their ids. */
export function loadDatasets(
  root: string,
  { read, folders }: Pick<BuildEffects, 'read' | 'folders'>,
): LoadedDatasets {
  const findings: Finding[] = [];
  const datasets = folders(root)
    .filter((id) => !OTHER_FOLDERS.has(id))
    .flatMap((id) => loadFolder(`${root}/${id}`, read, findings) ?? []);
  return { datasets, findings };
}

/** One dataset; null, with findings, where it cannot be read. */
function loadFolder(folder: string, read: BuildEffects['read'], findings: Finding[]): LoadedDataset | null {
  const file = `${folder}/datapackage.json`;
  const add = (rule: string, message: string, row: number | null = null, of = file): void => {
    findings.push({ file: of, row, rule, message });
  };
  const descriptorBytes = read(file);
  const records = `${folder}/records.csv`;
  const recordBytes = read(records);
  if (!descriptorBytes) add('descriptor-present', 'a dataset folder needs a datapackage.json');
  if (!recordBytes) add('records-present', 'a dataset folder needs its records.csv', null, records);
  if (!descriptorBytes || !recordBytes) return null;
  try {
    const descriptor = JSON.parse(decoded(descriptorBytes, 'datapackage.json')) as WrittenDescriptor;
    if (!KINDS.has(descriptor.kind))
      throw new Error(
        `kind must be observations, atlas or entities, not ${JSON.stringify(descriptor.kind as unknown)}`,
      );
    decoded(recordBytes, 'records.csv');
    const [first, ...body] = readCsv(recordBytes);
    const header = first?.cells ?? [];
    const faults = headerFaults(header, descriptor);
    for (const message of faults) add('columns', message, 1, records);
    if (body.length === 0)
      add(
        'rows-present',
        'there are no rows; missing evidence is never published as a dataset without records',
        null,
        records,
      );
    if (faults.length > 0 || body.length === 0) return null;
    const dataset = readRows(descriptor, header, body, (line, message) =>
      add('number', message, line, records),
    );
    return { ...dataset, folder, lines: body.map(({ line }) => line), table: { header, records: body } };
  } catch (error) {
    add('readable', error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** The text of a file; bytes that are not UTF-8 are refused, not replaced. */
function decoded(bytes: Buffer, name: string): string {
  if (!isUtf8(bytes)) throw new Error(`${name} is not valid UTF-8`);
  return bytes.toString('utf8');
}
