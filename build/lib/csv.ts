/**
 * Reads CSV (RFC 4180); the only importer of csv-parse. Each record keeps its line, because locators are lines; CSV is
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
  try {
    return [...plainRecords([bytes])].flat();
  } catch (error) {
    if (!(error instanceof NotPlain)) throw error;
  }
  const found = parse(Buffer.from(bytes), {
    bom: true,
    info: true,
    // One file may mix them: a line added by hand, or blank lines at its end.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: options.ragged ?? false,
    skip_empty_lines: true,
  }) as unknown as { info: { lines: number; bytes: number }; record: string[] }[];
  // The library counts CR LF within a cell as two lines.
  let countedTwice = 0;
  return found.map(({ info, record }) => {
    const text = record.join();
    countedTwice += text.split('\r\n').length - 1;
    const inner = text.split(/\r\n|\r|\n/).length - 1;
    return { line: info.lines - countedTwice - inner, cells: record };
  });
}

/** Whether a file may have been cut off within its last cell. A whole file ends with a line end or a quotation mark, a file of OFAC with the byte 0x1A. */
export function isCutOff(bytes: Uint8Array): boolean {
  return !['\n', '\r', '"', '\u001A'].includes(String.fromCharCode(bytes.at(-1) ?? 0));
}

/** Thrown for a file that is not in the plain form of packaged files; `readCsv` reads or refuses it, ten times slower. */
export class NotPlain extends Error {
  override name = 'NotPlain';
}

const LINE_FEED = 0x0a;

/**
 * The records of a file in the plain form of packaged files, in batches: one record per line, LF, quotes only around whole
 * cells, the same number of cells in each. Throws NotPlain at anything else. The pieces of the file may end anywhere, and are not kept.
 */
export function* plainRecords(pieces: Iterable<Uint8Array>): Generator<CsvRecord[]> {
  let rest: Uint8Array = new Uint8Array();
  let line = 0;
  let width = -1;
  const read = (bytes: Uint8Array): CsvRecord[] => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    if (/[\r\uFEFF\uFFFD]/.test(text)) throw new NotPlain();
    const records: CsvRecord[] = [];
    const lines = text.split('\n');
    // What follows the last line end is not a line.
    if (lines.at(-1) === '') lines.pop();
    for (const one of lines) {
      line += 1;
      if (one === '') continue;
      const cells = one.includes('"') ? quotedCells(one) : one.split(',');
      if (width === -1) width = cells.length;
      else if (cells.length !== width) throw new NotPlain();
      records.push({ line, cells });
    }
    return records;
  };
  for (const piece of pieces) {
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) rest = Buffer.concat([rest, piece]);
    else {
      yield read(Buffer.concat([rest, piece.subarray(0, end)]));
      rest = Buffer.from(piece.subarray(end));
    }
  }
  if (rest.length > 0) yield read(rest);
}

/** A cell and the comma or end of line after it. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/y;

function quotedCells(line: string): string[] {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  for (;;) {
    const at = CELL.lastIndex;
    const [found, inQuotes, bare = ''] = CELL.exec(line) ?? [];
    if (found === undefined) throw new NotPlain();
    cells.push(inQuotes === undefined ? bare : inQuotes.replaceAll('""', '"'));
    if (at + found.length === line.length && !found.endsWith(',')) return cells;
  }
}
