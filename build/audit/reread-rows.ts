/** Second readings of the tables with a header of words: one row per value, or per country and edition. */
import { reread, type Field, type Reread } from './published.ts';
import type { Line, Sheet } from './raw.ts';
import { csvRows, heading, numberOf, printed, sheetRows, type Row } from './table.ts';

/** Header words of the columns that every such table has. */
interface Columns {
  value: string;
  country: string;
  period: string;
  /** Absent where the table prints no country codes. */
  code?: string;
}

function fromRow(row: Row, { value, country, period, code }: Columns, more: Partial<Reread> = {}): Reread {
  return reread({
    locator: row.place(value),
    value: numberOf(row.cell(value)),
    country: row.text(country),
    period: row.text(period),
    code: code === undefined ? null : row.text(code) || null,
    ...more,
  });
}

const SEIZURES = { value: 'Kilograms', country: 'Country', period: 'Reference year', code: 'msCode' };

/** Annex 7.1: one record per row; a blank amount is unavailable. Rows of totals have a category of our own. */
export function rereadSeizures(sheet: Sheet): Reread[] {
  return sheetRows(sheet, [...Object.values(SEIZURES), 'DrugGroup', 'DrugName'])
    .filter((row) => row.text('Country') !== '' && row.text('DrugName') !== '')
    .map((row) => {
      const names = ['DrugGroup', 'DrugSubGroup', 'DrugName'].map(row.text);
      const isTotal = names.some((name) => /\btotals?\b/i.test(name));
      const categories = [isTotal ? 'Reported totals' : row.text('DrugGroup')];
      return fromRow(row, SEIZURES, { categories, unit: 'Kilograms' });
    });
}

const PRICES = { value: 'Typical_USD', country: 'Country/Territory', period: 'Year' };

/** Annex 8.1: the typical price with its bounds; without one the bounds tell whether the row says anything. */
export function rereadPrices(sheet: Sheet): Reread[] {
  return sheetRows(sheet, [...Object.values(PRICES), 'Drug', 'LevelOfSale', 'Unit'])
    .filter((row) => row.text('Country/Territory') !== '')
    .map((row) => {
      const typical = numberOf(row.cell('Typical_USD'));
      const lower = numberOf(row.cell('Minimum_USD'));
      const upper = numberOf(row.cell('Maximum_USD'));
      const unit = row.text('Unit');
      const isPlaceholder = typical === 0 && unit === '';
      const isBlank = lower === null && upper === null;
      const missing = isBlank ? 'blank_in_source' : 'no_point_value_in_source';
      return fromRow(row, PRICES, {
        value: isPlaceholder ? null : typical,
        reason: isPlaceholder ? 'placeholder_in_source' : typical === null ? missing : null,
        lower,
        upper,
        categories: [row.text('Drug')],
        unit: unit === '' ? 'USD' : `USD / ${unit}`,
      });
    });
}

const ARMS = { value: 'VALUE', country: 'Country', period: 'Year', code: 'Iso3_code' };
const ARMS_KEY = [
  'Iso3_code',
  'Indicator',
  'Dimension',
  'Category',
  'Sex',
  'Age',
  'Year',
  'Unit of measurement',
];

/** The arms questionnaire: two rows of one key with different values are both unavailable. */
export function rereadArms(sheet: Sheet): Reread[] {
  const keyOf = (row: Row): string => ARMS_KEY.map(row.text).join('\u0000');
  const rows = armsRows(sheet).map((row) => ({ row, key: keyOf(row), value: numberOf(row.cell('VALUE')) }));
  const values = new Map<string, Set<number | null>>();
  for (const { key, value } of rows) values.set(key, (values.get(key) ?? new Set()).add(value));
  return rows.map(({ row, key }) => {
    const isConflicting = (values.get(key)?.size ?? 0) > 1;
    return fromRow(row, ARMS, {
      ...(isConflicting && { value: null, reason: 'conflicting_source_rows' }),
      categories: [row.text('Dimension'), row.text('Category')],
      unit: row.text('Unit of measurement'),
    });
  });
}

const TRACING = /^(uniquely identifiable|not uniquely identifiable|total not uniquely|unknown status)/i;

/** Tracing: the rows a country prints for a year under "by location"; rows that disagree leave the field null. */
export function rereadTracing(sheet: Sheet, fields: Field[]): Reread[] {
  const groups = new Map<string, Row[]>();
  for (const row of armsRows(sheet)) {
    if (row.text('Dimension') !== 'by location' || !TRACING.test(row.text('Category'))) continue;
    const key = `${row.text('Iso3_code')} ${row.text('Year')}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flatMap((group) => {
    const locator = rangesOf(group.map((row) => row.place('VALUE')));
    return fields.flatMap(({ path, label }) => {
      const own = group.filter((row) => `${row.text('Indicator')}: ${row.text('Category')}` === label);
      const [value = null, ...others] = new Set(own.map((row) => numberOf(row.cell('VALUE'))));
      const agreed = others.length > 0 ? null : value;
      return group
        .slice(0, 1)
        .map((row) => fromRow(row, ARMS, { locator, field: path, value: agreed, reason: null }));
    });
  });
}

function armsRows(sheet: Sheet): Row[] {
  return sheetRows(sheet, [...ARMS_KEY, 'VALUE']).filter((row) => row.text('Iso3_code') !== '');
}

/** The cells of one column, neighbours joined: `Sheet!L5027,L5056:L5057`. */
function rangesOf(places: string[]): string {
  const [, sheet = '', column = ''] = /^(.*!)([A-Z]+)\d+$/.exec(places[0] ?? '') ?? [];
  const rows = places.map((place) => Number(/\d+$/.exec(place)?.[0])).sort((a, b) => a - b);
  const starts = rows.filter((row) => !rows.includes(row - 1));
  const ends = rows.filter((row) => !rows.includes(row + 1));
  const ranges = starts.map((from, at) => {
    const to = ends[at] ?? from;
    return from === to ? `${column}${from}` : `${column}${from}:${column}${to}`;
  });
  return sheet + ranges.join(',');
}

/** The index: one sheet per edition, columns named by words that differ in punctuation and in "avg". */
export function rereadScores(sheet: Sheet, fields: Field[], codes: Map<string, string>): Reread[] {
  const [period] = /^\d{4}(?=_dataset$)/.exec(sheet.name) ?? [];
  const header = sheet.rows.get(1);
  if (period === undefined || !header) return [];
  const columns = new Map([...header].map(([column, cell]) => [heading(printed(cell)), column]));
  const first = columns.get('country') ?? 0;
  const last = Math.max(...header.keys());
  return [...sheet.rows.keys()].flatMap((row) => {
    const country = printed(sheet.cell(row, first));
    if (row === 1 || country === '') return [];
    const [, to = ''] = sheet.place(row, last).split('!');
    const locator = `${sheet.place(row, first + 1)}:${to}`;
    const code = codes.get(country) ?? null;
    return fields.map(({ path, label }) => {
      const value = numberOf(sheet.cell(row, columns.get(heading(label)) ?? 0));
      return reread({ locator, field: path, value, reason: null, country, code, period });
    });
  });
}

/** The project's table of printed spellings, `country_as_printed` and `iso3`. */
export function spellings(lines: Line[]): Map<string, string> {
  const rows = csvRows(lines, ['country_as_printed', 'iso3']);
  return new Map(rows.map((row) => [row.text('country_as_printed'), row.text('iso3')]));
}

const LABOUR = { value: 'obs_value', country: 'ref_area.label', period: 'time' };

/** ILOSTAT: one record per line, the sex printed as `Sex: Female`. */
export function rereadLabour(lines: Line[]): Reread[] {
  return csvRows(lines, [...Object.values(LABOUR), 'sex.label']).map((row) =>
    fromRow(row, LABOUR, { categories: [row.text('sex.label').replace(/^Sex: /, '')] }),
  );
}

const SERIES = { value: 'Value', country: 'Country Name', period: 'Year', code: 'Country Code' };

/** World Development Indicators in either shape, the three countries of the product's context alone. */
export function rereadSeries(lines: Line[]): Reread[] {
  const isWanted = (row: Row): boolean => ['CHN', 'MMR', 'PAK'].includes(row.text('Country Code'));
  if (lines.some(({ cells }) => cells.includes('Value')))
    return csvRows(lines, Object.values(SERIES))
      .filter((row) => isWanted(row) && row.text('Value') !== '')
      .map((row) => fromRow(row, SERIES));
  return csvRows(lines, ['Country Code', 'Indicator Code'])
    .filter(isWanted)
    .flatMap((row) =>
      row.words
        .filter((word) => /^\d{4}$/.test(word) && row.text(word) !== '')
        .map((year) => {
          const locator = `${row.place(year)} column ${year}`;
          return fromRow(row, { ...SERIES, value: year }, { locator, period: year });
        }),
    );
}
