/**
 * A prevalence sheet and the cells of its rows. What is not understood is refused. There are three layouts, found by their words:
 * `Best/Low/High/Male/Female`, `Total/Male/Female`, and that triple under each of three recall periods in the sheet of new
 * psychoactive substances.
 */
import { foldSpace, joined } from '../lib/text.ts';
import { PURITY } from '../lib/vocabulary.ts';
import { amountOf, isNumber, printedText, refuse, textOf, type Amount, type Cell } from './cells.ts';
import { columnsOf, readFamily } from './family.ts';
import { count, Refusal, shown, type Audit } from './importer.ts';
import { cellUnder, findHeader, headingKey, topRows, type Header, type Row } from './table.ts';
import type { Sheet } from './workbook.ts';

/** The texts of prevalence.yaml. */
export const FAMILY = readFamily('prevalence');
const SUBSTANCES = FAMILY.spellings['substances'] ?? [];

/** The period a survey asks about. */
export type Recall = 'lifetime' | 'year' | 'month';

/** Columns of one measured value (0 where the layout has none). */
export interface Measure {
  recall: Recall;
  best: number;
  low: number;
  high: number;
  male: number;
  female: number;
}

/** What every layout has; `adjustment`, `notes` and `substance` are missing in some. */
export type Common = 'country' | 'year' | 'age' | 'adjustment' | 'notes' | 'substance';

/** A sheet whose columns are known. */
export interface Layout {
  header: Header<Common>;
  firstRow: number;
  measures: Measure[];
  /** The header as it was found, with every column that is read. */
  found: Header<string>;
  /** The drug, as its title says. */
  drug: string;
}

const ESTIMATE = columnsOf(
  FAMILY,
  'country',
  'year',
  'age',
  'male',
  'female',
  'notes',
  'best',
  'low',
  'high',
  'adjustment',
);
const SURVEY = columnsOf(FAMILY, 'country', 'year', 'age', 'male', 'female', 'notes', 'total');
const RECALLS = columnsOf(FAMILY, 'country', 'year', 'age', 'substance', 'pastYear', 'lifetime', 'month');

const ABSENT = { adjustment: 0, notes: 0, substance: 0 };

const MEASURED = /prevalence of use as a percentage of the population aged 15-64/i;
const ANNUAL = new RegExp(`\\bannual ${MEASURED.source}`, 'i');

/** Whether the title or the name of a sheet says that it holds values, whatever its columns are called. */
export function isOfValues(sheet: Sheet): boolean {
  const name = foldSpace(sheet.name).toLowerCase();
  const texts = topRows(sheet).flatMap((row) => sheet.cells(row).map(({ value }) => String(value).trim()));
  return (
    Object.values(FAMILY.series).some((drug) => drug.toLowerCase() === name) ||
    texts.some((text) => /^(?:annual )?prevalence of use as a percentage/i.test(text))
  );
}

/** The layout of a sheet, by the words it prints. Throws a Refusal naming the header row and the missing column. */
export function layoutOf(sheet: Sheet): Layout {
  const cells = topRows(sheet)
    .flatMap((row) => sheet.cells(row))
    .filter(({ value }) => typeof value === 'string');
  const texts = cells.map(({ value }) => foldSpace(String(value)));
  const words = new Set(texts.map(headingKey));
  // Sheets with several recall periods name each above its columns; in the others the title names the only one.
  const isSeveral = words.has('substance');
  const titles = texts.findIndex((text) => (isSeveral ? MEASURED : ANNUAL).test(text));
  if (titles < 0)
    throw new Refusal(
      sheet.file,
      `the titles of "${sheet.name}"`,
      '"Annual Prevalence of Use as a percentage of the population aged 15-64"',
      texts.find((text) => /prevalence of use/i.test(text)) ?? shown(texts[0]),
    );
  const drug = drugOf(sheet, cells.slice(0, titles));
  if (isSeveral) return recallLayout(sheet, drug);
  const isEstimate = ['best', 'low', 'high'].some((word) => words.has(word));
  const found = isEstimate ? findHeader(sheet, ESTIMATE) : findHeader(sheet, SURVEY);
  const column = { ...ABSENT, best: 0, total: 0, low: 0, high: 0, ...found.column };
  const { low, high, male, female } = column;
  return {
    header: { ...found, column },
    firstRow: found.row + 1,
    measures: [{ recall: 'year', best: column.best || column.total, low, high, male, female }],
    found,
    drug,
  };
}

/** The name of the drug: from the title, or from the name of the sheet where the title is missing or shorter; the two must not contradict each other. */
function drugOf(sheet: Sheet, titles: Cell[]): string {
  const read = titles.map((cell) =>
    textOf(cell)
      .replace(/ *\(.*$/, '')
      .toLowerCase(),
  );
  const titled = read.flatMap((title) => FAMILY.series[title] ?? [])[0];
  const names = Object.values(FAMILY.series);
  const named = names.find((name) => name.toLowerCase() === foldSpace(sheet.name).toLowerCase());
  const title = titles[0] ?? sheet.cell(sheet.rows[0] ?? 1, sheet.columns[0] ?? 1);
  if (titled !== undefined && named !== undefined && titled !== named)
    refuse(title, `the title of the sheet "${named}"`);
  const isShort = read.length === 0 || read.some((text) => named?.toLowerCase().startsWith(text));
  return (
    titled ?? (isShort ? named : undefined) ?? refuse(title, `a title that names a drug: ${names.join(', ')}`)
  );
}

function recallLayout(sheet: Sheet, drug: string): Layout {
  const found = findHeader(sheet, RECALLS);
  const { pastYear, lifetime, month, ...common } = found.column;
  const measures = [
    tripleUnder(found, pastYear, 'year'),
    tripleUnder(found, lifetime, 'lifetime'),
    tripleUnder(found, month, 'month'),
  ];
  return {
    header: { ...found, column: { ...ABSENT, ...common } },
    // The triples have a heading row of their own.
    firstRow: found.row + 2,
    measures,
    found: { ...found, column: { ...found.column, ...columnsUnder(measures) } },
    drug,
  };
}

/** The columns of these measures, each under a name of its own. */
function columnsUnder(measures: Measure[]): Record<string, number> {
  return Object.fromEntries(
    measures.flatMap(({ recall, best, male, female }) =>
      [best, male, female].map((column, at) => [`${recall}${at}`, column]),
    ),
  );
}

/** Total, Male and Female in the row below, from the recall period's own column up to the next heading. */
function tripleUnder({ sheet, row }: Header<string>, start: number, recall: Recall): Measure {
  const found: Record<string, number> = {};
  for (const column of sheet.columns.filter((other) => other >= start)) {
    if (column > start && sheet.cell(row, column).value !== null) break;
    found[textOf(sheet.cell(row + 1, column)).toLowerCase()] = column;
  }
  const { total, male, female } = found;
  if (total === undefined || male === undefined || female === undefined)
    return refuse(
      sheet.cell(row + 1, start),
      'Total, Male and Female under a recall period',
      joined(Object.keys(found), ', ') || 'nothing',
    );
  return { recall, best: total, low: 0, high: 0, male, female };
}

/** One value of a row with its cell. */
export interface PrevalenceValue extends Amount {
  recall: Recall;
  subgroup: string;
  lower: number | null;
  upper: number | null;
  cell: Cell;
}

/** Most years from the first to the last of a survey. */
const MOST_YEARS = 10;

/** The year of a row; the first one of a span (`2022/23`, `2019-2021`). */
export function periodOf(cell: Cell, audit: Audit): string {
  const [, first, last] = /^(\d{4})(?:\s*[-–/]\s*(\d{2}|\d{4}))?$/.exec(textOf(cell)) ?? [];
  const year = Number(first);
  if (first === undefined || year < 1900 || year > 2200)
    return refuse(cell, 'a year, or a span of years like 2022/23 or 2019-2021');
  // Two digits are of the same century, or of the next one where it has just begun.
  const until = (Number(last ?? first) - year + 10_000) % 10 ** (last ?? first).length;
  if (last !== undefined && (until === 0 || until > MOST_YEARS))
    return refuse(cell, `a span whose last year follows its first, by at most ${MOST_YEARS} years`);
  if (last !== undefined) count(audit.notes, 'span of years filed under its first year');
  return first;
}

/** The substance as printed, without the explanation that follows a full stop. */
export function substanceOf(cell: Cell, audit: Audit): string {
  if (typeof cell.value !== 'string') return refuse(cell, 'a substance');
  const text = foldSpace(printedText(cell) || refuse(cell, 'a substance'));
  const [, name = text] = EXPLAINED.exec(text) ?? [];
  if (PURITY.test(name)) refuse(cell, 'a substance that says nothing of purity');
  if (name !== text) count(audit.notes, 'explanation after a substance not packaged');
  return name.replace(/\.$/, '');
}

/** A name up to the first full stop that ends a sentence: none in parentheses, and none of an abbreviation. */
const EXPLAINED = /^((?:\([^()]*\)|\b(?:e\.g|i\.e)\.|\((?![^()]*\))|\.(?! )|[^.(])+?)\. /;

/**
 * The values of a row: the best estimate always (null where blank), values by sex and by recall period where printed. A
 * row of several recall periods without any value gives one blank value.
 */
export function valuesOf(
  sheet: Sheet,
  { measures }: Layout,
  { number, row }: { number: number; row: Row<Common> },
  audit: Audit,
): PrevalenceValue[] {
  const rest = [adjustmentOf(row.adjustment, audit), qualifierOf(textOf(row.notes))];
  const age = ageOf(row.age, audit);
  const values = measures.flatMap((measure) => measured(sheet, number, measure, { age, rest }, audit));
  const isSeveral = measures.length > 1;
  const kept = values.filter(({ value, isBest }) => value !== null || (isBest && !isSeveral));
  return kept.length > 0 ? kept : values.slice(0, 1);
}

function measured(
  sheet: Sheet,
  number: number,
  { recall, best, low, high, male, female }: Measure,
  { age, rest }: { age: string; rest: string[] },
  audit: Audit,
): (PrevalenceValue & { isBest: boolean })[] {
  const at = (column: number): Amount => percentOf(cellUnder(sheet, number, column), audit);
  // One line: `15-64`, `Female 16-59; a`, `Male; Heroin`; empty where the source says nothing.
  const one = (sex: string, column: number, [lower, upper]: Amount[] = []) => ({
    recall,
    subgroup: joined([joined([sex, age], ' '), ...rest]),
    ...at(column),
    lower: lower?.value ?? null,
    upper: upper?.value ?? null,
    cell: cellUnder(sheet, number, column),
    isBest: sex === '',
  });
  return [one('', best, [at(low), at(high)]), one('Male', male), one('Female', female)];
}

/** A percentage from 0 to 100, or the mark that it is not available; a number typed as text counts as the number. */
function percentOf(cell: Cell, audit: Audit): Amount {
  if (isNumber(cell.value)) count(audit.notes, 'number typed as text');
  return amountOf(cell, 'a percentage from 0 to 100, ".." or a blank cell', { max: 100, inText: true });
}

/** `18-65 `, `12 -70`, `15+` as printed, without white space around the dash; empty where the source has none. */
function ageOf(cell: Cell, audit: Audit): string {
  const age = textOf(cell).replaceAll(/\s*-\s*/g, '-');
  if (age === '') count(audit.notes, 'row without an age group');
  else if (!/^\d{1,2}(?:-\d{1,3}|\+)$/.test(age)) refuse(cell, 'an age group like 15-64 or 12+');
  return age;
}

/** UNODC's letters, ordered (`d,e ` and `e; d` give `d, e`); words in their place are not packaged. */
function adjustmentOf(cell: Cell, audit: Audit): string {
  const text = textOf(cell);
  const letters = text.split(/\s*[,;]\s*|\s+(?:and\s+)?/);
  if (text === '' || letters.every((letter) => /^[a-z]\*{0,2}$/.test(letter)))
    return letters.sort().join(', ');
  if (!/\p{L}{3}/u.test(text)) refuse(cell, 'letters like "a, z**", words or a blank cell');
  count(audit.notes, 'adjustment note in words not packaged');
  return '';
}

/** The measure or substance a specific note names, or an empty string. Other notes are free text of the publisher. */
function qualifierOf(note: string): string {
  const measure = FAMILY.concepts.find(({ says }) => new RegExp(says, 'i').test(note));
  if (measure?.category !== undefined) return measure.category;
  const sentences = note.split(/[.;](?:\s|$)/).map((sentence) => sentence.trim().toLowerCase());
  const [substance = '', ...others] = SUBSTANCES.filter((one) => sentences.includes(one.toLowerCase()));
  return others.length === 0 ? substance : '';
}
