/** [BULK-SQLITE] data/evidence.sqlite read by programs that are not the build: every record as in NDJSON, and nothing else. */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import initialise from '@sqlite.org/sqlite-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { growingFile, inMemory, sha256, type TreeFile } from '../../build/lib/tree.ts';
import { shortRows } from '../../build/pack/short-rows.ts';
import { evidenceFile } from '../../build/render/bulk/evidence-file.ts';
import { isObject, memberAt } from '../../shim/core/json.ts';
import { datasetDocumentPath } from '../../shim/core/paths.ts';
import type { DatasetDocument, Observation } from '../../shim/core/records.ts';
import type { JsonObject, JsonValue, PackEntry } from '../../shim/core/types.ts';
import { allEntities, packManifest } from '../_support/records.ts';
import { PYTHON } from '../_support/interpreters.ts';
import { builtTree, TEST_SITE, treeFile, treeJson, treeRecords } from '../_support/tree.ts';

const FILE = join(builtTree(), 'data/evidence.sqlite');
const { packs, editions, revisions } = packManifest();
const isThere = (program: string): boolean => !spawnSync(program, ['--version']).error;

type Rows = JsonValue[][];
let select: (sql: string, ...bind: string[]) => Rows;
let close: () => void;

beforeAll(async () => {
  const { capi, oo1, wasm } = await initialise();
  const database = new oo1.DB(':memory:');
  const bytes = new Uint8Array(readFileSync(FILE));
  const at = wasm.allocFromTypedArray(bytes);
  capi.sqlite3_deserialize(database.pointer ?? 0, 'main', at, bytes.length, bytes.length, 1);
  select = (sql, ...bind) =>
    database.exec({ sql, bind, rowMode: 'array', returnValue: 'resultRows' }) as Rows;
  close = () => database.close();
});

afterAll(() => close());

function recordsOf({ path }: PackEntry): JsonObject[] {
  return treeRecords<JsonObject>(path);
}

/** A record as a row of a table with these columns; lists and booleans as the documentation says. */
function cellsOf(record: JsonObject, columns: readonly string[]): JsonValue[] {
  return columns.map((column) => {
    const value = memberAt(record, column) ?? null;
    if (typeof value === 'boolean') return Number(value);
    return Array.isArray(value) ? JSON.stringify(value) : value;
  });
}

/** The paths of the leaves of records. */
function leavesOf(records: readonly JsonObject[]): Set<string> {
  const found = new Set<string>();
  const walk = (value: JsonValue, path: string): void => {
    if (!isObject(value)) found.add(path);
    else
      for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`);
  };
  for (const record of records) walk(record, '');
  return found;
}

function columnsOf(table: string): string[] {
  return select('SELECT name FROM pragma_table_info(?)', table).map(([name]) => String(name));
}

describe('[BULK-SQLITE] evidence.sqlite', () => {
  it('has every observation of every edition: values, statuses, reasons, texts and locators', () => {
    const columns = Object.keys(recordsOf(packs[0] as PackEntry)[0] ?? {});
    const numbers = ['value', 'lower', 'upper'];
    // JSON of SQLite has 15 digits: numbers come as texts with all of theirs.
    const list = columns.map((name) =>
      numbers.includes(name) ? `iif(${name} IS NULL, NULL, format('%!.17g', ${name}))` : `"${name}"`,
    );
    const positions = numbers.map((name) => columns.indexOf(name));
    let compared = 0;
    for (const entry of [...packs, ...editions]) {
      const { kind, datasetId } = { kind: entry.kind, datasetId: entry.id.split('@')[0] ?? '' };
      if (kind === 'atlas' || kind === 'entities') continue;
      // As one text: thirty times as fast as value by value.
      const [[text = '[]'] = []] = select(
        `SELECT json_group_array(json_array(${list})) FROM observations_all_editions WHERE datasetId = ? AND datasetEdition = ?`,
        datasetId,
        entry.edition,
      );
      const rows = new Map((JSON.parse(String(text)) as Rows).map((row) => [row[0], row]));
      const records = recordsOf(entry);
      const wrong = records.filter((record) => {
        const row = rows.get(record['id'] ?? null);
        return !Object.values(record).every((value, position) => {
          const found = row?.[position];
          return (
            value === (positions.includes(position) && typeof found === 'string' ? Number(found) : found)
          );
        });
      });
      expect([entry.id, rows.size, wrong.slice(0, 3)]).toEqual([entry.id, records.length, []]);
      expect(Object.keys(records[0] ?? {})).toEqual(columns);
      compared += records.length;
    }
    expect(select('SELECT count(*) FROM observations_all_editions')).toEqual([[compared]]);
    expect(compared).toBeGreaterThan(150_000);
  });

  it('has every country-year, designation and revision, with the columns of their records alone', () => {
    for (const entry of [...packs, ...editions, ...(revisions ? [revisions] : [])]) {
      if (entry.kind === 'observations' || entry.kind === 'context') continue;
      const table = entry.id.replaceAll(/[-@]/g, '_');
      const columns = columnsOf(table);
      const records = recordsOf(entry);
      const unknown = [...leavesOf(records)].filter(
        (leaf) => !columns.some((column) => column === leaf || column.startsWith(`${leaf}.`)),
      );
      expect([entry.id, unknown]).toEqual([entry.id, []]);
      const wanted = records.map((record) => cellsOf(record, columns));
      expect(select(`SELECT * FROM "${table}"`), entry.id).toEqual(wanted);
    }
    expect(columnsOf('designations')).toEqual([...leavesOf(recordsOf(packOf('designations')))]);
  });

  it('counts as the catalog does, by dataset, indicator and status', () => {
    const rows = select(
      `SELECT datasetId, indicatorId, sum(status = 'reported'), sum(status = 'estimated'), sum(status = 'unavailable'),
        sum(value = 0), count(*), count(value) FROM observations GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    const counted = packs.flatMap(({ id, kind }) => {
      const { indicators } = treeJson<JsonObject>(datasetDocumentPath(id)) as unknown as DatasetDocument;
      return kind === 'observations' || kind === 'context'
        ? indicators.map(({ id: indicator, coverage }) => {
            const { reported, estimated, unavailable, zeros, observations, numeric } = coverage;
            return [id, indicator, reported, estimated, unavailable, zeros, observations, numeric];
          })
        : [];
    });
    expect(rows).toEqual(counted.filter((row) => Number(row[6]) > 0).sort(byText));
    expect(
      select(`SELECT * FROM observations WHERE (value IS NULL) <> (status = 'unavailable')
      OR (unavailableReason IS NULL) <> (status <> 'unavailable')`),
    ).toEqual([]);
  });

  it('leads from every record to the hash of its file and a cell', () => {
    const { editions: listed } = treeJson<JsonObject>('data/editions.json') as { editions: JsonObject[] };
    const hash = new Map(
      listed.map((one) => [`${one['dataset']} ${one['datasetEdition']} ${one['source']}`, one['sha256']]),
    );
    const wrong = select(
      'SELECT DISTINCT datasetId, datasetEdition, sourceId, sourceSha256 FROM observations_all_editions',
    ).filter(([dataset, edition, source, found]) => found !== hash.get(`${dataset} ${edition} ${source}`));
    expect(wrong).toEqual([]);
    expect(select(`SELECT count(*) FROM observations WHERE sourceLocator = ''`)).toEqual([[0]]);
    expect(
      select(
        'SELECT count(*) FROM atlas a LEFT JOIN sources s ON s.sha256 = a.sourceSha256 WHERE s.sha256 IS NULL',
      ),
    ).toEqual([[0]]);
    const named = `SELECT count(*) FROM designations d JOIN sources s ON s.datasetId = 'designations' AND s.name = d."meta.source"`;
    expect(select(named)).toEqual([[allEntities().length]]);
  });

  it('finds series by words, and no designation', () => {
    const found = select(
      `SELECT DISTINCT geoCode FROM observations WHERE series IN (SELECT rowid FROM search WHERE search MATCH 'cocaine belgium')`,
    );
    expect(found).toEqual([['BEL']]);
    const words = ['dataset', 'indicator', 'geoName', 'category', 'subgroup', '"group"']
      .flatMap((column) => select(`SELECT DISTINCT ${column} FROM search`))
      .join('\n');
    const designated = allEntities().filter(({ name }) => words.includes(name));
    expect(designated.map(({ name }) => name)).toEqual([]);
  });

  it('names every table and view that a reader uses, and holds no field beyond the contract', () => {
    const names = select(
      `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'search!_%' ESCAPE '!'`,
    );
    const documented = readFileSync('docs/data-formats.md', 'utf8');
    const [, section = ''] = documented.split('## SQLite\n');
    for (const [name] of names)
      if (!/^_|_\d{4}_\d\d(_\d\d)?$/.test(String(name))) expect(section).toContain(`\`${String(name)}\``);
    const columns = names.flatMap(([name]) => columnsOf(String(name)));
    expect(
      columns.filter((name) =>
        /alias|birth|address|passport|latitude|longitude|coord|score|rank|purity/i.test(name),
      ),
    ).toEqual([]);
  });

  it('is the same file every time; too many records leave earlier editions out, then the file', async () => {
    const small = packs.filter(({ id }) => ['coca-cultivation', 'organized-crime-index'].includes(id));
    const earlier = editions.filter(({ id }) => id.startsWith('organized-crime-index@'));
    const manifest = { ...packManifest(), packs: small, editions: earlier, revisions: null };
    const documents = new Map(
      [...small, ...earlier].map(({ id }) => [
        id,
        treeJson<JsonObject>(datasetDocumentPath(id)) as unknown as DatasetDocument,
      ]),
    );
    const folder = inMemory();
    for (const entry of [...small, ...earlier]) folder.write(entry.path, treeFile(entry.path));
    const inShort = shortRows();
    const observed = small.filter(({ id }) => id === 'coca-cultivation');
    const lines = observed.flatMap(recordsOf).map((record) => inShort(record as unknown as Observation));
    const writeShort = (texts: string[]): Map<string, TreeFile> => {
      const file = growingFile(folder, '.short');
      for (const text of texts) file.add(Buffer.from(text));
      return new Map([['coca-cultivation', file.finish()]]);
    };
    const facts = { siteUrl: TEST_SITE, manifest, documents, folder, short: writeShort(lines) };
    const made = async (most?: { records?: number; bytes?: number }): Promise<Buffer | null> => {
      const [file] = await evidenceFile(facts, most);
      return file ? folder.read(file.path) : null;
    };
    const [first, second] = [await made(), await made()];
    expect(sha256(first ?? '')).toBe(sha256(second ?? ''));
    const rows = small.reduce((sum, entry) => sum + entry.rows, 0);
    expect(first?.includes('organized_crime_index_2025_09_21')).toBe(true);
    expect((await made({ records: rows }))?.includes('organized_crime_index_2025_09_21')).toBe(false);
    expect(await made({ records: rows - 1 })).toBeNull();
    const bytes = (first?.length ?? 0) - 1;
    expect((await made({ bytes }))?.includes('organized_crime_index_2025_09_21')).toBe(false);
    expect(await made({ bytes: 4096 })).toBeNull();
    const without = { ...facts, short: writeShort(lines.slice(0, -1)) };
    await expect(evidenceFile(without)).rejects.toThrow(
      `${lines.length - 1} of the ${lines.length} records of coca-cultivation`,
    );
  });

  it('is at most 40 MB', () => {
    expect(statSync(FILE).size).toBeLessThan(40_000_000);
  });
});

describe('other programs', () => {
  it('sqlite3 opens it and finds it whole', (context) => {
    if (!isThere('sqlite3')) context.skip('sqlite3 is not installed');
    const sql = 'PRAGMA integrity_check; SELECT count(*) FROM observations; SELECT count(*) FROM search;';
    const { stdout } = spawnSync('sqlite3', ['-readonly', FILE, sql], { encoding: 'utf8' });
    const [whole, observations, series] = stdout.trim().split('\n');
    expect([whole, Number(observations)]).toEqual([
      'ok',
      select('SELECT count(*) FROM observations')[0]?.[0],
    ]);
    expect(Number(series)).toBeGreaterThan(1000);
  });

  it('Python reads nulls as None and zeros as 0', (context) => {
    if (!isThere(PYTHON)) context.skip(`${PYTHON} is not installed`);
    const program = `import json, sqlite3, sys
rows = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute(
    "SELECT id, value, unit FROM observations WHERE datasetId = 'opium-cultivation' ORDER BY id")
print(json.dumps([list(row) for row in rows]))`;
    const { stdout } = spawnSync(PYTHON, ['-c', program, FILE], { encoding: 'utf8' });
    const wanted = (recordsOf(packOf('opium-cultivation')) as unknown as Observation[])
      .map(({ id, value, unit }) => [id, value, unit])
      .sort(byText);
    expect(JSON.parse(stdout)).toEqual(wanted);
    expect(wanted.some(([, value]) => value === null || value === 0)).toBe(true);
  });
});

function packOf(id: string): PackEntry {
  const found = packs.find((entry) => entry.id === id);
  if (!found) throw new Error(`there is no pack ${id}`);
  return found;
}

function byText(a: readonly unknown[], b: readonly unknown[]): number {
  return a.slice(0, 2).join('\n') < b.slice(0, 2).join('\n') ? -1 : 1;
}
