/**
 * CSV read (RFC 4180), and the only importer of csv-parse. Each record keeps its line, because locators are lines; CSV is
 * written by shim/core/csv.ts.
 */
import { parse } from 'csv-parse/sync';

/** One record with the file line (from 1) it starts on. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** Reads all records; refuses ragged rows unless `ragged`. Throws csv-parse's error with its line. */
export function readCsv(bytes: Uint8Array, options: { ragged?: boolean } = {}): CsvRecord[] {
  const plain = plainRecords(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  const [first] = plain ?? [];
  if (plain && first && plain.every(({ cells }) => cells.length === first.cells.length)) return plain;
  const found = parse(Buffer.from(bytes), {
    bom: true,
    info: true,
    relax_column_count: options.ragged ?? false,
    skip_empty_lines: true,
  }) as unknown as { info: { lines: number; bytes: number }; record: string[] }[];
  return found.map(({ info, record }) => {
    const inner = record.reduce((sum, cell) => sum + newlines(cell), 0);
    return { line: info.lines - inner, cells: record };
  });
}

/** A cell and what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/y;

/**
 * The records of a file as packaged ones are written: a line a record, LF, quotes only around whole cells. Null where a file
 * has anything else, for csv-parse to read or refuse; it takes ten times as long.
 */
function plainRecords(text: string): CsvRecord[] | null {
  if (/[\r\uFEFF\uFFFD]/.test(text)) return null;
  const records: CsvRecord[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const cells = line.includes('"') ? quotedCells(line) : line.split(',');
    if (cells === null) return null;
    records.push({ line: index + 1, cells });
  }
  return records;
}

function quotedCells(line: string): string[] | null {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (;;) {
    const at = CELL.lastIndex;
    const [found, inQuotes, bare = ''] = CELL.exec(line) ?? [];
    if (found === undefined) return null;
    cells.push(inQuotes === undefined ? bare : inQuotes.replaceAll('""', '"'));
    if (at + found.length === line.length && !found.endsWith(',')) return cells;
  }
}

function newlines(cell: string): number {
  let count = 0;
  for (const character of cell) if (character === '\n') count += 1;
  return count;
}
