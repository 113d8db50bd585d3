/**
 * Reads a UNODC cultivation table: one line a country or total, one column a year. Years may be Excel dates, narrow
 * columns of footnote marks stand between them, and bounds are lines of their own under the best estimate.
 * It knows the table's shape, not its countries; nothing is filled in.
 */
import { count, type Audit } from './audit.ts';
import { Refusal, shown } from './refusal.ts';
import { foldSpace } from '../lib/text.ts';
import { type Cell, type Sheet, type Workbook } from './workbook.ts';

/** A line of best estimates with the rows of its bounds (0 where it has none). */
export interface CultivationLine {
  row: number;
  /** The printed label without its qualifier and footnote marks. */
  name: string;
  /** True for a line the source calls rounded. */
  rounded: boolean;
  /** Text of each footnote the label refers to. */
  footnotes: string[];
  lower: number;
  upper: number;
}

export interface CultivationTable {
  sheet: Sheet;
  unit: string;
  years: { period: string; column: number }[];
  lines: CultivationLine[];
}

const MARKS = /^[a-z](?:\s*,\s*[a-z])*$/;
const LABEL = /^(.*?)(?: \(((?:best|lower|upper)[^)]*)\))?(?: ([a-z](?:\s*,\s*[a-z])*))?$/;
const NOTES = /^(?:sources?|notes?)\b.*:/i;
const PRODUCTION = /\b(?:yields?|production)\b/i;

/** The one sheet whose titles name hectares, other sheets counted as withheld; `isListed` knows geographies. Throws a Refusal. */
export function readCultivationTable(
  file: string,
  workbook: Workbook,
  isListed: (name: string) => boolean,
  audit: Audit,
): CultivationTable {
  const tables = workbook.sheets.filter((sheet) => findUnit(sheet) !== null);
  const [sheet] = tables;
  if (!sheet || tables.length > 1)
    throw new Refusal(
      file,
      'the list of sheets',
      'one sheet with "(hectares)" above a row of years',
      String(tables.length),
    );
  for (const other of workbook.sheets)
    if (other !== sheet) count(audit.withheld, 'sheet without an area in hectares');
  const header = yearRow(sheet);
  const years = readYears(file, sheet, header, audit);
  const firstYear = Math.min(...years.map(({ column }) => column));
  const notesRow = findNotes(sheet, header, firstYear);
  checkBetweenYears(file, sheet, header, notesRow, years, audit);
  const footnotes = readFootnotes(sheet, notesRow);
  const lines = readLines(file, sheet, { header, notesRow, firstYear, years, footnotes, isListed }, audit);
  return { sheet, unit: 'hectares', years, lines };
}

function findUnit(sheet: Sheet): string | null {
  for (let row = sheet.firstRow; row < yearRow(sheet); row += 1)
    for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1) {
      const { value } = sheet.cell(row, column);
      if (typeof value === 'string' && /\(hectares\)/i.test(value)) return 'hectares';
    }
  return null;
}

/** The first row with three years or more; 0 where there is none. */
function yearRow(sheet: Sheet): number {
  for (let row = sheet.firstRow; row <= Math.min(sheet.lastRow, sheet.firstRow + 30); row += 1) {
    let years = 0;
    for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1)
      if (yearOf(sheet.cell(row, column)) !== null) years += 1;
    if (years >= 3) return row;
  }
  return 0;
}

/** 2014, "2014", or an Excel date shown as a year; null for anything else. */
function yearOf({ value, format }: Cell): number | null {
  const isDate = format !== null && /y/i.test(format);
  if (typeof value === 'number' && isDate) return value > 2200 ? yearOfSerial(value) : null;
  const year = typeof value === 'string' && /^\d{4}$/.test(value.trim()) ? Number(value) : (value as unknown);
  return typeof year === 'number' && Number.isInteger(year) && year >= 1900 && year <= 2200 ? year : null;
}

function yearOfSerial(serial: number): number | null {
  const year = new Date(Date.UTC(1899, 11, 30) + Math.floor(serial) * 86_400_000).getUTCFullYear();
  return year >= 1900 && year <= 2200 ? year : null;
}

function readYears(file: string, sheet: Sheet, header: number, audit: Audit): CultivationTable['years'] {
  const years: CultivationTable['years'] = [];
  for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1) {
    const cell = sheet.cell(header, column);
    if (cell.value === null) continue;
    const year = yearOf(cell);
    if (year !== null) {
      const period = String(year);
      if (years.some((known) => known.period === period))
        throw new Refusal(file, sheet.locator(header, column), 'each year once', `a second ${period}`);
      years.push({ period, column });
    } else if (typeof cell.value === 'string' && PRODUCTION.test(cell.value))
      count(audit.withheld, 'column of yield or production');
    else if (years.length > 0 || typeof cell.value !== 'string')
      throw new Refusal(file, sheet.locator(header, column), 'a year', shown(cell.value));
  }
  return years;
}

function findNotes(sheet: Sheet, header: number, firstYear: number): number {
  for (let row = header + 1; row <= sheet.lastRow; row += 1)
    if (NOTES.test(labelOf(sheet, row, firstYear) ?? '')) return row;
  return sheet.lastRow + 1;
}

/** The first text of a row left of the years. */
function labelOf(sheet: Sheet, row: number, firstYear: number): string | null {
  for (let column = sheet.firstColumn; column < firstYear; column += 1) {
    const { value } = sheet.cell(row, column);
    if (typeof value === 'string') return foldSpace(value);
  }
  return null;
}

/** Columns without a year may hold footnote marks only: a number there would be a value we failed to see. */
function checkBetweenYears(
  file: string,
  sheet: Sheet,
  header: number,
  notesRow: number,
  years: CultivationTable['years'],
  audit: Audit,
): void {
  const columns = years.map(({ column }) => column);
  for (let column = Math.min(...columns); column <= sheet.lastColumn; column += 1) {
    if (columns.includes(column) || sheet.cell(header, column).value !== null) continue;
    for (let row = header + 1; row < notesRow; row += 1) {
      const { value } = sheet.cell(row, column);
      if (value === null) continue;
      if (typeof value !== 'string' || !MARKS.test(foldSpace(value)))
        throw new Refusal(file, sheet.locator(row, column), 'a footnote mark', shown(value));
      count(audit.notes, 'footnote mark beside a value');
    }
  }
}

function readFootnotes(sheet: Sheet, notesRow: number): Map<string, string> {
  const footnotes = new Map<string, string>();
  for (let row = notesRow; row <= sheet.lastRow; row += 1)
    for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1) {
      const { value } = sheet.cell(row, column);
      if (typeof value !== 'string') continue;
      for (const line of value.split(/\r?\n/)) {
        const [, mark, text] = /^\s*([a-z])\)\s*(.+)$/.exec(line) ?? [];
        if (mark && text) footnotes.set(mark, foldSpace(text));
      }
    }
  return footnotes;
}

interface Frame {
  header: number;
  notesRow: number;
  firstYear: number;
  years: CultivationTable['years'];
  footnotes: Map<string, string>;
  isListed: (name: string) => boolean;
}

function readLines(file: string, sheet: Sheet, frame: Frame, audit: Audit): CultivationLine[] {
  const lines: CultivationLine[] = [];
  let inProduction = false;
  for (let row = frame.header + 1; row < frame.notesRow; row += 1) {
    const label = labelOf(sheet, row, frame.firstYear);
    const filled = frame.years.some(({ column }) => sheet.cell(row, column).value !== null);
    if (label === null && !filled) continue;
    audit.read += 1;
    inProduction ||= label !== null && PRODUCTION.test(label);
    if (inProduction) count(audit.withheld, 'row of yield or production');
    else if (label === null) count(audit.withheld, 'row of values without a label');
    else if (!filled && !frame.isListed(nameOf(label)))
      count(audit.withheld, 'heading or row without any value');
    else {
      audit.kept += 1;
      takeLine(file, sheet, row, label, frame.footnotes, lines);
    }
  }
  return lines;
}

function nameOf(label: string): string {
  return LABEL.exec(label)?.[1] ?? label;
}

function takeLine(
  file: string,
  sheet: Sheet,
  row: number,
  label: string,
  known: Map<string, string>,
  lines: CultivationLine[],
): void {
  const place = `${sheet.name}!${row}:${row}`;
  const [, name = '', qualifier = 'best estimate', marks = ''] = LABEL.exec(label) ?? [];
  const bound = /^(lower|upper)(?: bound)?$/i.exec(name)?.[1]?.toLowerCase();
  if (bound === 'lower' || bound === 'upper') {
    const best = lines.at(-1);
    if (!best || best[bound] !== 0)
      throw new Refusal(file, place, `a best estimate above its ${bound} bound`, shown(label));
    best[bound] = row;
    return;
  }
  if (!/^best estimate(?:, rounded)?$/i.test(qualifier))
    throw new Refusal(file, place, '"(best estimate)" or "(best estimate, rounded)"', shown(label));
  const footnotes = marks === '' ? [] : marks.split(/\s*,\s*/).map((mark) => known.get(mark) ?? null);
  const missing = footnotes.indexOf(null);
  if (missing >= 0) throw new Refusal(file, place, 'a footnote for each mark of the label', shown(label));
  const texts = footnotes.filter((text) => text !== null);
  const rounded = /rounded/i.test(qualifier);
  lines.push({ row, name, rounded, footnotes: texts, lower: 0, upper: 0 });
}
