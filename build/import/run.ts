/** `npm run import -- <family> <files...>`: raw publisher files to datasets/, all or nothing, with an audit. The same input gives the same bytes. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ACCEPTED, readAccepted } from '../lib/accepted-names.ts';
import { isCalendarDate } from '../lib/clock.ts';
import { csvText } from '../../shim/core/csv.ts';
import { groupedBy } from '../../shim/core/groups.ts';
import { readCsv } from '../lib/csv.ts';
import {
  byAtlasOrder,
  byEdition,
  byEntityOrder,
  byObservationOrder,
  editionOf,
  newestDate,
} from '../lib/dataset.ts';
import type { Dataset, Descriptor, Written } from '../lib/dataset.ts';
import { makeFolder, replaceFile } from '../lib/replace-file.ts';
import { DATA_PACKAGE, licensesOf, orderedColumns, resourcesOf } from '../lib/package.ts';
import { prettyJson, sha256 } from '../lib/tree.ts';
import { VOCABULARY } from '../lib/vocabulary.ts';
import { cbp } from './cbp.ts';
import { coca, opium } from './cultivation.ts';
import { firearms } from './firearms.ts';
import { auditLines, readList, Refusal, refuseWebPages } from './importer.ts';
import type { Imported, Importer, ImportOptions, PackagedList, SourceFile } from './importer.ts';
import { informalEconomy } from './informal-economy.ts';
import { informalEmployment } from './informal-employment.ts';
import { nationalIndicators } from './national-indicators.ts';
import { ocIndex } from './oc-index.ts';
import { ofac } from './ofac.ts';
import { prevalence } from './prevalence.ts';
import { prices, seizures } from './seizures-prices.ts';
import { extendVocabulary } from './vocabulary.ts';
import { MOST_UNPACKED } from './workbook.ts';

/** All importers; `name` is the word on the command line. */
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
  datasets: string;
  /** Date of retrieval for copies not known by hash. */
  retrieved: string;
  /** Adds labels outside the dataset's list to it; without this they stop the import. */
  acceptLabels?: boolean;
  /** The publisher's date, for files that do not say it. */
  edition?: string | undefined;
}

/** Reads the files of one import; nothing is written. Throws a Refusal. */
export function readImport(request: ImportRequest): { importer: Importer; prepared: PreparedEdition[] } {
  const importer = IMPORTERS.find(({ name }) => name === request.family);
  const names = IMPORTERS.map(({ name }) => name).join(', ');
  if (!importer) throw new Refusal('import', 'the family', names, JSON.stringify(request.family));
  if (request.files.length === 0) throw new Refusal(importer.name, 'the files', importer.files, 'none');
  const known = knownSubjects(importer, request.datasets);
  const files = request.files.map(sourceFile);
  refuseWebPages(files);
  const imported = importer.read(files, { ...request, ...known });
  return { importer, prepared: prepareImport(imported, request.datasets, request.acceptLabels === true) };
}

/** What is known of the subjects of an importer's list: the names that were accepted, and who is packaged; `root` is the folder of the datasets. */
export function knownSubjects(
  { datasets: [id = ''] }: Importer,
  root: string,
): Pick<ImportOptions, 'accepted' | 'packaged'> {
  const file = join(root, id, ACCEPTED);
  const accepted = readList(file, existsSync(file) ? readFileSync(file) : null, readAccepted);
  return { accepted, packaged: packagedList(id, root) };
}

function packagedList(id: string, root: string): PackagedList | undefined {
  const edition = editionsIn(join(root, id)).at(-1);
  if (edition === undefined) return undefined;
  const [header, ...records] = readCsv(readFileSync(join(root, id, edition, 'records.csv')));
  const column = header?.cells.indexOf('sanctions_entity_number') ?? -1;
  if (column < 0) return undefined;
  const known = newestDate(sourcesIn(join(root, id, edition))) || edition;
  return { edition, numbers: new Set(records.map(({ cells }) => Number(cells[column]))), known };
}

/** An edition that is ready to be written. */
export interface PreparedEdition {
  dataset: Dataset;
  folder: string;
  /** The folder of the edition in it. */
  place: string;
  /** Its files by path, the list of labels among them. */
  files: Map<string, Buffer>;
  /** What the edition before has and this one lacks. */
  lacks: string[];
  /** What is new in the list of labels. */
  labels: string[];
  /** All lines to print about it, `lacks` and `labels` included. */
  lines: string[];
}

/** Makes the files of imported editions; `root` is the folder of the datasets. Throws a Refusal for labels that need a decision. */
export function prepareImport(imported: Imported[], root: string, acceptLabels: boolean): PreparedEdition[] {
  return imported.map(({ dataset, audit }) => {
    const id = dataset.descriptor.name;
    const folder = join(root, id);
    const place = join(folder, editionOf(dataset.descriptor));
    refuseSecondEdition(folder, dataset.descriptor);
    const { text, lines: labels } = extendVocabulary(dataset, join(folder, VOCABULARY), acceptLabels);
    const files = new Map<string, Buffer>([[join(folder, VOCABULARY), Buffer.from(text)]]);
    for (const [name, bytes] of Object.entries(datasetFiles(dataset))) files.set(join(place, name), bytes);
    const replaced = sourcesIn(place).filter(
      (before) => !dataset.descriptor.sources.some((now) => now.sha256 === before.sha256),
    );
    const others = replaced.map(
      ({ id: source, sha256: hash }) =>
        `  replaces ${basename(place)}, which was made from another file: ${source}, sha256 ${hash}; a corrected file is an edition of its own: the date of the correction goes into --edition or, where the file prints a date, with its hash under editions in the YAML file of the importer`,
    );
    const lacks = whatIsMissing(folder, dataset);
    return {
      dataset,
      folder,
      place,
      files,
      lacks,
      labels,
      lines: [...auditLines(id, audit), ...others, ...lacks.map((line) => `  ${line}`), ...labels],
    };
  });
}

/**
 * Refuses files that are packaged already as another edition under another date: a file belongs to one edition. A table in several
 * files may share some of them with other editions, each file with its own date.
 */
function refuseSecondEdition(folder: string, descriptor: Descriptor): void {
  const edition = editionOf(descriptor);
  for (const other of editionsIn(folder).filter((one) => one !== edition)) {
    const there = new Map(sourcesIn(join(folder, other)).map((source) => [source.sha256, source.dated]));
    const redated = descriptor.sources.find(({ sha256: hash, dated }) => there.get(hash) !== dated);
    if (!redated || !descriptor.sources.every(({ sha256: hash }) => there.has(hash))) continue;
    const expected = `${other}, the edition that was made of the file with the sha256 ${redated.sha256}`;
    const found = `${edition}; if ${other} is the wrong date, remove ${join(folder, other)} first`;
    throw new Refusal(descriptor.name, 'the edition', expected, found);
  }
}

/** What this edition lacks and the edition before, or the one it replaces, has: indicators, periods, and places of an indicator. */
function whatIsMissing(folder: string, dataset: Dataset): string[] {
  const edition = editionOf(dataset.descriptor);
  const before = editionsIn(folder).findLast((one) => byEdition(one, edition) <= 0);
  if (before === undefined || dataset.kind === 'entities') return [];
  const [header, ...records] = readCsv(readFileSync(join(folder, before, 'records.csv')));
  const names = header?.cells ?? [];
  const had = records.map(({ cells }) => Object.fromEntries(names.map((name, at) => [name, cells[at]])));
  const rows = rowsOf(dataset);
  type Printed = Record<string, unknown>;
  const missing = (keyOf: (row: Printed) => string): string[] => {
    const now = new Set(rows.map(keyOf));
    return [...new Set(had.map(keyOf))].filter((key) => !now.has(key)).sort();
  };
  const indicatorOf = (row: Printed): string => String(row['indicatorId'] ?? '');
  const indicators = missing(indicatorOf);
  const periods = missing((row) => String(row['period'] ?? row['year']));
  const places = missing((row) => `${indicatorOf(row)} ${String(row['geoCode'] ?? row['iso3'])}`);
  const byIndicator = groupedBy(places, (key) => key.slice(0, key.indexOf(' ')));
  const lost: [what: string, keys: string[]][] = [
    ['indicators', indicators],
    ['periods', periods],
    ...[...byIndicator]
      .filter(([indicator]) => !indicators.includes(indicator))
      .map(([indicator, keys]): [string, string[]] => [
        indicator === '' ? 'places' : `places of ${indicator}`,
        keys.map((key) => key.slice(indicator.length + 1)),
      ]),
  ];
  return lost.flatMap(([what, keys]) =>
    keys.length > 0 ? `lacks ${what} that edition ${before} has: ${keys.join(', ')}` : [],
  );
}

/** The editions in the folder of a dataset, by their dates. */
function editionsIn(folder: string): string[] {
  const found = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return found
    .flatMap((entry) => (entry.isDirectory() && isCalendarDate(entry.name) ? entry.name : []))
    .sort(byEdition);
}

/** The sources of a packaged edition; none where there is no such edition. */
function sourcesIn(edition: string): Descriptor['sources'] {
  const file = join(edition, 'datapackage.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Descriptor).sources : [];
}

/** Writes editions, all or none. The lists of labels come before the editions take their places: they may hold more than is used. */
export function writeImport(prepared: PreparedEdition[]): void {
  const made = prepared.map(({ folder }) => folder).filter((folder) => !existsSync(folder));
  const begun = [...prepared.map(({ place }) => `${place}.new`), ...made];
  const remove = (): void => begun.forEach((path) => rmSync(path, { recursive: true, force: true }));
  remove();
  try {
    for (const { place, files } of prepared) {
      makeFolder(`${place}.new`);
      for (const [path, bytes] of files)
        if (dirname(path) === place) replaceFile(join(`${place}.new`, basename(path)), bytes);
    }
    for (const { folder, files } of prepared)
      replaceFile(join(folder, VOCABULARY), files.get(join(folder, VOCABULARY)) ?? '');
  } catch (error) {
    remove();
    throw error;
  }
  prepared.forEach(putIntoPlace);
}

/** Each importer with its table, the files it takes and the datasets it makes, two lines each. */
export function importerList(): string[] {
  return IMPORTERS.flatMap(({ name, summary, files, datasets }) => [
    `${name}: ${summary}`,
    `    takes ${files}; makes ${datasets.join(' and ')}`,
  ]);
}

/** A file, named `<parent folder>/<base name>`: some publishers name every file alike and tell them apart by folder. */
export function sourceFile(path: string): SourceFile {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new Refusal(path, 'the file', 'a file', 'nothing, or a folder');
  const size = Math.ceil(found.size / 1024 ** 2);
  if (size > MOST_UNPACKED)
    throw new Refusal(path, 'the file', `at most ${MOST_UNPACKED} MiB`, `${size} MiB`);
  const bytes = readFileSync(path);
  const name = join(basename(dirname(resolve(path))), basename(path)).replaceAll('\\', '/');
  return { name, bytes, sha256: sha256(bytes) };
}

/**
 * Puts an edition next to the others of its dataset. Designations have one edition only: who has left a list is not kept. An edition
 * that is replaced is set aside until the new one is in its place.
 */
function putIntoPlace({ dataset, folder, place }: PreparedEdition): void {
  const [fresh, before] = [`${place}.new`, `${place}.old`];
  // An import that was killed between the two renames left the edition set aside.
  if (existsSync(before) && !existsSync(place)) renameSync(before, place);
  rmSync(before, { recursive: true, force: true });
  if (existsSync(place)) renameSync(place, before);
  try {
    renameSync(fresh, place);
  } catch (error) {
    if (existsSync(before)) renameSync(before, place);
    throw error;
  }
  rmSync(before, { recursive: true, force: true });
  if (dataset.kind !== 'entities') return;
  for (const other of readdirSync(folder, { withFileTypes: true }))
    if (other.isDirectory() && other.name !== basename(place))
      rmSync(join(folder, other.name), { recursive: true });
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
    'datapackage.json': prettyJson(descriptor),
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
