/** The cells of one prevalence row: its period, substance, subgroups and percentages. What is no such thing is refused. */
import { count, type Audit } from './audit.ts';
import type { Layout, Measure, Recall } from './prevalence-sheet.ts';
import { adjustmentOf, ageOf, qualifierOf, subgroupOf, type SubgroupParts } from './prevalence-subgroup.ts';
import { Refusal, shown } from './refusal.ts';
import { foldSpace } from '../lib/text.ts';
import { type Sheet } from './workbook.ts';

/** Where a row is read and what is counted on the way. */
export interface RowReading {
  file: string;
  sheet: Sheet;
  audit: Audit;
}

/** One value of a row, with the column of its cell. */
export interface PrevalenceValue {
  recall: Recall;
  subgroup: string;
  value: number | null;
  lower: number | null;
  upper: number | null;
  column: number;
}

/** The year of a row; the first one of a span (`2022/23`, `2019-2021`). */
export function periodOf({ file, sheet, audit }: RowReading, layout: Layout, row: number): string {
  const { value } = sheet.cell(row, layout.year);
  const [, first, last] = /^(\d{4})(?:\s*[-/]\s*(\d{2}|\d{4}))?$/.exec(String(value ?? '').trim()) ?? [];
  const year = Number(first);
  if (first === undefined || year < 1900 || year > 2200)
    throw new Refusal(file, sheet.locator(row, layout.year), 'a year or a span of years', shown(value));
  if (last !== undefined) count(audit.notes, 'span of years filed under its first year');
  return first;
}

/** The substance as printed, without the explanation that follows a full stop. */
export function substanceOf({ file, sheet, audit }: RowReading, layout: Layout, row: number): string {
  const { value } = sheet.cell(row, layout.substance);
  if (typeof value !== 'string')
    throw new Refusal(file, sheet.locator(row, layout.substance), 'a substance', shown(value));
  const [name = '', ...explanation] = foldSpace(value).split('. ');
  if (explanation.length > 0) count(audit.notes, 'explanation after a substance not packaged');
  return name.replace(/\.$/, '');
}

/**
 * The values of a row: the best estimate always (null where blank), values by sex and by recall period where printed. A
 * row of several recall periods without any value gives one blank value.
 */
export function valuesOf(reading: RowReading, layout: Layout, row: number): PrevalenceValue[] {
  const parts = partsOf(reading, layout, row);
  const values = layout.measures.flatMap((measure) => measured(reading, row, measure, parts));
  const isSeveral = layout.measures.length > 1;
  const kept = values.filter(({ value, isBest }) => value !== null || (isBest && !isSeveral));
  return kept.length > 0 ? kept : values.slice(0, 1);
}

function measured(
  reading: RowReading,
  row: number,
  { recall, best, low, high, male, female }: Measure,
  parts: Omit<SubgroupParts, 'sex'>,
): (PrevalenceValue & { isBest: boolean })[] {
  const at = (column: number): number | null => (column === 0 ? null : percentOf(reading, row, column));
  const one = (sex: SubgroupParts['sex'], column: number) => ({
    recall,
    subgroup: subgroupOf({ sex, ...parts }),
    value: at(column),
    lower: sex === null ? at(low) : null,
    upper: sex === null ? at(high) : null,
    column,
    isBest: sex === null,
  });
  return [one(null, best), one('Male', male), one('Female', female)];
}

function partsOf(
  { file, sheet, audit }: RowReading,
  layout: Layout,
  row: number,
): Omit<SubgroupParts, 'sex'> {
  const text = (column: number): string => (column === 0 ? '' : String(sheet.cell(row, column).value ?? ''));
  const age = text(layout.age) === '' ? '' : ageOf(text(layout.age));
  if (age === null)
    throw new Refusal(
      file,
      sheet.locator(row, layout.age),
      'an age group like 15-64 or 12+',
      shown(text(layout.age)),
    );
  if (age === '') count(audit.notes, 'row without an age group');
  const letters = text(layout.adjustment) === '' ? '' : adjustmentOf(text(layout.adjustment));
  if (letters === null) count(audit.notes, 'adjustment note in words not packaged');
  return { age, adjustment: letters ?? '', qualifier: qualifierOf(text(layout.notes)) };
}

/** A percentage from 0 to 100; a number typed as text counts as the number, white space as blank. */
function percentOf({ file, sheet, audit }: RowReading, row: number, column: number): number | null {
  const { value, formula } = sheet.cell(row, column);
  if (value === null && formula === null) return null;
  const isTyped = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value.trim());
  if (isTyped) count(audit.notes, 'number typed as text');
  const percent = isTyped ? Number(value) : value;
  if (typeof percent === 'number' && percent >= 0 && percent <= 100 && !/\[/.test(formula ?? ''))
    return percent;
  throw new Refusal(
    file,
    sheet.locator(row, column),
    'a percentage from 0 to 100 or a blank cell',
    shown(value),
  );
}
