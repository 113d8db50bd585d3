/**
 * The layouts of a prevalence sheet: `Best/Low/High/Male/Female`, `Total/Male/Female`, and the sheet of new psychoactive
 * substances with that triple under each of three recall periods. Found by their words; anything else is refused.
 */
import { findHeader } from './header.ts';
import { Refusal, shown } from './refusal.ts';
import { foldSpace } from '../lib/text.ts';
import { type Sheet } from './workbook.ts';

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

export interface Layout {
  firstRow: number;
  country: number;
  year: number;
  age: number;
  /** 0 where the layout has none. */
  adjustment: number;
  notes: number;
  substance: number;
  measures: Measure[];
  /** Names of columns that are not packaged. */
  withheld: string[];
}

const COMMON = { country: ['Country/Territory'], year: ['Year'], age: ['Age'] } as const;
const ESTIMATE = {
  ...COMMON,
  best: ['Best'],
  low: ['Low'],
  high: ['High'],
  male: ['Male'],
  female: ['Female'],
  adjustment: ['Adjustment/ notes', 'Adjustment/notes'],
  notes: ['Specific notes'],
} as const;
const SURVEY = {
  ...COMMON,
  best: ['Total'],
  male: ['Male'],
  female: ['Female'],
  notes: ['Specific notes'],
} as const;
const RECALLS = {
  ...COMMON,
  substance: ['Substance'],
  lifetime: ['Lifetime'],
  pastYear: ['Past year'],
  month: ['Past month'],
} as const;

/** The layout of a sheet, by the words it prints. Throws a Refusal naming the header row and the missing column. */
export function layoutOf(file: string, sheet: Sheet): Layout {
  checkUnit(file, sheet);
  if (prints(sheet, 'Substance')) return recallLayout(file, sheet);
  if (prints(sheet, 'Best')) {
    const { row, column } = findHeader(file, sheet, ESTIMATE);
    const { country, year, age, adjustment, notes, best, low, high, male, female } = column;
    const measures: Measure[] = [{ recall: 'year', best, low, high, male, female }];
    const used = Object.values(column);
    return {
      firstRow: row + 1,
      country,
      year,
      age,
      adjustment,
      notes,
      substance: 0,
      measures,
      withheld: otherColumns(sheet, row, used),
    };
  }
  const { row, column } = findHeader(file, sheet, SURVEY);
  const { country, year, age, notes, best, male, female } = column;
  const measures: Measure[] = [{ recall: 'year', best, low: 0, high: 0, male, female }];
  return {
    firstRow: row + 1,
    country,
    year,
    age,
    adjustment: 0,
    notes,
    substance: 0,
    measures,
    withheld: otherColumns(sheet, row, Object.values(column)),
  };
}

function recallLayout(file: string, sheet: Sheet): Layout {
  const { row, column } = findHeader(file, sheet, RECALLS);
  const { country, year, age, substance } = column;
  const measures = [
    tripleUnder(file, sheet, row, column.pastYear, 'year'),
    tripleUnder(file, sheet, row, column.lifetime, 'lifetime'),
    tripleUnder(file, sheet, row, column.month, 'month'),
  ];
  return {
    firstRow: row + 2,
    country,
    year,
    age,
    substance,
    adjustment: 0,
    notes: 0,
    measures,
    withheld: otherColumns(sheet, row, Object.values(column)),
  };
}

/** Total, Male and Female in the row below, from the recall period's own column up to the next heading. */
function tripleUnder(file: string, sheet: Sheet, row: number, start: number, recall: Recall): Measure {
  const found: Record<string, number> = {};
  for (let column = start; column <= sheet.lastColumn; column += 1) {
    if (column > start && sheet.cell(row, column).value !== null) break;
    const { value } = sheet.cell(row + 1, column);
    if (typeof value === 'string') found[foldSpace(value).toLowerCase()] = column;
  }
  const { total, male, female } = found;
  if (total === undefined || male === undefined || female === undefined)
    throw new Refusal(
      file,
      sheet.locator(row + 1, start),
      'Total, Male and Female under a recall period',
      Object.keys(found).join(', ') || 'nothing',
    );
  return { recall, best: total, low: 0, high: 0, male, female };
}

function checkUnit(file: string, sheet: Sheet): void {
  const texts = topTexts(sheet);
  if (texts.some((text) => /prevalence of use as a percentage of the population aged 15-64/i.test(text)))
    return;
  throw new Refusal(
    file,
    `the titles of "${sheet.name}"`,
    '"Prevalence of Use as a percentage of the population aged 15-64"',
    shown(texts[0] ?? null),
  );
}

function prints(sheet: Sheet, word: string): boolean {
  return topTexts(sheet).includes(word);
}

function topTexts(sheet: Sheet): string[] {
  const texts: string[] = [];
  for (let row = sheet.firstRow; row <= Math.min(sheet.lastRow, sheet.firstRow + 30); row += 1)
    for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1) {
      const { value } = sheet.cell(row, column);
      if (typeof value === 'string') texts.push(foldSpace(value));
    }
  return texts;
}

function otherColumns(sheet: Sheet, row: number, used: number[]): string[] {
  const names: string[] = [];
  for (let column = sheet.firstColumn; column <= sheet.lastColumn; column += 1) {
    const { value } = sheet.cell(row, column);
    if (value !== null && !used.includes(column)) names.push(foldSpace(String(value)));
  }
  return names;
}
