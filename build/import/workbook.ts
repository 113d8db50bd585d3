/**
 * Excel workbooks as the importers see them, and the only importer of the xlsx library. A cell keeps its place, raw value and
 * formula; nothing is formatted, converted or filled. In a merged area the first cell has the value; the others name that cell.
 */
import { read, utils, type CellObject, type Range, type WorkBook, type WorkSheet } from '@e965/xlsx';
import type { Cell } from './cells.ts';
import { brokenFormulas, type Formula } from './formulas.ts';
import { zipEntries, type ZipEntry } from '../lib/zip.ts';
import { count, Refusal, type Audit, type SourceFile } from './importer.ts';
import { checkSheets, partsOf, type Marks } from './workbook-parts.ts';

/** A worksheet with rows and columns counted from 1. */
export interface Sheet {
  file: string;
  name: string;
  /** The rows that hold anything, in order. The size that a workbook states may be the largest possible. */
  rows: number[];
  /** The columns that hold anything, in order. */
  columns: number[];
  /** What Excel does not show: the sheet, how many of its rows and columns, and cells under a merged one. All are read like any other. */
  hidden: { sheet: number; row: number; column: number; cell: number };
  /** How many cells have a comment, which is not packaged. */
  comments: number;
  /** The cell of a row and column; blank where there is none. */
  cell(row: number, column: number): Cell;
  cells(row: number): Cell[];
}

/** A workbook's sheets in order. */
export interface Workbook {
  file: string;
  sheets: Sheet[];
}

const opened = new WeakMap<SourceFile, Workbook>();

/** Opens .xlsx bytes, once per file. Throws a Refusal for a file that is not a whole workbook. */
export function openWorkbook(source: SourceFile): Workbook {
  const known = opened.get(source) ?? readWorkbook(source);
  opened.set(source, known);
  return known;
}

function readWorkbook({ name: file, bytes }: SourceFile): Workbook {
  const refuse = (found: string): never => {
    throw new Refusal(file, 'the file', 'an .xlsx workbook', found);
  };
  if (isLegacyWorkbook(bytes))
    refuse('a workbook in the older form .xls, or one with a password; save it as .xlsx, without');
  if (!isWorkbook(bytes)) refuse('something else');
  const broken = 'a broken or incomplete one; download it again';
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = entriesOf(data) ?? refuse(broken);
  const size = entries.reduce((sum, entry) => sum + entry.size, 0) / 1024 ** 2;
  if (size > MOST_UNPACKED) refuse(`one of ${Math.ceil(size)} MiB when unpacked, more than ${MOST_UNPACKED}`);
  const partOf = partsOf(data, entries) ?? refuse(broken);
  if (partOf('xl/workbook.xml') === null)
    refuse(
      'a file of another kind, such as an .ods or .xlsb workbook or a .zip archive; save or unpack it as .xlsx',
    );
  const book = parsed(bytes) ?? refuse(broken);
  const given = (at: number, address: string): 'formula' | 'value' | null => {
    const found = book.Sheets[book.SheetNames[at] ?? '']?.[address] as CellObject | undefined;
    if (!found) return null;
    return found.f || found.F !== undefined ? 'formula' : 'value';
  };
  const marks = checkSheets({ file, names: book.SheetNames, given }, partOf);
  if (book.Workbook?.WBProps?.date1904 === true) refuse('one whose dates count from 1904, which shifts them');
  const states = book.Workbook?.Sheets ?? [];
  const unsound =
    brokenFormulas(formulasIn(book), book.Workbook?.Names ?? []) ??
    refuse('one with too many formulas that refer to broken ones');
  const sheets = book.SheetNames.map((name, at) =>
    asSheet(file, name, book.Sheets[name] ?? {}, {
      isHidden: (states[at]?.Hidden ?? 0) > 0,
      marks: marks[at],
      broken: unsound.get(name),
    }),
  );
  return { file, sheets };
}

/** Most MiB of a file, and of the files in a workbook when unpacked; those of publishers are far smaller. */
export const MOST_UNPACKED = 64;

function entriesOf(data: Buffer): ZipEntry[] | null {
  try {
    return zipEntries(data);
  } catch {
    return null;
  }
}

function parsed(bytes: Uint8Array): WorkBook | null {
  try {
    const book = read(bytes, {
      cellFormula: true,
      cellNF: true,
      cellHTML: false,
      cellText: false,
      cellDates: false,
      // Only with styles does the library say which rows and columns are hidden.
      cellStyles: true,
    });
    return book.SheetNames.length > 0 ? book : null;
  } catch {
    return null;
  }
}

/** True for the bytes of a zip file, as every .xlsx workbook is one. */
export function isWorkbook(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/** True for the bytes of a compound file, as every .xls workbook is one. */
function isLegacyWorkbook(bytes: Uint8Array): boolean {
  return [0xd0, 0xcf, 0x11, 0xe0].every((byte, at) => bytes[at] === byte);
}

/** Counts what Excel does not show but the importer reads, and comments, which it does not read. */
export function countHidden({ sheets }: Workbook, audit: Audit): void {
  for (const { name, hidden, comments } of sheets) {
    for (const part of ['sheet', 'row', 'column', 'cell'] as const)
      if (hidden[part] > 0)
        count(audit.notes, `hidden ${part} of "${name}", not treated otherwise`, hidden[part]);
    if (comments > 0) count(audit.withheld, `comment on a cell of "${name}"`, comments);
  }
}

/** What the parts of a workbook say about one of its sheets. */
interface Apart {
  isHidden: boolean;
  marks: Marks | undefined;
  /** The broken formulas of the sheet, by address. */
  broken: ReadonlyMap<string, string> | undefined;
}

/** The formula of a cell; one over several cells is written in the first of them. */
function formulaAt(sheet: WorkSheet, address: string): string | undefined {
  const found = sheet[address] as CellObject | undefined;
  const first = found?.F?.split(':')[0];
  return found?.f ?? (first === undefined ? undefined : (sheet[first] as CellObject | undefined)?.f);
}

function formulasIn({ SheetNames, Sheets }: WorkBook): Formula[] {
  return SheetNames.flatMap((name) => {
    const sheet = Sheets[name] ?? {};
    return Object.keys(sheet).flatMap((address) => {
      const text = address.startsWith('!') ? undefined : formulaAt(sheet, address);
      if (text === undefined) return [];
      const { r: row, c: column } = utils.decode_cell(address);
      return [{ sheet: name, address, row, column, text }];
    });
  });
}

function asSheet(file: string, name: string, sheet: WorkSheet, { isHidden, marks, broken }: Apart): Sheet {
  const filled = Object.keys(sheet).flatMap((address) => {
    const found = address.startsWith('!') ? undefined : (sheet[address] as CellObject);
    return valueOf(found) === null && !isUncalculated(found) ? [] : utils.decode_cell(address);
  });
  const inOrder = (all: number[]): number[] => [...new Set(all)].sort((a, b) => a - b);
  const columns = inOrder(filled.map(({ c }) => c + 1));
  const hiddenIn = (list: { hidden?: boolean }[] = []) => list.filter((one) => one?.hidden === true).length;
  const at = (address: string): CellObject | undefined => sheet[address] as CellObject | undefined;
  const rows = inOrder(filled.map(({ r }) => r + 1));
  if (rows.length * columns.length > MOST_CELLS)
    throw new Refusal(
      file,
      `the sheet "${name}"`,
      `at most ${MOST_CELLS} cells, blank ones included`,
      `${rows.length} rows with ${columns.length} columns`,
    );
  const merged = sheet['!merges'] ?? [];
  const areas = areasByRow(merged, rows);
  if (areas === null)
    throw new Refusal(
      file,
      `the sheet "${name}"`,
      `merged areas of at most ${MOST_MERGED} rows together`,
      `${merged.length} areas with more`,
    );
  const coveredBy = (r: number, c: number): string | undefined => {
    const near = areas.get(r) ?? merged;
    const area = near.find(({ s, e }) => s.r <= r && r <= e.r && s.c <= c && c <= e.c);
    return area && (area.s.r < r || area.s.c < c) ? utils.encode_cell(area.s) : undefined;
  };
  const [hiddenRows, hiddenColumns] = [hiddenIn(sheet['!rows']), hiddenIn(sheet['!cols'])];
  const comments = Object.keys(sheet).filter((address) => at(address)?.c !== undefined).length;
  const covered = filled.filter(({ r, c }) => coveredBy(r, c) !== undefined).length;
  const hidden = { sheet: isHidden ? 1 : 0, row: hiddenRows, column: hiddenColumns, cell: covered };
  const cell = (row: number, column: number): Cell => {
    const address = utils.encode_cell({ r: row - 1, c: column - 1 });
    const found = at(address);
    const formula = broken?.get(address) ?? formulaAt(sheet, address);
    const mark = marks?.get(address);
    const value = markedOff(valueOf(found), mark);
    const covering = value === null ? coveredBy(row - 1, column - 1) : undefined;
    return {
      file,
      place: `${name}!${address}`,
      row,
      value,
      formula: formula ?? null,
      format: found?.z === undefined ? null : String(found.z),
      ...(isUncalculated(found) && { isUncalculated: true }),
      ...(covering !== undefined && { coveredBy: covering }),
      ...(mark !== undefined && { mark }),
    };
  };
  return {
    file,
    name,
    rows,
    columns,
    hidden,
    comments,
    cell,
    cells: (row) => columns.map((column) => cell(row, column)),
  };
}

/** Most cells in the rows and columns that hold anything; publishers' sheets have some hundred thousand. */
const MOST_CELLS = 5_000_000;

/** Most rows of merged areas, each counted once for each area; publishers' sheets have far fewer. */
const MOST_MERGED = 1_000_000;

/** The merged areas by the rows (from 0) that hold anything, which are given from 1 in order; null where they are too many. */
function areasByRow(areas: readonly Range[], rows: readonly number[]): Map<number, Range[]> | null {
  const later = areas.toSorted((a, b) => b.s.r - a.s.r);
  const found = new Map<number, Range[]>();
  let open: Range[] = [];
  let listed = 0;
  for (const row of rows) {
    const starting: Range[] = [];
    for (let next = later.at(-1); next && next.s.r < row; next = later.at(-1)) {
      starting.push(next);
      later.pop();
    }
    open = [...open, ...starting].filter(({ e }) => e.r >= row - 1);
    listed += open.length;
    if (listed > MOST_MERGED) return null;
    found.set(row - 1, open);
  }
  return found;
}

/** A text with a space before the raised mark at its end, which does not belong to its last word. */
function markedOff(value: Cell['value'], mark: string | undefined): Cell['value'] {
  const text = typeof value === 'string' ? value.trimEnd() : '';
  return mark !== undefined && text.endsWith(mark) ? `${text.slice(0, -mark.length)} ${mark}` : value;
}

function isUncalculated(cell: CellObject | undefined): boolean {
  return cell?.f !== undefined && cell.t === 'z';
}

/** What Excel shows for an error, by the library's number of it. */
const ERRORS = new Map([
  [0, '#NULL!'],
  [7, '#DIV/0!'],
  [15, '#VALUE!'],
  [23, '#REF!'],
  [29, '#NAME?'],
  [36, '#NUM!'],
  [42, '#N/A'],
  [43, '#GETTING_DATA'],
]);

function valueOf(cell: CellObject | undefined): Cell['value'] {
  const raw =
    cell?.t === 'e' ? (ERRORS.get(Number(cell.v)) ?? '#N/A') : cell?.t === 'z' ? undefined : cell?.v;
  const isBlank = raw === undefined || raw instanceof Date || (typeof raw === 'string' && raw.trim() === '');
  return isBlank ? null : raw;
}
