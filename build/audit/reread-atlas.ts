/** The two atlas sources: a record is a country and year, each of its fields one printed value or null. */
import { fold, reread, type Reread } from './claim.ts';
import { readLines, recordsUnder, textUnder } from './lines.ts';
import { armsRows } from './reread-rows.ts';
import { columnLetters, type Sheet } from './sheets.ts';
import { numberOf, printed, type TableRow } from './table.ts';

/** An atlas field of the descriptor: its place in a record and the source's own words for it. */
export interface Field {
  path: string;
  label: string;
}

const TRACING = /^(uniquely identifiable|not uniquely identifiable|total not uniquely|unknown status)/i;

/** Tracing: the rows a country prints for a year under "by location"; rows that disagree leave the field null. */
export function rereadTracing(sheet: Sheet, fields: Field[]): Reread[] {
  const groups = new Map<string, { row: TableRow; value: number | null }[]>();
  for (const { row, value } of armsRows(sheet)) {
    if (row.text('Dimension') !== 'by location' || !TRACING.test(row.text('Category'))) continue;
    const key = `${row.text('Iso3_code')} ${row.text('Year')}`;
    groups.set(key, [...(groups.get(key) ?? []), { row, value }]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const locator = `${sheet.name}!${ranges(
      first.row.place('VALUE'),
      group.map(({ row }) => row.row),
    )}`;
    return fields.map(({ path, label }) => {
      const own = group.filter(({ row }) => `${row.text('Indicator')}: ${row.text('Category')}` === label);
      const [value = null, ...others] = new Set(own.map((one) => one.value));
      return reread({
        locator,
        field: path,
        value: others.length > 0 ? null : value,
        reason: null,
        country: first.row.text('Country'),
        code: first.row.text('Iso3_code'),
        period: first.row.text('Year'),
      });
    });
  });
}

/** The index: a sheet an edition, columns named by words that differ in punctuation and in "avg". */
export function rereadScores(sheet: Sheet, fields: Field[], codes: Map<string, string>): Reread[] {
  const [edition] = /^\d{4}(?=_dataset$)/.exec(sheet.name) ?? [];
  const header = sheet.rows.get(1);
  if (edition === undefined || !header) return [];
  const columns = new Map([...header].map(([column, cell]) => [heading(printed(cell)), column]));
  const country = columns.get('country') ?? 0;
  const last = Math.max(...header.keys());
  return [...sheet.rows].flatMap(([row, cells]) => {
    if (row === 1 || printed(cells.get(country)) === '') return [];
    const locator = `${sheet.name}!${columnLetters(country + 1)}${row}:${columnLetters(last)}${row}`;
    return fields.map(({ path, label }) =>
      reread({
        locator,
        field: path,
        value: numberOf(cells.get(columns.get(heading(label)) ?? 0)),
        reason: null,
        country: printed(cells.get(country)),
        code: codes.get(printed(cells.get(country))) ?? null,
        period: edition,
      }),
    );
  });
}

/** The words of a score's heading, without punctuation, case and "avg". */
export function heading(text: string): string {
  return fold(text).replace(/ avg$/, '');
}

/** The project's table of printed spellings, `country_as_printed` and `iso3`. */
export function spellings(bytes: Uint8Array): Map<string, string> {
  const records = recordsUnder(readLines(bytes), ['country_as_printed', 'iso3']);
  return new Map(records.map((line) => [textUnder(line, 'country_as_printed'), textUnder(line, 'iso3')]));
}

function ranges(place: string, rows: number[]): string {
  const column = /([A-Z]+)\d+$/.exec(place)?.[1] ?? '';
  const ordered = [...rows].sort((a, b) => a - b);
  const starts = ordered.filter((row) => !ordered.includes(row - 1));
  const ends = ordered.filter((row) => !ordered.includes(row + 1));
  return starts
    .map((from, at) =>
      ends[at] === from ? `${column}${from}` : `${column}${from}:${column}${ends[at] ?? ''}`,
    )
    .join(',');
}
