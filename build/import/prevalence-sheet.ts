/**
 * The layouts of a prevalence sheet: `Best/Low/High/Male/Female`, `Total/Male/Female`, and the sheet of new psychoactive
 * substances with that triple under each of three recall periods. Found by their words; anything else is refused.
 */
import { refuse, textOf, type Cell } from './cells.ts';
import { Refusal, shown } from './refusal.ts';
import { findHeader, otherHeadings, topRows, type Header } from './table.ts';
import type { Sheet } from './workbook.ts';

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
  /** Columns that are not packaged. */
  withheld: Cell[];
}

const COMMON = { country: ['Country/Territory'], year: ['Year'], age: ['Age'] };
const SEXES = { male: ['Male'], female: ['Female'], notes: ['Specific notes'] };
const ESTIMATE = {
  ...COMMON,
  ...SEXES,
  best: ['Best'],
  low: ['Low'],
  high: ['High'],
  adjustment: ['Adjustment/ notes', 'Adjustment/notes'],
};
const SURVEY = { ...COMMON, ...SEXES, best: ['Total'] };
const RECALLS = {
  ...COMMON,
  substance: ['Substance'],
  pastYear: ['Past year'],
  lifetime: ['Lifetime'],
  month: ['Past month'],
};

const ABSENT = { adjustment: 0, notes: 0, substance: 0 };

/** The layout of a sheet, by the words it prints. Throws a Refusal naming the header row and the missing column. */
export function layoutOf(sheet: Sheet): Layout {
  const texts = topRows(sheet)
    .flatMap((row) => sheet.cells(row))
    .flatMap((cell) => (typeof cell.value === 'string' ? [textOf(cell)] : []));
  if (!texts.some((text) => /prevalence of use as a percentage of the population aged 15-64/i.test(text)))
    throw new Refusal(
      sheet.file,
      `the titles of "${sheet.name}"`,
      '"Prevalence of Use as a percentage of the population aged 15-64"',
      shown(texts[0]),
    );
  if (texts.includes('Substance')) return recallLayout(sheet);
  const found = texts.includes('Best') ? findHeader(sheet, ESTIMATE) : findHeader(sheet, SURVEY);
  const column = { ...ABSENT, low: 0, high: 0, ...found.column };
  const { best, low, high, male, female } = column;
  return {
    header: { ...found, column },
    firstRow: found.row + 1,
    measures: [{ recall: 'year', best, low, high, male, female }],
    withheld: otherHeadings(found),
  };
}

function recallLayout(sheet: Sheet): Layout {
  const found = findHeader(sheet, RECALLS);
  const { pastYear, lifetime, month, ...common } = found.column;
  return {
    header: { ...found, column: { ...ABSENT, ...common } },
    // The triples have a heading row of their own.
    firstRow: found.row + 2,
    measures: [
      tripleUnder(found, pastYear, 'year'),
      tripleUnder(found, lifetime, 'lifetime'),
      tripleUnder(found, month, 'month'),
    ],
    withheld: otherHeadings(found),
  };
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
      Object.keys(found)
        .filter((word) => word !== '')
        .join(', ') || 'nothing',
    );
  return { recall, best: total, low: 0, high: 0, male, female };
}
