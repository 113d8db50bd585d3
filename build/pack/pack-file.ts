/**
 * The files of a pack: records as NDJSON and their index, of series or of names, and of blocks for every pack. The shim's
 * series.ts, entity-search.ts and blocks.ts read them. Rows and lines pass once and are not kept, so a pack of any size can be
 * indexed while it is written.
 */
import { hash as hashOf } from 'node:crypto';
import { byCodeUnits } from '../lib/dataset.ts';
import { valuesOf } from '../../shim/core/fields.ts';
import type { Entity } from '../../shim/core/records.ts';
import { growingFile, sha256, type TreeFolder } from '../lib/tree.ts';
import { countrySpellings } from '../reference/geography.ts';
import { encodeIndex, headBytes, wordsOf } from '../../shim/core/index-file.ts';
import { fold } from '../../shim/core/words.ts';
import { packIndexPath, packPath } from '../../shim/core/paths.ts';
import type { JsonObject, PackEntry } from '../../shim/core/types.ts';

/** Takes the rows of a pack one by one in their order, each with its line as bytes; then returns the index file. */
interface Indexer<Row> {
  add(row: Row, line: Uint8Array): void;
  finish(): Uint8Array;
}

/** A pack that is being written. */
interface GrowingPack<Row> {
  add(record: object, row: Row): void;
  finish(meta: JsonObject): PackEntry;
}

/** Lines that are encoded at once. */
const CHUNK = 2000;

/** Starts a pack: each record is serialized once, one per line; the entry has the hashes of the files. */
export function growingPack<Row>(
  folder: TreeFolder,
  named: Pick<PackEntry, 'id' | 'edition' | 'kind'>,
  indexer: Indexer<Row>,
): GrowingPack<Row> {
  const file = growingFile(folder, packPath(named.id));
  let text = '';
  let waiting: Row[] = [];
  let rows = 0;
  const flush = (): void => {
    const bytes = Buffer.from(text, 'utf8');
    let from = 0;
    for (const row of waiting) {
      const end = bytes.indexOf(0x0a, from) + 1;
      indexer.add(row, bytes.subarray(from, end));
      from = end;
    }
    file.add(bytes);
    rows += waiting.length;
    text = '';
    waiting = [];
  };
  return {
    add(record, row) {
      text += `${JSON.stringify(record)}\n`;
      waiting.push(row);
      if (waiting.length === CHUNK) flush();
    },
    finish(meta) {
      flush();
      const bytes = indexer.finish();
      const size = headBytes(bytes);
      const head = size === null ? null : { bytes: size, sha256: sha256(bytes.subarray(0, size)) };
      const index = {
        path: packIndexPath(named.id),
        bytes: bytes.length,
        sha256: sha256(bytes),
        ...(head ? { head } : {}),
      };
      folder.write(index.path, bytes);
      const { id, edition, kind } = named;
      return { id, edition, kind, rows, ...file.finish(), index, meta };
    },
  };
}

/** Writes a pack of records that are in memory. */
export function writePack<Row>(
  folder: TreeFolder,
  named: Pick<PackEntry, 'id' | 'edition' | 'kind'>,
  records: readonly (readonly [record: object, row: Row])[],
  indexer: Indexer<Row>,
  meta: JsonObject,
): PackEntry {
  const pack = growingPack(folder, named, indexer);
  for (const [record, row] of records) pack.add(record, row);
  return pack.finish(meta);
}

/** The indexer of designations, which come in the order of their folded names. */
export function nameIndexer(programs: string[]): Indexer<Entity> {
  const types = valuesOf('entities', 'entity_type');
  const records: Entity[] = [];
  const blocks = blockIndexer();
  return {
    add(record, line) {
      records.push(record);
      blocks.add(line);
    },
    finish() {
      const countries = [...new Set(records.flatMap((record) => record.countries))].sort(byCodeUnits);
      const countryIds = new Map(countries.map((country, id) => [country, id]));
      const from = [0];
      for (const record of records) from.push((from.at(-1) ?? 0) + record.countries.length);
      const header: JsonObject = {
        names: records.map(({ name }) => fold(name)),
        types: [...types],
        programs,
        countries: countries.map(countrySpellings),
      };
      return encodeIndex(header, {
        type: Uint32Array.from(records, (record) => types.indexOf(record.entity_type)),
        programs: Uint32Array.from(records, (record) =>
          record.programs.reduce((mask, program) => mask | (1 << programs.indexOf(program)), 0),
        ),
        countryFrom: Uint32Array.from(from),
        country: Uint32Array.from(
          records.flatMap((record) => record.countries.map((country) => countryIds.get(country) ?? 0)),
        ),
        ...blocks.finish(),
      });
    },
  };
}

/** One row as the index sees it: its dimension values in order, and its period. */
interface IndexedRow {
  dims: readonly string[];
  period: string;
}

/** The indexer of rows ordered by dimensions, then period. Memory grows with series and blocks, not with rows. */
export function seriesIndexer(names: readonly string[]): Indexer<IndexedRow> {
  const dimensions = names.map((name) => ({ name, values: numbered(), column: [] as number[] }));
  const periods = numbered();
  const patterns = numbered();
  const patternColumn: number[] = [];
  const rowColumn: number[] = [];
  const blocks = blockIndexer();
  let current: readonly string[] | null = null;
  let pattern: [period: number, rows: number][] = [];
  let rows = 0;

  const endRun = (): void => {
    if (current) patternColumn.push(patterns.idOf(JSON.stringify(pattern)));
    pattern = [];
  };
  return {
    add({ dims, period }, line) {
      if (current !== dims && (!current || current.some((value, position) => value !== dims[position]))) {
        endRun();
        current = dims;
        for (const [position, { values, column }] of dimensions.entries())
          column.push(values.idOf(dims[position] ?? ''));
        rowColumn.push(rows);
      }
      const id = periods.idOf(period);
      const last = pattern.at(-1);
      if (last && last[0] === id) last[1] += 1;
      else pattern.push([id, 1]);
      blocks.add(line);
      rows += 1;
    },
    finish() {
      endRun();
      current = null;
      const dims: string[][] = [];
      const columns: Record<string, Uint32Array> = {};
      for (const { name, values, column } of dimensions) {
        const { list, rank } = values.sorted();
        dims.push([name, ...list]);
        columns[name] = Uint32Array.from(column, (id) => rank[id] ?? 0);
      }
      const { list, rank } = periods.sorted();
      return encodeIndex(
        { dims, periods: list, rows },
        {
          ...columns,
          pattern: Uint32Array.from(patternColumn),
          row: Uint32Array.from(rowColumn),
          ...patternColumns(patterns.list(), rank),
          ...blocks.finish(),
        },
        digest,
      );
    },
  };
}

function digest(bytes: Uint8Array): Buffer {
  return hashOf('sha256', bytes, 'buffer');
}

/** Whole lines up to this size make a block: larger ones make a cold read slower, smaller ones the index larger. */
const BLOCK_BYTES = 16 * 1024;

/** The block columns of any pack: lines grouped into blocks with their first row, offset and sha256. */
function blockIndexer(): { add(line: Uint8Array): void; finish(): Record<string, Uint32Array> } {
  const firstRow: number[] = [];
  const start: number[] = [];
  const high: number[] = [];
  const hash: number[] = [];
  let block = Buffer.alloc(BLOCK_BYTES);
  let size = 0;
  let row = 0;
  let offset = 0;
  const endBlock = (): void => {
    if (size === 0) return;
    hash.push(...wordsOf(digest(block.subarray(0, size))));
    offset += size;
    size = 0;
  };
  return {
    add(line) {
      if (size + line.length > BLOCK_BYTES) endBlock();
      if (size === 0) {
        firstRow.push(row);
        start.push(offset % 2 ** 32);
        high.push(Math.floor(offset / 2 ** 32));
      }
      // Only a block of one line is longer.
      if (line.length > block.length) block = Buffer.alloc(line.length);
      block.set(line, size);
      size += line.length;
      row += 1;
    },
    finish() {
      endBlock();
      return {
        blockRow: Uint32Array.from(firstRow),
        blockStart: Uint32Array.from(start),
        blockStartHigh: Uint32Array.from(high),
        blockHash: Uint32Array.from(hash),
      };
    },
  };
}

/** Patterns as columns: a pack of irregular series has nearly as many of them as runs. */
function patternColumns(texts: string[], rank: Uint32Array): Record<string, Uint32Array> {
  const from = [0];
  const period: number[] = [];
  const rows: number[] = [];
  for (const text of texts) {
    for (const [id, count] of JSON.parse(text) as [period: number, rows: number][]) {
      period.push(rank[id] ?? 0);
      rows.push(count);
    }
    from.push(period.length);
  }
  return {
    patternFrom: Uint32Array.from(from),
    patternPeriod: Uint32Array.from(period),
    patternRows: Uint32Array.from(rows),
  };
}

/** Texts numbered as they come. `sorted` gives them by code units, and for each number its place among them. */
export function numbered() {
  const ids = new Map<string, number>();
  return {
    idOf(text: string): number {
      const known = ids.get(text);
      if (known !== undefined) return known;
      ids.set(text, ids.size);
      return ids.size - 1;
    },
    list: () => [...ids.keys()],
    sorted(): { list: string[]; rank: Uint32Array } {
      const list = [...ids.keys()].sort(byCodeUnits);
      const rank = new Uint32Array(list.length);
      for (const [place, text] of list.entries()) rank[ids.get(text) ?? 0] = place;
      return { list, rank };
    },
  };
}
