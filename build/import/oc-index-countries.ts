/**
 * The project's own table of the country spellings the Global Organized Crime Index prints. The index has no codes and one
 * edition prints commas for full stops, so one country can have several spellings.
 */
import { readCsv } from '../lib/csv.ts';
import type { SourceFile } from './family.ts';
import { geographyOfCode } from '../reference/geography.ts';
import { Refusal, shown } from './refusal.ts';
import { foldSpace } from '../lib/text.ts';

/** Printed spelling -> alpha-3 code. */
export type CountryTable = ReadonlyMap<string, string>;

/** Reads the columns `country_as_printed` and `iso3`; a code that is no ISO code is a Refusal. */
export function readCountryTable(file: SourceFile): CountryTable {
  const [header, ...records] = readCsv(file.bytes, { ragged: true });
  const [spelling, iso3] = ['country_as_printed', 'iso3'].map((name) => {
    const column = header?.cells.indexOf(name) ?? -1;
    if (column < 0)
      throw new Refusal(file.name, 'row 1', `a column "${name}"`, shown(header?.cells.join(',')));
    return column;
  });
  const countries = new Map<string, string>();
  for (const { line, cells } of records) {
    const text = (column: number | undefined): string => foldSpace(cells[column ?? -1] ?? '');
    if (!geographyOfCode(text(iso3), text(spelling)))
      throw new Refusal(file.name, `row ${line}`, 'an ISO 3166-1 alpha-3 code', shown(text(iso3)));
    if (countries.has(text(spelling)))
      throw new Refusal(file.name, `row ${line}`, 'each spelling once', shown(text(spelling)));
    countries.set(text(spelling), text(iso3));
  }
  return countries;
}

/** The code of the country a cell names; a spelling that is not in the table is a Refusal, never a guess. */
export function countryOf(
  file: string,
  place: string,
  value: string | number | boolean | null,
  countries: CountryTable,
): { iso3: string; printed: string } {
  const printed = typeof value === 'string' ? foldSpace(value) : '';
  const iso3 = countries.get(printed);
  if (iso3 === undefined)
    throw new Refusal(file, place, 'a country spelling of the country table', shown(value));
  return { iso3, printed };
}
