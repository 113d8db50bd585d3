/** Second readings of the tables that print several values per row: years side by side, or an estimate, its bounds and sexes. */
import { reread, type Reread } from './published.ts';
import type { Cell, Sheet } from './raw.ts';
import { isExternal, numberOf, printed, yearOf } from './table.ts';

/** Annexes 6.1.1 and 6.2.1: a labelled row of years; the rows of bounds below an estimate belong to it. */
export function rereadCultivation(sheet: Sheet): Reread[] {
  const { header, years } = yearColumns(sheet);
  const found: Reread[] = [];
  let open: Reread[] = [];
  for (const [row, cells] of sheet.rows) {
    if (row <= header || years.every(({ column }) => numberOf(sheet.cell(row, column)) === null)) continue;
    const label = labelOf(cells, years);
    const bound = /^(lower|upper) bound/i.exec(label)?.[1]?.toLowerCase();
    if (label === '') open = [];
    else if (bound === 'lower' || bound === 'upper')
      for (const [at, one] of open.entries()) one[bound] = numberOf(sheet.cell(row, years[at]?.column ?? 0));
    else {
      open = years.map((year) => yearCell(sheet, row, year, label));
      found.push(...open);
    }
  }
  return found;
}

/** Informal Economy Database: models print a value or a blank for every year, surveys only where one was made. */
export function rereadInformality(sheet: Sheet): Reread[] {
  const isModel = /^(DGE|MIMIC)_p$/.test(sheet.name);
  const { header, years } = yearColumns(sheet);
  return [...sheet.rows.keys()].flatMap((row) => {
    const [country, code] = [1, 2].map((column) => printed(sheet.cell(row, column)));
    if (row <= header || country === undefined || !code) return [];
    const values = years.map((year) => ({ ...yearCell(sheet, row, year, country), code }));
    return values.filter(({ value }) => isModel || value !== null);
  });
}

/** Annex 1.2: the estimate of a row always (blank where none), values by sex only where printed. */
export function rereadPrevalence(sheet: Sheet): Reread[] {
  const [header, top] = [...sheet.rows].find(([, cells]) => columnOf(cells, 'Country/Territory') > 0) ?? [];
  if (header === undefined || !top) return [];
  const below = sheet.rows.get(header + 1) ?? new Map<number, Cell>();
  const sexes = [...below].filter(([, cell]) => /^(Total|Male|Female)$/.test(printed(cell)));
  const measured = [...top, ...sexes]
    .map(([column, cell]) => ({ column, word: printed(cell) }))
    .filter(({ word }) => /^(Best|Total|Male|Female)$/.test(word));
  const at = (row: number, word: string): Cell => sheet.cell(row, columnOf(top, word));
  return [...sheet.rows.keys()].flatMap((row) => {
    const period = yearOf(at(row, 'Year'));
    const country = printed(at(row, 'Country/Territory'));
    if (row <= header || period === null || country === '') return [];
    const values = measured.map(({ column, word }) => {
      const value = numberOf(sheet.cell(row, column));
      const [lower, upper] = ['Low', 'High'].map((bound) => numberOf(at(row, bound)));
      const bounds = word === 'Best' ? { lower: lower ?? null, upper: upper ?? null } : {};
      const isMain = word === 'Best' || word === 'Total';
      return { isMain, ...reread({ locator: sheet.place(row, column), value, ...bounds, country, period }) };
    });
    const mains = values.filter(({ isMain }) => isMain);
    const kept = values.filter(({ value, isMain }) => value !== null || (isMain && mains.length === 1));
    // A row of several recall periods without any value is one blank value, that of the past year, printed second.
    return kept.length > 0 ? kept : mains.slice(mains.length > 1 ? 1 : 0).slice(0, 1);
  });
}

interface Year {
  column: number;
  period: string;
}

/** The first row that prints two years or more. */
function yearColumns(sheet: Sheet): { header: number; years: Year[] } {
  for (const [header, cells] of sheet.rows) {
    const years = [...cells].flatMap(([column, cell]) => {
      const period = typeof cell.value === 'number' ? yearOf(cell) : null;
      return period === null ? [] : [{ column, period }];
    });
    if (years.length >= 2) return { header, years };
  }
  throw new Error(`sheet ${sheet.name}: no row of years`);
}

function yearCell(sheet: Sheet, row: number, { column, period }: Year, country: string): Reread {
  const cell = sheet.cell(row, column);
  const locator = sheet.place(row, column);
  const value = isExternal(cell) ? null : numberOf(cell);
  if (value !== null) return reread({ locator, value, country, period });
  const missing = printed(cell) === '' ? 'blank_in_source' : 'placeholder_in_source';
  const reason = isExternal(cell) ? 'broken_formula_in_source' : missing;
  return reread({ locator, value, reason, country, period });
}

function labelOf(cells: Map<number, Cell>, years: Year[]): string {
  const first = Math.min(...years.map(({ column }) => column));
  return [...cells]
    .filter(([column, { value }]) => column < first && typeof value === 'string')
    .map(([, cell]) => printed(cell))
    .join('');
}

function columnOf(cells: Map<number, Cell>, word: string): number {
  return [...cells].find(([, cell]) => printed(cell) === word)?.[0] ?? 0;
}
