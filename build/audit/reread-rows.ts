/** Sources that print one value a row: seizures, prices, arms, and the two shapes of CSV. */
import { reread, tidy, type Reread } from './claim.ts';
import { readLines, recordsUnder, textUnder, type Line } from './lines.ts';
import type { Sheet } from './sheets.ts';
import { numberOf, printed, tableRows, type TableRow } from './table.ts';

/** Annex 7.1: a row a record; a blank amount is unavailable. Rows of totals have a category of the product's own. */
export function rereadSeizures(sheet: Sheet): Reread[] {
  const rows = tableRows(sheet, [
    'Country',
    'DrugGroup',
    'DrugName',
    'Reference year',
    'Kilograms',
    'msCode',
  ]);
  return rows.filter(isFilled).map((row) => {
    const names = ['DrugGroup', 'DrugSubGroup', 'DrugName'].map(row.text);
    const isTotal = names.some((name) => /\btotals?\b/i.test(name));
    return reread({
      locator: row.place('Kilograms'),
      value: numberOf(row.cell('Kilograms')),
      country: row.text('Country'),
      code: row.text('msCode') || null,
      period: row.text('Reference year'),
      categories: isTotal ? ['Reported totals'] : [row.text('DrugGroup')],
      unit: 'Kilograms',
    });
  });
}

/** Annex 8.1: the typical price with its bounds; without one the bounds tell whether the row says anything. */
export function rereadPrices(sheet: Sheet): Reread[] {
  const rows = tableRows(sheet, ['Country/Territory', 'Drug', 'LevelOfSale', 'Typical_USD', 'Unit']);
  return rows
    .filter((row) => row.text('Country/Territory') !== '')
    .map((row) => {
      const [typical, lower, upper] = ['Typical_USD', 'Minimum_USD', 'Maximum_USD'].map((word) =>
        numberOf(row.cell(word)),
      );
      const unit = row.text('Unit');
      const isPlaceholder = typical === 0 && unit === '';
      const isBounded = (lower ?? null) !== null || (upper ?? null) !== null;
      const missing = isBounded ? 'no_point_value_in_source' : 'blank_in_source';
      return reread({
        locator: row.place('Typical_USD'),
        value: isPlaceholder ? null : (typical ?? null),
        reason: isPlaceholder ? 'placeholder_in_source' : (typical ?? null) === null ? missing : null,
        lower: lower ?? null,
        upper: upper ?? null,
        country: row.text('Country/Territory'),
        period: row.text('Year'),
        categories: [row.text('Drug')],
        unit: unit === '' ? 'USD' : `USD / ${unit}`,
      });
    });
}

/** The arms questionnaire: two rows of one key with different values are both unavailable. */
export function rereadArms(sheet: Sheet): Reread[] {
  const rows = armsRows(sheet);
  const values = new Map<string, Set<number | null>>();
  for (const { key, value } of rows) values.set(key, (values.get(key) ?? new Set()).add(value));
  return rows.map(({ key, value, row }) => {
    const isConflicting = (values.get(key)?.size ?? 0) > 1;
    return reread({
      locator: row.place('VALUE'),
      value: isConflicting ? null : value,
      ...(isConflicting && { reason: 'conflicting_source_rows' }),
      country: row.text('Country'),
      code: row.text('Iso3_code'),
      period: row.text('Year'),
      categories: [row.text('Dimension'), row.text('Category')],
      unit: row.text('Unit of measurement'),
    });
  });
}

/** The rows of the arms workbook with the key that two rows may share. */
export function armsRows(sheet: Sheet): { row: TableRow; key: string; value: number | null }[] {
  const key = [
    'Iso3_code',
    'Indicator',
    'Dimension',
    'Category',
    'Sex',
    'Age',
    'Year',
    'Unit of measurement',
  ];
  return tableRows(sheet, [...key, 'VALUE'])
    .filter((row) => row.text('Iso3_code') !== '')
    .map((row) => ({ row, key: key.map(row.text).join('\u0000'), value: row.cell('VALUE')?.number ?? null }));
}

/** ILOSTAT: a line a record, the sex printed as `Sex: Female`. */
export function rereadLabour(bytes: Uint8Array): Reread[] {
  return recordsUnder(readLines(bytes), ['ref_area.label', 'sex.label', 'time', 'obs_value']).map((line) =>
    reread({
      locator: `row ${line.line}`,
      value: amount(textUnder(line, 'obs_value')),
      country: textUnder(line, 'ref_area.label'),
      period: textUnder(line, 'time'),
      categories: [textUnder(line, 'sex.label').replace(/^Sex: /, '')],
    }),
  );
}

/** World Development Indicators in either shape, the three countries of the product's context alone. */
export function rereadSeries(bytes: Uint8Array): Reread[] {
  const isWanted = (code: string): boolean => ['CHN', 'MMR', 'PAK'].includes(code);
  const lines = readLines(bytes);
  if (lines.some(({ cells }) => cells.includes('Value')))
    return recordsUnder(lines, ['Country Code', 'Year', 'Value'])
      .filter((line) => isWanted(textUnder(line, 'Country Code')) && textUnder(line, 'Value') !== '')
      .map((line) => series(line, `row ${line.line}`, textUnder(line, 'Year'), textUnder(line, 'Value')));
  return recordsUnder(lines, ['Country Code', 'Indicator Code'])
    .filter((line) => isWanted(textUnder(line, 'Country Code')))
    .flatMap((line) =>
      line.header
        .filter((word) => /^\d{4}$/.test(word) && textUnder(line, word) !== '')
        .map((year) => series(line, `row ${line.line} column ${year}`, year, textUnder(line, year))),
    );
}

function series(line: Line & { header: string[] }, locator: string, period: string, value: string): Reread {
  const [country, code] = [textUnder(line, 'Country Name'), textUnder(line, 'Country Code')];
  return reread({ locator, value: amount(value), country, code, period });
}

function amount(text: string): number | null {
  return text === '' ? null : Number(text);
}

function isFilled(row: TableRow): boolean {
  return row.text('Country') !== '' && tidy(printed(row.cell('DrugName'))) !== '';
}
