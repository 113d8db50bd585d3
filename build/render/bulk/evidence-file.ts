/**
 * data/evidence.sqlite: the records of the release and what is published about them in one file, for `sqlite3`, Datasette, Python
 * and R. It is made from the records as they were packed and the documents of the datasets.
 */
import { fieldsOf, type Field, type Fielded } from '../../../shim/core/fields.ts';
import { memberAt } from '../../../shim/core/json.ts';
import { EVIDENCE_FILE, REVISIONS } from '../../../shim/core/paths.ts';
import type { DatasetDocument } from '../../../shim/core/records.ts';
import type { JsonObject, PackEntry, PackManifest } from '../../../shim/core/types.ts';
import { growingFile, piecesOf, type TreeFile, type TreeFolder } from '../../lib/tree.ts';
import { linesOf } from '../../load/groups.ts';
import { MOST_SHORT } from '../../pack/edition.ts';
import { observationTables, type ObservationTables } from './evidence-observations.ts';
import { INDEXES, REVISION_INDEXES, SEARCH, TABLES, VIEWS } from './evidence-schema.ts';
import { COLLECTION, descriptionOf } from './release.ts';
import { named, openDatabase, type Database, type SqlValue } from './sqlite.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** The most that the file may hold; 250,000 records with the texts of today are 27 MB. */
const MOST = { records: MOST_SHORT, bytes: 40_000_000 };

/** What the file is made from: the documents of all editions and their records in short form by the id of their pack, and the folder that has the packs and takes the file. */
export interface EvidenceFacts {
  siteUrl: string;
  manifest: PackManifest;
  documents: ReadonlyMap<string, DatasetDocument>;
  short: ReadonlyMap<string, TreeFile>;
  folder: TreeFolder;
}

/** Writes the file, without earlier editions where all together are too many; none where the current records alone are. */
export async function evidenceFile(
  facts: EvidenceFacts,
  most: Partial<typeof MOST> = {},
): Promise<TreeFile[]> {
  const { siteUrl, manifest, documents, short, folder } = facts;
  const { records, bytes: mostBytes } = { ...MOST, ...most };
  const { packs, editions, revisions, unavailable, generatedAt } = manifest;
  const needed = [...packs, ...(revisions ? [revisions] : [])];
  if (rowsOf(needed) > records) return [];
  const isWhole = rowsOf([...needed, ...editions]) <= records;
  const { about, whole, currentOnly, columns } = vocabulary.database;
  const database = await openDatabase();
  database.run(TABLES);
  addRows(database, 'about', [
    ['Title', COLLECTION.title],
    ['Description', COLLECTION.description],
    ['Site', siteUrl],
    ['Data as of', generatedAt],
    ...about,
    ['Earlier editions', isWhole ? whole : currentOnly],
    ['Designations', vocabulary.workbook.caution],
  ]);
  addRows(
    database,
    'unavailable_datasets',
    unavailable.map(({ id, reason }) => [id, reason]),
  );
  addColumns(database, 'observations', fieldsOf({ kind: 'observations' }));
  addRows(
    database,
    'columns',
    columns.map(([name = '', type = '', description = '']) => ['observations', name, type, 0, description]),
  );
  const observations = observationTables(database);
  const atlases: string[] = [];
  for (const entry of [...packs, ...(isWhole ? editions : [])]) {
    const document = documents.get(entry.id);
    if (!document) continue;
    observations.describe(entry.id, document);
    if (!entry.id.includes('@')) addRows(database, 'datasets', [datasetRow(document)]);
    if (document.kind === 'observations') addObservations(entry, observations, short.get(entry.id), folder);
    else addTable(database, entry.id, fieldedOf(document), linesOf(piecesOf(folder, entry)));
    if (document.kind === 'atlas' && !entry.id.includes('@')) atlases.push(...atlasParts(document));
  }
  if (revisions) addTable(database, REVISIONS, { kind: 'revisions' }, linesOf(piecesOf(folder, revisions)));
  database.run(INDEXES);
  if (revisions) database.run(REVISION_INDEXES);
  database.run(VIEWS);
  if (atlases.length > 0) database.run(`CREATE VIEW atlas AS ${atlases.join('\nUNION ALL ')};`);
  database.run(SEARCH);
  const bytes = database.bytes();
  if (bytes.length <= mostBytes) {
    const file = growingFile(folder, EVIDENCE_FILE);
    file.add(bytes);
    return [file.finish()];
  }
  return isWhole && editions.length > 0 ? evidenceFile(facts, { ...most, records: rowsOf(needed) }) : [];
}

/** Adds the records of an edition. Throws an Error unless they are all there: no other rule would notice missing records. */
function addObservations(
  { id, rows }: PackEntry,
  tables: ObservationTables,
  short: TreeFile | undefined,
  folder: TreeFolder,
): void {
  const added = tables.add(id, short ? linesOf(piecesOf(folder, short)) : []);
  if (added !== rows)
    throw new Error(
      `${added} of the ${rows} records of ${id} came into ${EVIDENCE_FILE}; nothing was written. Build again with --no-cache.`,
    );
}

function rowsOf(packs: readonly PackEntry[]): number {
  return packs.reduce((sum, { rows }) => sum + rows, 0);
}

function datasetRow(document: DatasetDocument): SqlValue[] {
  const { id, title, kind, edition, records, firstPeriod, lastPeriod, limitations } = document;
  const covered = [records, firstPeriod, lastPeriod];
  return [id, title, descriptionOf(document), kind, edition, ...covered, JSON.stringify(limitations)];
}

/** The name of the table of an atlas or of the designations; for an earlier edition with its date. */
function tableName(pack: string): string {
  return pack.replaceAll(/[^a-z0-9]/g, '_');
}

/** What decides the fields of an atlas or of designations. */
function fieldedOf({ kind, domain, unit, fields }: DatasetDocument): Fielded {
  if (kind !== 'atlas') return { kind };
  if (domain === undefined || unit === undefined) throw new Error('an atlas has a domain and a unit');
  return { kind, domain, unit, fields };
}

const TYPES = {
  string: 'TEXT',
  number: 'REAL',
  integer: 'INTEGER',
  boolean: 'INTEGER',
  list: 'TEXT',
} as const;

function addTable(database: Database, pack: string, fielded: Fielded, lines: Iterable<string>): void {
  const table = tableName(pack);
  const fields = fieldsOf(fielded);
  const columns = fields.map(({ name, type, nullable }) => {
    return `${named(name)} ${TYPES[type]}${nullable ? '' : ' NOT NULL'}`;
  });
  database.run(`CREATE TABLE ${named(table)} (${columns.join(', ')})`);
  addColumns(database, table, fields);
  const paths = fields.map(({ name }) => name.split('.'));
  const add = database.inserter(table);
  for (const line of lines) {
    const record = JSON.parse(line) as JsonObject;
    add(paths.map((path) => leafOf(record, path)));
  }
}

/** A leaf of a record; null below a group that is null as a whole. */
function leafOf(record: JsonObject, path: readonly string[]): SqlValue {
  const value = memberAt(record, path) ?? null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function addColumns(database: Database, table: string, fields: readonly Field[]): void {
  const rows = fields.map(({ name, type, nullable, description }) => {
    return [table, name, TYPES[type], nullable ? 1 : 0, description];
  });
  addRows(database, 'columns', rows);
}

function addRows(database: Database, table: string, rows: readonly SqlValue[][]): void {
  const add = database.inserter(table);
  for (const row of rows) add(row);
}

/** The values of an atlas as rows, a SELECT for each of its fields. */
function atlasParts({ id, fields }: DatasetDocument): string[] {
  return fields.map(({ path }) => {
    const value = named(`data.${path}`);
    return `SELECT ${quoted(id)} AS datasetId, domain, "data.iso3" AS iso3, "data.country" AS country, "data.year" AS year, ${quoted(path)} AS field, ${value} AS value, "meta.source" AS sourceId, "meta.source_sha256" AS sourceSha256, "meta.locator" AS sourceLocator FROM ${named(tableName(id))}`;
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
