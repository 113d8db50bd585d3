/**
 * UNODC World Drug Report, annexes 7.1 Drug seizures -> dataset `drug-seizures` and 8.1 Prices -> dataset `drug-prices`.
 * Every row is one record: rows that share all their keys stay apart, reported totals have a category of their own, and
 * nothing is summed. A typical price is the value, minimum and maximum are its bounds; none is computed from the others.
 * In annex 8.1 only the sheet of prices is read: purity is outside the safety boundary.
 */
import type { ObservationRow } from '../lib/dataset.ts';
import { amountOf, neededText, printedText, refuse, textOf, windowIn, yearWithin } from './cells.ts';
import type { Amount, Window } from './cells.ts';
import { columnsOf, filled, readFamily, type Columns, type IndicatorFacts } from './family.ts';
import { joined, listOf } from '../lib/text.ts';
import { PURITY } from '../lib/vocabulary.ts';
import { count, type Audit, type Importer } from './importer.ts';
import { noteBounds, noteTwins, observation, observationsImporter } from './observations.ts';
import type { Reading, UnsourcedRow } from './observations.ts';
import { readTable, textsAbove, type Row } from './table.ts';
import { openWorkbook } from './workbook.ts';

/** No annex has formulas: the number of one would be computed from others. */
const TYPED = { isTyped: true };

const SEIZURES = readFamily('seizures');
const SEIZURE_COLUMNS = columnsOf(
  SEIZURES,
  'country',
  'group',
  'subGroup',
  'drug',
  'year',
  'kilograms',
  'code',
);
const TOTALS = 'Reported totals';

/** Reads annex 7.1: kilograms by country, year and drug. Throws a Refusal. */
export const seizures: Importer = observationsImporter(SEIZURES, 'one workbook', (reading) => {
  const { audit, geographies } = reading;
  const table = annexRows(reading, SEIZURE_COLUMNS, ['subGroup', 'code']);
  const rows = table.rows.map((row) =>
    observation({
      indicatorId: 'seizures',
      geoCode: geographies.named(row.country, row.code),
      ...drugOf(row),
      period: yearWithin(row.year, table.window),
      ...amountOf(row.kilograms, 'a number of zero or more', TYPED),
      unit: 'Kilograms',
      status: 'reported',
      sourceLocator: row.kilograms.place,
    }),
  );
  if (table.has('subGroup')) count(audit.withheld, 'column "DrugSubGroup", read only to tell totals');
  else count(audit.notes, 'no column "DrugSubGroup": totals that only it tells are in other categories');
  const totals = rows.filter(({ category }) => category === TOTALS);
  count(audit.notes, 'rows in the category of reported totals', totals.length);
  noteTwins(rows, audit);
  return { rows, indicators: seizureIndicators(wholeYears(rows)) };
});

/** The years whose amounts are all whole numbers: there a zero may be a rounded amount. */
function wholeYears(rows: readonly UnsourcedRow[]): string[] {
  const years = [...new Set(rows.map(({ period }) => period))].sort();
  return years.filter((year) => {
    const values = rows.flatMap(({ period, value }) => (period === year && value !== null ? [value] : []));
    return values.includes(0) && values.every((value) => Number.isInteger(value));
  });
}

/** The indicators with these years in the limitation on zeros, which is left out where there are none. */
function seizureIndicators(years: string[]): IndicatorFacts[] {
  return SEIZURES.indicators.map((facts) => {
    const limitations = facts.limitations.filter((text) => years.length > 0 || !text.includes('{years}'));
    return filled({ ...facts, limitations }, { years: listOf(years) });
  });
}

/** A row that calls itself a total, in its group or its name, would count its neighbours twice: it gets a category of its own. */
function drugOf(
  row: Row<keyof typeof SEIZURE_COLUMNS>,
): Pick<ObservationRow, 'category' | 'subgroup' | 'group'> {
  const [group, drug] = [neededText(row.group), neededText(row.drug)];
  const isTotal = [group, textOf(row.subGroup), drug].some((text) => /\b(?:sub)?totals?\b/i.test(text));
  return { category: isTotal ? TOTALS : group, subgroup: drug, group };
}

const PRICES = readFamily('prices');
const PRICE_COLUMNS = columnsOf(
  PRICES,
  'country',
  'group',
  'drug',
  'specify',
  'level',
  'year',
  'typical',
  'minimum',
  'maximum',
  'unit',
);
type PriceRow = Row<keyof typeof PRICE_COLUMNS>;

/** Reads annex 8.1: typical price and its bounds. Throws a Refusal. */
export const prices: Importer = observationsImporter(PRICES, 'one workbook', (reading) => {
  const { rows: read, window } = annexRows(reading, PRICE_COLUMNS);
  const rows = read.map((row) => priceOf(row, window, reading));
  noteTwins(rows, reading.audit);
  return rows;
});

function priceOf(
  row: PriceRow,
  window: Window | null,
  { family, geographies, audit }: Reading,
): UnsourcedRow {
  const level = textOf(row.level);
  const levels = family.indicators.map(({ printed }) => printed).join(' or ');
  const indicator = family.indicators.find(({ printed }) => printed === level) ?? refuse(row.level, levels);
  const unit = unitOf(row);
  // A zero without a unit is a placeholder, not a price.
  const [typical, { value: lower }, { value: upper }] = [row.typical, row.minimum, row.maximum].map(
    (cell) => {
      const amount = amountOf(cell, 'a price of zero or more', TYPED);
      const isPlaceholder = amount.value === 0 && unit === '';
      return isPlaceholder ? { value: null, reason: 'placeholder_in_source' } : amount;
    },
  ) as [Amount, Amount, Amount];
  const { value, reason } = typical;
  if (unit === '') count(audit.notes, 'rows without a unit');
  noteBounds({ value, lower, upper }, audit);
  return observation({
    indicatorId: indicator.id,
    geoCode: geographies.named(row.country),
    category: pricedDrug(row),
    subgroup: joined([specificationOf(row, audit), unit]),
    group: neededText(row.group),
    period: yearWithin(row.year, window),
    value,
    lower,
    upper,
    unit: unit === '' ? 'USD' : `USD / ${unit}`,
    status: 'reported',
    reason,
    sourceLocator: row.typical.place,
  });
}

/** The printed unit. A share or a currency in its place would mean that the columns changed their meaning. */
function unitOf(row: PriceRow): string {
  const unit = printedText(row.unit);
  const isUnit = !/[$€£¥]|currenc|\b(?:usd|eur|dollars?|euros?)\b/i.test(unit) && !OF_PURITY.test(unit);
  return isUnit ? unit : refuse(row.unit, 'a unit of quantity');
}

/** Words about purity, which is never imported; next to a price THC is one as well. */
const OF_PURITY = new RegExp(String.raw`${PURITY.source}|\bTHC\b`, 'iu');

/** The printed drug. Purity in its name would be published with every record. */
function pricedDrug({ drug }: PriceRow): string {
  const name = printedText(drug) || refuse(drug, 'text');
  return OF_PURITY.test(name) ? refuse(drug, 'a drug without its purity') : name;
}

/** The printed specification of the drug, unless it is about purity. */
function specificationOf(row: PriceRow, audit: Audit): string {
  const specification = printedText(row.specify);
  if (!OF_PURITY.test(specification)) return specification;
  count(audit.withheld, 'specification that speaks of purity');
  return '';
}

/** The rows of a UNODC annex, one observation per row, and the years its title names; other sheets, unread columns and notes are counted as withheld. Throws a Refusal. */
function annexRows<K extends string>(
  { family, file, audit }: Pick<Reading, 'family' | 'file' | 'audit'>,
  columns: Columns<K>,
  optional: readonly NoInfer<K>[] = [],
): { rows: Row<K>[]; window: Window | null; has: (column: K) => boolean } {
  const { header, rows } = readTable(openWorkbook(file), columns, family, audit, optional);
  audit.read += rows.length;
  audit.kept = rows.length;
  const titles = textsAbove(header.sheet, header.row);
  const [window = null] = titles.flatMap((title) => windowIn(textOf(title)) ?? []);
  return { rows, window, has: (column) => header.column[column] > 0 };
}
