/**
 * UNODC annex tables that print one observation a row (drug seizures, drug prices): opens the table, hands out its rows
 * and types their cells, or refuses naming the cell. What it does not hand out (sheets, columns, notes) it counts.
 */
import type { Geography, ObservationRow } from '../lib/dataset.ts';
import { count, type Audit } from './audit.ts';
import type { KnownCopies, SourceFacts, SourceFile } from './family.ts';
import { geographyOf, geographyOfCode } from '../reference/geography.ts';
import { findHeader, type Columns, type Header } from './header.ts';
import { Refusal, shown } from './refusal.ts';
import { foldSpace } from '../lib/text.ts';
import { openWorkbook, type Sheet } from './workbook.ts';

/** An opened table: header found by words, rows below it. */
export interface AnnexTable<K extends string> {
  file: SourceFile;
  sheet: Sheet;
  header: Header<K>;
}

/** One row of the table; `key` is a column of its header. */
export interface AnnexRow<K extends string> {
  /** Text with white space folded, empty when blank; a number that stands for text is written out. */
  text(key: K): string;
  /** The same, refused when blank. */
  needed(key: K): string;
  /** `YYYY`, 1900 to 2200. */
  year(key: K): string;
  /** A number of zero or more; null when blank. */
  amount(key: K): number | null;
  /** `Sheet name!H3` of the column's cell. */
  locator(key: K): string;
}

/** Opens the one file's sheet; other sheets and unread columns are counted as withheld. Throws a Refusal. */
export function openAnnex<K extends string>(
  files: SourceFile[],
  sheetName: string,
  columns: Columns<K>,
  audit: Audit,
): AnnexTable<K> {
  const [file] = files;
  if (!file || files.length > 1)
    throw new Refusal(file?.name ?? 'import', 'the files', 'one workbook', `${files.length} files`);
  const workbook = openWorkbook(file.name, file.bytes);
  const sheet = workbook.sheet(sheetName);
  for (const other of workbook.sheets)
    if (other !== sheet) count(audit.withheld, `sheet "${other.name}", never read`);
  const header = findHeader(file.name, sheet, columns);
  countUnread(sheet, header, audit);
  return { file, sheet, header };
}

/** The table's rows in order; blank rows end nothing, and a lone text (a note, a source line) is counted as withheld. */
export function* annexRows<K extends string>(table: AnnexTable<K>, audit: Audit): Generator<AnnexRow<K>> {
  const { sheet, header } = table;
  for (let row = header.row + 1; row <= sheet.lastRow; row += 1) {
    const filled = filledCells(sheet, row);
    if (filled.length === 0) continue;
    audit.read += 1;
    if (filled.length === 1 && typeof filled[0] === 'string')
      count(audit.withheld, 'line with a single text: a note');
    else yield annexRow(table, row);
  }
}

function annexRow<K extends string>({ file, sheet, header }: AnnexTable<K>, row: number): AnnexRow<K> {
  const cellOf = (key: K) => sheet.cell(row, header.column[key]);
  const locator = (key: K): string => sheet.locator(row, header.column[key]);
  const refuse = (key: K, expected: string): never => {
    throw new Refusal(file.name, locator(key), expected, shown(cellOf(key).value));
  };
  const text = (key: K): string => {
    const { value } = cellOf(key);
    if (typeof value === 'boolean') return refuse(key, 'text');
    return value === null ? '' : foldSpace(String(value));
  };
  return {
    text,
    needed: (key) => text(key) || refuse(key, 'text'),
    year(key) {
      const { value } = cellOf(key);
      const valid = typeof value === 'number' && Number.isInteger(value) && value >= 1900 && value <= 2200;
      return valid ? String(value) : refuse(key, 'a year, 1900 to 2200');
    },
    amount(key) {
      const { value, formula } = cellOf(key);
      if (formula?.includes('['))
        throw new Refusal(file.name, locator(key), 'a number', `a link to another workbook, =${formula}`);
      if (value === null) return null;
      return typeof value === 'number' && value >= 0 ? value : refuse(key, 'a number of zero or more');
    },
    locator,
  };
}

function filledCells(sheet: Sheet, row: number): (string | number | boolean)[] {
  const filled: (string | number | boolean)[] = [];
  for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1) {
    const { value } = sheet.cell(row, column);
    if (value !== null) filled.push(value);
  }
  return filled;
}

function countUnread<K extends string>(
  sheet: Sheet,
  { row, column: columns }: Header<K>,
  audit: Audit,
): void {
  const read = new Set<number>(Object.values(columns));
  for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1) {
    if (read.has(column)) continue;
    const heading = sheet.cell(row, column).value;
    if (heading !== null) count(audit.withheld, `column "${foldSpace(String(heading))}"`);
    else if (hasContent(sheet, row, column)) count(audit.withheld, 'column without a heading');
  }
}

function hasContent(sheet: Sheet, header: number, column: number): boolean {
  for (let row = header + 1; row <= sheet.lastRow; row += 1)
    if (sheet.cell(row, column).value !== null) return true;
  return false;
}

/** Collects a dataset's geographies, one name a code. */
export interface GeographyList {
  /** The code of a printed name, checked against the printed alpha-3 where the source has one; refuses the unknown. */
  codeOf(name: string, alpha3: string, file: string, locator: string): string;
  /** All geographies met, by code. */
  sorted(): Geography[];
}

/** An empty list. The first printed name of a code stays; other spellings are noted in the audit. */
export function newGeographyList(audit: Audit): GeographyList {
  const known = new Map<string, Geography>();
  return {
    codeOf(name, alpha3, file, locator) {
      const named = geographyOf(name);
      const geography = (/^[A-Z]{3}$/.test(alpha3) ? geographyOfCode(alpha3, name) : null) ?? named;
      if (!geography) throw new Refusal(file, locator, 'a country name of the geography table', shown(name));
      if (named && named.code !== geography.code)
        throw new Refusal(file, locator, `the code of ${shown(name)}, ${named.code}`, shown(alpha3));
      const earlier = known.get(geography.code);
      if (!earlier) known.set(geography.code, geography);
      else if (earlier.name !== geography.name)
        count(audit.notes, 'rows with a second spelling of a country');
      return geography.code;
    },
    sorted: () => [...known.values()].sort((a, b) => (a.code < b.code ? -1 : 1)),
  };
}

/** Counts what was kept and why values are missing, and notes rows that share every key column with another. */
export function countRows(rows: readonly ObservationRow[], audit: Audit): void {
  audit.kept += rows.length;
  const twins = new Map<string, number>();
  for (const row of rows) {
    if (row.unavailableReason !== null) count(audit.unavailable, row.unavailableReason);
    const key = JSON.stringify([row.indicatorId, row.geoCode, row.category, row.subgroup, row.period]);
    twins.set(key, (twins.get(key) ?? 0) + 1);
  }
  for (const times of twins.values())
    if (times > 1) count(audit.notes, 'rows that share all keys with another row, all kept', times);
}

/** The facts of a copy: of the edition on record, or `unknown` with a note where the copy is not on record. */
export function factsOfCopy(
  facts: SourceFacts,
  unknown: Pick<SourceFacts, 'id' | 'title' | 'url' | 'path'>,
  file: SourceFile,
  known: KnownCopies,
): SourceFacts {
  if (known[file.sha256]) return facts;
  const note = 'Edition and file address of this copy are not on record; its date is the date of retrieval.';
  return { ...facts, ...unknown, notes: [...facts.notes, note] };
}
