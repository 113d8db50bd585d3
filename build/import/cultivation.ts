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
  textOf,
  windowIn,
  yearOfHeading,
  yearShown,
  type Amount,
  type Cell,
} from './cells.ts';
import { readFamily, type Family } from './family.ts';
import { LINK } from './formulas.ts';
import { conceptsIn, marksIn, refuseUnused } from './footnotes.ts';
import { count, Refusal, shown, type Audit, type Importer } from './importer.ts';
import {
  noteBounds,
  observation,
  observationsImporter,
  refuseTwin,
  type Reading,
  type UnsourcedRow,
} from './observations.ts';
import { cellUnder, countMissingYears, countOtherSheets, rowPlace, textsAbove, topRows } from './table.ts';
import { refuseOtherUnit, refuseScale } from './units.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts';

/** Imports annex 6.1.1 as `coca-cultivation`. */
export const coca: Importer = observationsImporter(readFamily('coca'), 'one workbook', readAreas);

/** Imports annex 6.2.1 as `opium-cultivation`. */
export const opium: Importer = observationsImporter(readFamily('opium'), 'one workbook', readAreas);

function readAreas(reading: Reading): UnsourcedRow[] {
  const { family, file, geographies, audit } = reading;
  const { sheet, years, lines } = readCultivationTable(openWorkbook(file), family, audit);
  const seen = new Map<string, string>();
  const rows = lines.flatMap((line) => {
    // Two lines of one country under one concept would be distinguished by nothing but their place.
    const key = [geographies.add(line.geography), line.category].join('|');
    refuseTwin(seen, key, line.label, 'line');
    return years.map((year) => areaOf(reading, sheet, line, year));
  });
  count(audit.notes, 'records written', rows.length);
  return rows;
}

function findGeography({ aggregates }: Family, name: string): Geography | null {
  return aggregates[name.toLowerCase()] ?? geographyOf(name);
}

function areaOf(
  { family, audit }: Reading,
  sheet: Sheet,
  line: CultivationLine,
  { period, column }: CultivationTable['years'][number],
): UnsourcedRow {
  const cell = sheet.cell(line.label.row, column);
  const best = hectaresIn(cell);
  const [lower, upper] = [line.lower, line.upper].map((row) => {
    const bound = hectaresIn(cellUnder(sheet, row, row === 0 ? 0 : column));
    if (bound.reason === 'broken_formula_in_source') count(audit.notes, 'bound lost to a broken formula');
    return bound.value;
  });
  const bounds = { lower: lower ?? null, upper: upper ?? null };
  noteBounds({ ...best, ...bounds }, audit);
  return observation({
    indicatorId: family.indicators[0]?.id ?? '',
    geoCode: line.geography.code,
    category: line.category,
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
  if (LINK.test(cell.formula ?? '')) return { value: null, reason: 'broken_formula_in_source' };
  return amountOf(cell, 'hectares, ".." or a blank cell');
}

/** A line of best estimates with the rows of its bounds (0 where it has none). */
interface CultivationLine {
  label: Cell;
  /** What the label names, without its qualifier and footnote marks. */
  geography: Geography;
  /** `rounded` where the source says that its numbers are, else the footnotes that name the area concept, as printed. */
  category: string;
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
const YEAR = 'a year, or a date that shows the year alone';
const NOTES = /^(?:sources?|notes?)\b.*:/i;
const PRODUCTION = /\b(?:yields?|production|eradicat\w*)\b/i;

/** The one sheet whose titles name hectares and the crop, which is the family's name; other sheets are counted as withheld. Throws a Refusal. */
function readCultivationTable(workbook: Workbook, family: Family, audit: Audit): CultivationTable {
  const [sheet, ...others] = workbook.sheets.filter((one) => isOfAreas(one, family.name));
  if (!sheet || others.length > 0) {
    const expected = `one sheet with ${family.name} and "(hectares)" above a row of years`;
    const named = (sheet ? [sheet, ...others] : workbook.sheets).map(({ name }) => shown(name)).join(', ');
    const found = `${sheet ? others.length + 1 : 0}: ${named}`;
    throw new Refusal(workbook.file, 'the list of sheets', expected, found);
  }
  // A line may have no more than a name and two years.
  countOtherSheets(workbook, [sheet], 3, family, audit);
  const header = yearRow(sheet);
  const years = readYears(sheet, header, audit);
  const frame = { family, sheet, header, years, ...labelsOf(sheet, header, years), marks: new Set<string>() };
  checkBetweenYears(frame, audit);
  const lines = readLines(frame, audit);
  refuseUnused(frame);
  return { sheet, years, lines };
}

/** A table whose rows are known: labels are left of the years, notes below them. */
interface Frame extends Omit<CultivationTable, 'lines'> {
  family: Family;
  header: number;
  /** The first text of each row left of the years, up to the notes, with the footnote marks of a cell next to it. */
  labels: Map<number, { cell: Cell; marks: string } | null>;
  footnotes: Map<string, string>;
  /** The marks that were met, at labels and next to values. */
  marks: Set<string>;
}

function isOfAreas(sheet: Sheet, crop: string): boolean {
  const printed = textsAbove(sheet, yearRow(sheet)).map(textOf).join('\n').toLowerCase();
  const titles = printed.replaceAll('(in hectares)', '(hectares)');
  return titles.includes('(hectares)') && titles.includes(crop) && !/\beradicat.*\(hectares\)/.test(titles);
}

/** The first row with three years or more; 0 where there is none. */
function yearRow(sheet: Sheet): number {
  const yearsIn = (row: number): Cell[] => sheet.cells(row).filter((cell) => yearShown(cell) !== null);
  return topRows(sheet).find((row) => yearsIn(row).length >= 3) ?? 0;
}

/** The texts that do not speak of yield or production, which have units of their own. */
function ofAreas(cells: readonly Cell[]): Cell[] {
  return cells.filter((cell) => typeof cell.value === 'string' && !PRODUCTION.test(textOf(cell)));
}

function readYears(sheet: Sheet, header: number, audit: Audit): CultivationTable['years'] {
  const years: CultivationTable['years'] = [];
  const titles = textsAbove(sheet, header);
  refuseScale(titles);
  refuseOtherUnit(ofAreas(titles));
  const [window = null] = titles.flatMap((title) => windowIn(textOf(title)) ?? []);
  for (const column of sheet.columns) {
    const cell = sheet.cell(header, column);
    if (cell.value === null) continue;
    const period = yearOfHeading(cell, YEAR);
    if (years.some((known) => known.period === period)) refuse(cell, 'each year once', `a second ${period}`);
    if (period !== null && window !== null && (period < window.first || period > window.last))
      refuse(cell, `a year from ${window.first} to ${window.last}, as the title says`, period);
    if (period !== null) years.push({ period, column });
    else if (typeof cell.value === 'string' && PRODUCTION.test(cell.value))
      count(audit.withheld, 'column of yield or production');
    else if (years.length > 0 || typeof cell.value !== 'string') refuse(cell, YEAR);
  }
  if (window) countMissingYears(sheet, years, audit, window);
  return years;
}

function labelsOf(
  sheet: Sheet,
  header: number,
  years: CultivationTable['years'],
): Pick<Frame, 'labels' | 'footnotes'> {
  const left = sheet.columns.filter((at) => years.every(({ column }) => at < column));
  // What is under a year is read as a value, also where it is a broken link.
  const ofTexts = sheet.columns.filter((at) => years.every(({ column }) => at !== column));
  const labels: Frame['labels'] = new Map();
  const footnotes: Frame['footnotes'] = new Map();
  const titles = ofAreas(textsAbove(sheet, header));
  let inNotes = false;
  let inProduction = false;
  for (const row of sheet.rows.filter((one) => one > header)) {
    const cells = left.map((column) => sheet.cell(row, column));
    const [cell = null, second] = cells.filter(({ value }) => typeof value === 'string');
    inNotes ||= cell !== null && NOTES.test(textOf(cell));
    const marks = second && !inNotes ? textOf(second) : '';
    if (second && marks !== '' && !MARKS.test(marks)) refuse(second, 'a footnote mark');
    const number = cells.find(({ value }) => typeof value === 'number');
    if (number) refuse(number, 'a label; a number needs a year above it');
    refuseScale(sheet.cells(row));
    inProduction ||= !inNotes && cell !== null && PRODUCTION.test(textOf(cell));
    if (!inProduction)
      refuseOtherUnit([...titles, ...ofAreas(ofTexts.map((column) => sheet.cell(row, column)))]);
    if (!inNotes) labels.set(row, cell && { cell, marks });
    else
      for (const note of sheet.cells(row)) {
        if (typeof note.value === 'number') refuse(note, 'a note, as all rows below the sources are');
        let open = '';
        for (const line of String(note.value ?? '').split(/\r?\n/)) {
          const [, mark, text] = /^\s*([a-z])\)\s*(.+)$/.exec(line) ?? [];
          if (mark && footnotes.has(mark)) refuse(note, `one footnote "${mark})"`, 'a second one');
          // A footnote continues on the next line, unless that line begins something else.
          open = mark ?? (line.trim() === '' || NOTES.test(line) ? '' : open);
          if (open !== '') footnotes.set(open, foldSpace(`${footnotes.get(open) ?? ''} ${text ?? line}`));
        }
      }
  }
  return { labels, footnotes };
}

/** Columns without a year may hold footnote marks only: a number there would be a value we failed to see. */
function checkBetweenYears({ sheet, header, years, labels, marks }: Frame, audit: Audit): void {
  const [first = 0] = years.map(({ column }) => column);
  const between = sheet.columns.filter((at) => at > first && sheet.cell(header, at).value === null);
  for (const column of between)
    for (const row of labels.keys()) {
      const cell = sheet.cell(row, column);
      if (cell.value === null) continue;
      if (typeof cell.value !== 'string' || !MARKS.test(textOf(cell))) refuse(cell, 'a footnote mark');
      for (const mark of marksIn(textOf(cell))) marks.add(mark);
      count(audit.notes, 'footnote mark next to a value');
    }
}

function readLines(frame: Frame, audit: Audit): CultivationLine[] {
  const { family, sheet, years, labels } = frame;
  const lines: CultivationLine[] = [];
  let inProduction = false;
  let above = 0;
  for (const [row, labelled] of labels) {
    const label = labelled && textOf(labelled.cell);
    const isFilled = years.some(({ column }) => sheet.cell(row, column).value !== null);
    if (label === null && !isFilled) continue;
    audit.read += 1;
    inProduction ||= label !== null && PRODUCTION.test(label);
    if (inProduction) count(audit.withheld, 'row of yield or production');
    else if (labelled === null || label === null) {
      // Right below the only bound of a line, this row is its other bound; elsewhere a line has lost its label, perhaps to a merged cell.
      const [bound = -1, ...others] = [lines.at(-1)?.lower, lines.at(-1)?.upper].filter(Boolean);
      if (bound !== above || others.length > 0)
        refuse({ file: sheet.file, place: rowPlace(sheet, row), value: null }, 'a label for these values');
      count(audit.withheld, 'row of values without a label');
    } else if (!isFilled && !findGeography(family, LABEL.exec(label)?.[1] ?? label))
      count(audit.withheld, 'heading or row without any value');
    else {
      audit.kept += 1;
      takeLine(frame, labelled, above, lines);
    }
    above = row;
  }
  return lines;
}

/** Takes the line of a label, or the bound of the line right above; `above` is the last row before it that holds anything. */
function takeLine(
  frame: Frame,
  { cell, marks }: { cell: Cell; marks: string },
  above: number,
  lines: CultivationLine[],
): void {
  const place = { file: cell.file, place: rowPlace(frame.sheet, cell.row), value: textOf(cell) };
  const [, name = '', qualifier = 'best estimate', own = ''] = LABEL.exec(place.value) ?? [];
  const bound = /^(lower|upper)(?: bound)?$/i.exec(name)?.[1]?.toLowerCase();
  if (bound === 'lower' || bound === 'upper') {
    const best = lines.at(-1);
    const isNext = best && [best.label.row, best.lower, best.upper].includes(above);
    if (!isNext || best[bound] !== 0) return refuse(place, `a best estimate above its ${bound} bound`);
    best[bound] = cell.row;
    return;
  }
  if (!/^best estimate(?:, rounded)?$/i.test(qualifier))
    refuse(place, '"(best estimate)" or "(best estimate, rounded)"');
  const geography =
    findGeography(frame.family, name) ?? refuse(place, 'a known country or total', shown(name));
  const footnotes = [...marksIn(`${own},${marks}`)].map((mark) => {
    frame.marks.add(mark);
    return frame.footnotes.get(mark) ?? refuse(place, 'a footnote for each mark of the label');
  });
  const concepts = conceptsIn(frame.family, cell, footnotes);
  const category = /rounded/i.test(qualifier) ? 'rounded' : concepts.join(' ');
  lines.push({ label: cell, geography, category, lower: 0, upper: 0 });
}
