/** Sources that print several values a row: years side by side, or an estimate beside its bounds and sexes. */
import { reread, type Reread } from './claim.ts';
import { columnLetters, type Cell, type Sheet } from './sheets.ts';
import { isExternal, numberOf, printed, yearOf } from './table.ts';

/** Annexes 6.1.1 and 6.2.1: a labelled row of years; the rows of bounds below an estimate belong to it. */
export function rereadCultivation(sheet: Sheet): Reread[] {
  const { row: headerRow, years } = yearHeader(sheet);
  const found: Reread[] = [];
  let open: Reread[] = [];
  for (const [row, cells] of sorted(sheet)) {
    if (row <= headerRow || ![...years.keys()].some((column) => numberOf(cells.get(column)) !== null))
      continue;
    const label = labelOf(cells, years);
    const bound = /^(lower|upper) bound/i.exec(label)?.[1]?.toLowerCase();
    if (label === '') open = [];
    else if (bound === 'lower' || bound === 'upper')
      for (const one of open) one[bound] = numberOf(cells.get(columnOf(years, one.period)));
    else {
      open = [...years].map(([column, year]) => yearCell(sheet, row, column, year, label));
      found.push(...open);
    }
  }
  return found;
}

/** Informal Economy Database: models print a value or a blank for every year, surveys only where one was made. */
export function rereadInformality(sheet: Sheet): Reread[] {
  const isModel = /^(DGE|MIMIC)_p$/.test(sheet.name);
  const { row: headerRow, years } = yearHeader(sheet);
  return sorted(sheet)
    .filter(([row, cells]) => row > headerRow && printed(cells.get(2)) !== '')
    .flatMap(([row, cells]) =>
      [...years].map(([column, year]) => ({
        ...yearCell(sheet, row, column, year, printed(cells.get(1))),
        code: printed(cells.get(2)),
      })),
    )
    .filter(({ value }) => isModel || value !== null);
}

/** Annex 1.2: the estimate of a row always (blank where none), values by sex only where printed. */
export function rereadPrevalence(sheet: Sheet): Reread[] {
  const header = sorted(sheet).find(([, cells]) => find(cells, 'Country/Territory') > 0);
  if (!header) return [];
  const [headerRow, top] = header;
  const below = sheet.rows.get(headerRow + 1) ?? new Map<number, Cell>();
  const heads = new Map([...below].filter(([, { text }]) => /^(Total|Male|Female)$/.test(text ?? '')));
  const measured = new Map(
    [...top, ...heads].flatMap(([column, cell]): [number, string][] =>
      /^(Best|Total|Male|Female)$/.test(printed(cell)) ? [[column, printed(cell)]] : [],
    ),
  );
  const [country, year, low, high] = ['Country/Territory', 'Year', 'Low', 'High'].map((word) =>
    find(top, word),
  );
  return sorted(sheet).flatMap(([row, cells]) => {
    const period = yearOf(cells.get(year ?? 0));
    if (row <= headerRow || period === null || printed(cells.get(country ?? 0)) === '') return [];
    const values = [...measured].map(([column, word]) => {
      const isBest = word === 'Best';
      return {
        isMain: isBest || word === 'Total',
        ...reread({
          locator: `${sheet.name}!${columnLetters(column)}${row}`,
          value: numberOf(cells.get(column)),
          lower: isBest ? numberOf(cells.get(low ?? 0)) : null,
          upper: isBest ? numberOf(cells.get(high ?? 0)) : null,
          country: printed(cells.get(country ?? 0)),
          period,
        }),
      };
    });
    const mains = values.filter(({ isMain }) => isMain).length;
    const kept = values.filter(({ value, isMain }) => value !== null || (isMain && mains === 1));
    return kept.length > 0
      ? kept
      : values.filter(({ isMain }) => isMain).slice(mains > 1 ? 1 : 0, mains > 1 ? 2 : 1);
  });
}

function yearHeader(sheet: Sheet): { row: number; years: Map<number, string> } {
  for (const [row, cells] of sorted(sheet)) {
    const years = new Map<number, string>();
    for (const [column, cell] of cells) {
      const year = cell.number === null ? null : yearOf(cell);
      if (year !== null) years.set(column, year);
    }
    if (years.size >= 2) return { row, years };
  }
  throw new Error(`sheet ${sheet.name}: no row of years`);
}

function yearCell(sheet: Sheet, row: number, column: number, period: string, country: string): Reread {
  const cell = sheet.rows.get(row)?.get(column);
  const isBroken = isExternal(cell);
  const number = isBroken ? null : numberOf(cell);
  const isPlaceholder = number === null && printed(cell) !== '';
  const missing = isBroken
    ? 'broken_formula_in_source'
    : isPlaceholder
      ? 'placeholder_in_source'
      : 'blank_in_source';
  return reread({
    locator: `${sheet.name}!${columnLetters(column)}${row}`,
    value: number,
    reason: number === null ? missing : null,
    country,
    period,
  });
}

function labelOf(cells: Map<number, Cell>, years: Map<number, string>): string {
  const first = Math.min(...years.keys());
  return [...cells]
    .map(([column, cell]) => (column < first && cell.text !== null ? printed(cell) : ''))
    .join('');
}

function columnOf(years: Map<number, string>, year: string): number {
  return [...years].find(([, own]) => own === year)?.[0] ?? 0;
}

function find(cells: Map<number, Cell>, word: string): number {
  return [...cells].find(([, cell]) => printed(cell) === word)?.[0] ?? 0;
}

function sorted(sheet: Sheet): [number, Map<number, Cell>][] {
  return [...sheet.rows].sort(([a], [b]) => a - b);
}
