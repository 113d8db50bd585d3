/** `npm run import -- <family> <files...>`: raw publisher files to datasets/, all or nothing, with an audit. The same input gives the same bytes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { csvText } from '../lib/csv.ts';
import {
  byAtlasOrder,
  byEntityOrder,
  byObservationOrder,
  editionOf,
  type Dataset,
  type Descriptor,
  type Written,
} from '../lib/dataset.ts';
import { DATA_PACKAGE, licensesOf, orderedColumns, resourcesOf } from '../lib/package.ts';
import { sha256 } from '../lib/tree.ts';
import { VOCABULARY } from '../lib/vocabulary.ts';
import { cbp } from './cbp.ts';
import { coca, opium } from './cultivation.ts';
import { firearms } from './firearms.ts';
import { auditLines, Refusal, type Importer, type SourceFile } from './importer.ts';
import { informalEconomy } from './informal-economy.ts';
import { informalEmployment } from './informal-employment.ts';
import { nationalIndicators } from './national-indicators.ts';
import { ocIndex } from './oc-index.ts';
import { ofac } from './ofac.ts';
import { prevalence } from './prevalence.ts';
import { prices, seizures } from './seizures-prices.ts';
import { extendVocabulary } from './vocabulary.ts';

/** The importers there are; `name` is the word on the command line. */
export const IMPORTERS: Importer[] = [
  cbp,
  coca,
  firearms,
  informalEconomy,
  informalEmployment,
  nationalIndicators,
  ocIndex,
  ofac,
  opium,
  prevalence,
  prices,
  seizures,
];

/** One import, as the command line states it. */
export interface ImportRequest {
  family: string;
  files: string[];
  /** Folder of the datasets. */
  datasets: string;
  /** Date of retrieval for copies not known by hash. */
  retrieved: string;
  /** Labels outside the dataset's list enter it; without this they stop the import. */
  acceptLabels?: boolean;
}

/** Runs one import; returns the lines to print. Throws a Refusal before anything is written. */
export function runImport(request: ImportRequest): string[] {
  const importer = IMPORTERS.find(({ name }) => name === request.family);
  const names = IMPORTERS.map(({ name }) => name).join(', ');
  if (!importer) throw new Refusal('import', 'the family', names, JSON.stringify(request.family));
  if (request.files.length === 0) throw new Refusal(importer.name, 'the files', importer.files, 'none');
  const imported = importer.read(request.files.map(sourceFile), { retrieved: request.retrieved });
  const written = imported.map(({ dataset, audit }) => {
    const id = dataset.descriptor.name;
    const file = join(request.datasets, id, VOCABULARY);
    const { text, lines } = extendVocabulary(dataset, file, request.acceptLabels === true);
    return { dataset, file, text, lines: [...auditLines(id, audit), ...lines] };
  });
  for (const { dataset, file, text } of written) {
    writeEdition(request.datasets, dataset);
    writeFileAtomic.sync(file, text);
  }
  return written.flatMap(({ lines }) => lines);
}

/** Each importer with its table, the files it takes and the datasets it makes, two lines each. */
export function importerList(): string[] {
  return IMPORTERS.flatMap(({ name, summary, files, datasets }) => [
    `${name}: ${summary}`,
    `    takes ${files}; makes ${datasets.join(' and ')}`,
  ]);
}

/** A file under `<parent folder>/<base name>`: some publishers name every file alike and tell them apart by folder. */
function sourceFile(path: string): SourceFile {
  const bytes = readFileSync(path);
  const name = join(basename(dirname(resolve(path))), basename(path)).replaceAll('\\', '/');
  return { name, bytes, sha256: sha256(bytes) };
}

/** Writes an edition next to the others of its dataset. Of designations there is one: who has left a list is not kept. */
function writeEdition(datasets: string, dataset: Dataset): void {
  const { kind, descriptor } = dataset;
  const folder = join(datasets, descriptor.name);
  const edition = editionOf(descriptor);
  const others =
    kind === 'entities' && existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  replaceFolder(join(folder, edition), datasetFiles(dataset));
  for (const other of others)
    if (other.isDirectory() && other.name !== edition) rmSync(join(folder, other.name), { recursive: true });
}

function replaceFolder(folder: string, contents: Record<string, Buffer>): void {
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  for (const [name, bytes] of Object.entries(contents)) writeFileSync(join(fresh, name), bytes);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}

/** The two files of a dataset folder, as bytes. */
export function datasetFiles(dataset: Dataset): { 'datapackage.json': Buffer; 'records.csv': Buffer } {
  const names = orderedColumns(dataset.descriptor).map(({ name }) => name);
  const lines = rowsOf(dataset).map((row) => names.map((name) => cell(row[name])));
  const descriptor: Descriptor & Written = {
    $schema: DATA_PACKAGE,
    ...dataset.descriptor,
    licenses: licensesOf(dataset.descriptor),
    resources: resourcesOf(dataset.descriptor),
  };
  return {
    'datapackage.json': Buffer.from(`${JSON.stringify(descriptor, null, 2)}\n`),
    'records.csv': Buffer.from(csvText([names, ...lines]), 'utf8'),
  };
}

/** The rows in the fixed order, by column. */
function rowsOf(dataset: Dataset): Record<string, unknown>[] {
  if (dataset.kind === 'observations') return [...dataset.rows].sort(byObservationOrder);
  if (dataset.kind === 'entities') return [...dataset.rows].sort(byEntityOrder);
  return [...dataset.rows].sort(byAtlasOrder).map(({ values, ...row }) => ({ ...values, ...row }));
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.join('|');
  return value === null || value === undefined ? '' : String(value);
}
