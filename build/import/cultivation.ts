/**
 * UNODC World Drug Report annexes 6.1.1 and 6.2.1: areas under illicit cultivation, one dataset per crop.
 * A table has one line per country or total and one column per year. Years may be Excel dates, narrow columns of
 * footnote marks are between them, and bounds are lines of their own under the best estimate. Nothing is filled in.
 */
import type { Geography } from '../lib/dataset.ts';
import { foldSpace } from '../lib/text.ts';
import { geographyOf } from '../reference/geography.ts';
import {
  amountOf,
  refuse,
  refuseOtherUnit,
  refuseScale,
  shapeOf,
  textOf,
  windowIn,
  yearIn,
  type Amount,
  type Cell,
} from './cells.ts';
import { readFamily, type Family } from './family.ts';
import { observationsImporter, type Reading } from './observations.ts';
import { count, Refusal, shown, type Audit, type Importer } from './importer.ts';
import { isOutsideBounds, observation, refuseTwin, type UnsourcedRow } from './observations.ts';
import { cellUnder, rowPlace, textsAbove, topRows } from './table.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts';

/** Imports annex 6.1.1 as `coca-cultivation`. */
export const coca: Importer = observationsImporter(readFamily('coca'), 'one workbook', readAreas);

/** Imports annex 6.2.1 as `opium-cultivation`. */
export const opium: Importer = observationsImporter(readFamily('opium'), 'one workbook', readAreas);

function readAreas(reading: Reading): UnsourcedRow[] {
  const { family, file, geographies, audit } = reading;
  const isListed = (name: string): boolean => findGeography(family, name) !== null;
  const { sheet, years, lines } = readCultivationTable(openWorkbook(file), family.name, isListed, audit);
  const seen = new Map<string, string>();
  const rows = lines.flatMap((line) => {
    const geography = findGeography(family, line.name);
    if (!geography)
      throw new Refusal(file.name, rowPlace(sheet, line.row), 'a known country or total', shown(line.name));
    const series = { reading, sheet, line, geoCode: geographies.add(geography), seen };
    return years.map(({ period, column }) => areaOf(series, period, column));
  });
  count(audit.notes, 'records written', rows.length);
  return rows;
}

function findGeography({ aggregates }: Family, name: string): Geography | null {
  return aggregates[name.toLowerCase()] ?? geographyOf(name);
}

interface Series {
  reading: Reading;
  sheet: Sheet;
  line: CultivationLine;
  geoCode: string;
  seen: Map<string, string>;
}

function areaOf(
  { reading: { family, audit }, sheet, line, geoCode, seen }: Series,
  period: string,
  column: number,
): UnsourcedRow {
  // Footnotes that name an area concept tell lines of one country apart; they are quoted as printed.
  const concepts = line.footnotes.filter((text) =>
    family.concepts.some(({ says }) => new RegExp(says, 'i').test(text)),
  );
  const category = line.isRounded ? 'rounded' : concepts.join(' ');
  const cell = sheet.cell(line.row, column);
  const best = hectaresIn(cell);
  const [lower, upper] = [line.lower, line.upper].map((row) => {
    const bound = hectaresIn(cellUnder(sheet, row, row === 0 ? 0 : column));
    if (bound.reason === 'broken_formula_in_source') count(audit.notes, 'bound lost to a broken formula');
    return bound.value;
  });
  const bounds = { lower: lower ?? null, upper: upper ?? null };
  if (isOutsideBounds(best.value, bounds.lower, bounds.upper))
    count(audit.notes, 'best estimate outside its bounds kept as printed');
  // Two lines of one country under one concept would be distinguished by nothing but their place.
  const key = [geoCode, category, period].join('|');
  refuseTwin(seen, key, cell, 'line');
  return observation({
    indicatorId: family.indicators[0]?.id ?? '',
    geoCode,
    category,
    period,
    ...best,
    ...bounds,
    unit: 'hectares',
    status: 'estimated',
    sourceLocator: cell.place,
  });
}

/** A link to another workbook shows a stale cached value, so it is unavailable whatever it shows. */
function hectaresIn(cell: Cell): Amount {
  if (/\[(?:\d+|[^\]]+\.xls[a-z]?)\][^!\]]*!/i.test(cell.formula ?? ''))
    return { value: null, reason: 'broken_formula_in_source' };
  return amountOf(cell, 'hectares, ".." or a blank cell');
}

/** A line of best estimates with the rows of its bounds (0 where it has none). */
interface CultivationLine {
  row: number;
  /** The printed label without its qualifier and footnote marks. */
  name: string;
  /** Whether the source says that its numbers are rounded. */
  isRounded: boolean;
  /** Text of each footnote the label refers to. */
  footnotes: string[];
  lower: number;
  upper: number;
}

interface CultivationTable {
  sheet: Sheet;
  years: { period: string; column: number }[];
  lines: CultivationLine[];
}

const MARKS = /^[a-z](?:\s*,\s*[a-z])*$/;
const LABEL = /^(.*?)(?: \(((?:best|lower|upper)[^)]*)\))?(?: ([a-z](?:\s*,\s*[a-z])*))?$/;
const NOTES = /^(?:sources?|notes?)\b.*:/i;
const PRODUCTION = /\b(?:yields?|production|eradicat\w*)\b/i;

/** The one sheet whose titles name hectares and the crop, other sheets counted as withheld; `isListed` knows geographies. Throws a Refusal. */
function readCultivationTable(
  workbook: Workbook,
  crop: string,
  isListed: (name: string) => boolean,
  audit: Audit,
): CultivationTable {
  const tables = workbook.sheets.filter((one) => isOfAreas(one, crop));
  const [sheet] = tables;
  if (!sheet || tables.length > 1)
    throw new Refusal(
      workbook.file,
      'the list of sheets',
      `one sheet with ${crop} and "(hectares)" above a row of years`,
      String(tables.length),
    );
  for (const other of workbook.sheets)
    if (other !== sheet) count(audit.withheld, 'sheet without an area in hectares');
  const header = yearRow(sheet);
  const years = readYears(sheet, header, audit);
  const frame = { sheet, header, years, ...labelsOf(sheet, header, years) };
  checkBetweenYears(frame, audit);
  return { sheet, years, lines: readLines(frame, isListed, audit) };
}

/** A table whose rows are known: labels are left of the years, notes below them. */
interface Frame extends Omit<CultivationTable, 'lines'> {
  header: number;
  /** The first text of each row left of the years, up to the notes. */
  labels: Map<number, string | null>;
  footnotes: Map<string, string>;
}

function isOfAreas(sheet: Sheet, crop: string): boolean {
  const titles = textsAbove(sheet, yearRow(sheet)).map(textOf).join('\n').toLowerCase();
  return titles.includes('(hectares)') && titles.includes(crop) && !/\beradicat.*\(hectares\)/.test(titles);
}

/** The first row with three years or more; 0 where there is none. */
function yearRow(sheet: Sheet): number {
  const rows = topRows(sheet);
  return rows.find((row) => sheet.cells(row).filter((cell) => yearOf(cell) !== null).length >= 3) ?? 0;
}

/** 2014, "2014", or an Excel date shown as a year; null for anything else. */
function yearOf(cell: Cell): string | null {
  const { value, format } = cell;
  const isDate = typeof value === 'number' && format !== null && shapeOf(format) === 'a date';
  if (!isDate) return yearIn(cell);
  const date = new Date(Date.UTC(1899, 11, 30) + Math.floor(value) * 86_400_000);
  return value > 2200 ? yearIn({ value: date.getUTCFullYear() }) : null;
}

function readYears(sheet: Sheet, header: number, audit: Audit): CultivationTable['years'] {
  const years: CultivationTable['years'] = [];
  const titles = textsAbove(sheet, header);
  refuseScale(titles);
  refuseOtherUnit(titles.filter((title) => !PRODUCTION.test(textOf(title))));
  const [window = null] = titles.flatMap((title) => windowIn(textOf(title)) ?? []);
  for (const column of sheet.columns) {
    const cell = sheet.cell(header, column);
    if (cell.value === null) continue;
    const period = yearOf(cell);
    if (years.some((known) => known.period === period)) refuse(cell, 'each year once', `a second ${period}`);
    if (period !== null && window !== null && (period < window.first || period > window.last))
      refuse(cell, `a year from ${window.first} to ${window.last}, as the title says`, period);
    if (period !== null) years.push({ period, column });
    else if (typeof cell.value === 'string' && PRODUCTION.test(cell.value))
      count(audit.withheld, 'column of yield or production');
    else if (years.length > 0 || typeof cell.value !== 'string') refuse(cell, 'a year');
  }
  return years;
}

function labelsOf(
  sheet: Sheet,
  header: number,
  years: CultivationTable['years'],
): Pick<Frame, 'labels' | 'footnotes'> {
  const left = sheet.columns.filter((at) => years.every(({ column }) => at < column));
  const labels: Frame['labels'] = new Map();
  const footnotes: Frame['footnotes'] = new Map();
  let inNotes = false;
  for (const row of sheet.rows.filter((one) => one > header)) {
    const cells = left.map((column) => sheet.cell(row, column));
    const [first, second] = cells.filter(({ value }) => typeof value === 'string');
    const label = first ? textOf(first) : null;
    inNotes ||= NOTES.test(label ?? '');
    if (second && !inNotes && !MARKS.test(textOf(second))) refuse(second, 'a footnote mark');
    const number = cells.find(({ value }) => typeof value === 'number');
    if (number) refuse(number, 'a label; a number needs a year above it');
    refuseScale(sheet.cells(row));
    if (!inNotes) labels.set(row, label);
    else
      for (const cell of sheet.cells(row)) {
        if (typeof cell.value === 'number') refuse(cell, 'a note, as all rows below the sources are');
        for (const line of String(cell.value ?? '').split(/\r?\n/)) {
          const [, mark, text] = /^\s*([a-z])\)\s*(.+)$/.exec(line) ?? [];
          if (mark && text) footnotes.set(mark, foldSpace(text));
        }
      }
  }
  return { labels, footnotes };
}

/** Columns without a year may hold footnote marks only: a number there would be a value we failed to see. */
function checkBetweenYears({ sheet, header, years, labels }: Frame, audit: Audit): void {
  const columns = years.map(({ column }) => column);
  const between = sheet.columns.filter(
    (column) =>
      column > Math.min(...columns) && !columns.includes(column) && sheet.cell(header, column).value === null,
  );
  for (const column of between)
    for (const row of labels.keys()) {
      const cell = sheet.cell(row, column);
      if (cell.value === null) continue;
      if (typeof cell.value !== 'string' || !MARKS.test(textOf(cell))) refuse(cell, 'a footnote mark');
      count(audit.notes, 'footnote mark next to a value');
    }
}

function readLines(frame: Frame, isListed: (name: string) => boolean, audit: Audit): CultivationLine[] {
  const { sheet, years, labels } = frame;
  const lines: CultivationLine[] = [];
  let inProduction = false;
  let above = 0;
  for (const [row, label] of labels) {
    const isFilled = years.some(({ column }) => sheet.cell(row, column).value !== null);
    if (label === null && !isFilled) continue;
    audit.read += 1;
    inProduction ||= label !== null && PRODUCTION.test(label);
    if (inProduction) count(audit.withheld, 'row of yield or production');
    else if (label === null) {
      // Below the only bound of a line it is the other one; elsewhere a line has lost its label, as where cells were merged.
      const [bound = -1, ...others] = [lines.at(-1)?.lower, lines.at(-1)?.upper].filter(Boolean);
      if (bound !== above || others.length > 0)
        refuse({ file: sheet.file, place: rowPlace(sheet, row), value: null }, 'a label for these values');
      count(audit.withheld, 'row of values without a label');
    } else if (!isFilled && !isListed(LABEL.exec(label)?.[1] ?? label))
      count(audit.withheld, 'heading or row without any value');
    else {
      audit.kept += 1;
      takeLine(frame, { row, label, above }, lines);
    }
    above = row;
  }
  return lines;
}

/** Takes the line of a label, or the bound of the line right above; `above` is the row before that holds anything. */
function takeLine(
  { sheet, footnotes: known }: Frame,
  { row, label, above }: { row: number; label: string; above: number },
  lines: CultivationLine[],
): void {
  const place = { file: sheet.file, place: rowPlace(sheet, row), value: label };
  const [, name = '', qualifier = 'best estimate', marks = ''] = LABEL.exec(label) ?? [];
  const bound = /^(lower|upper)(?: bound)?$/i.exec(name)?.[1]?.toLowerCase();
  if (bound === 'lower' || bound === 'upper') {
    const best = lines.at(-1);
    const isNext = best && [best.row, best.lower, best.upper].includes(above);
    if (!isNext || best[bound] !== 0) return refuse(place, `a best estimate above its ${bound} bound`);
    best[bound] = row;
    return;
  }
  if (!/^best estimate(?:, rounded)?$/i.test(qualifier))
    refuse(place, '"(best estimate)" or "(best estimate, rounded)"');
  const footnotes = (marks === '' ? [] : marks.split(/\s*,\s*/)).map(
    (mark) => known.get(mark) ?? refuse(place, 'a footnote for each mark of the label'),
  );
  lines.push({ row, name, isRounded: /rounded/i.test(qualifier), footnotes, lower: 0, upper: 0 });
}
