/**
 * UNODC World Drug Report, annexes 7.1 Drug seizures -> dataset `drug-seizures` and 8.1 Prices -> dataset `drug-prices`.
 * Every row is one record: rows that share all their keys stay apart, reported totals have a category of their own, and
 * nothing is summed. A typical price is the value, minimum and maximum are its bounds; none is computed from the others.
 * Of annex 8.1 only the sheet of prices is read: purity is outside the safety boundary.
 */
import type { ObservationRow } from '../lib/dataset.ts';
import { neededText, numberOf, refuse, textOf, yearOf } from './cells.ts';
import { observationsImporter, readFamily, type Reading } from './family.ts';
import { count, type Audit, type Importer } from './importer.ts';
import { countTwins, isOutsideBounds, observation } from './observations.ts';
import { annexRows, type Row } from './table.ts';

const SEIZURE_COLUMNS = {
  country: ['Country'],
  group: ['DrugGroup'],
  subGroup: ['DrugSubGroup'],
  drug: ['DrugName'],
  year: ['Reference year'],
  kilograms: ['Kilograms'],
  code: ['msCode'],
};
const TOTALS = 'Reported totals';

/** Reads annex 7.1: kilograms by country, year and drug. Throws a Refusal. */
export const seizures: Importer = observationsImporter(readFamily('seizures'), 'one workbook', (reading) => {
  const { audit, geographies, source } = reading;
  const rows = annexRows(reading, 'Seizures', SEIZURE_COLUMNS).map((row) =>
    observation({
      indicatorId: 'seizures',
      geoCode: geographies.named(row.country, row.code),
      ...drugOf(row),
      period: yearOf(row.year),
      value: numberOf(row.kilograms, 'a number of zero or more'),
      unit: 'Kilograms',
      status: 'reported',
      sourceId: source.id,
      sourceLocator: row.kilograms.place,
    }),
  );
  count(audit.withheld, 'column "DrugSubGroup", read only to tell totals');
  const totals = rows.filter(({ category }) => category === TOTALS);
  count(audit.notes, 'rows in the category of reported totals', totals.length);
  countTwins(rows, audit);
  return rows;
});

/** A row that calls itself a total, in its group or its name, would count its neighbours twice: it leaves their category. */
function drugOf(
  row: Row<keyof typeof SEIZURE_COLUMNS>,
): Pick<ObservationRow, 'category' | 'subgroup' | 'group'> {
  const [group, drug] = [neededText(row.group), neededText(row.drug)];
  const isTotal = [group, textOf(row.subGroup), drug].some((text) => /\btotals?\b/i.test(text));
  return { category: isTotal ? TOTALS : group, subgroup: drug, group };
}

const PRICE_COLUMNS = {
  country: ['Country/Territory'],
  group: ['DrugGroup'],
  drug: ['Drug'],
  specify: ['Specify'],
  level: ['LevelOfSale'],
  year: ['Year'],
  typical: ['Typical_USD'],
  minimum: ['Minimum_USD'],
  maximum: ['Maximum_USD'],
  unit: ['Unit'],
};
type PriceRow = Row<keyof typeof PRICE_COLUMNS>;

/** Reads annex 8.1: typical price and its bounds. Throws a Refusal. */
export const prices: Importer = observationsImporter(readFamily('prices'), 'one workbook', (reading) => {
  const rows = annexRows(reading, 'Prices in USD', PRICE_COLUMNS).map((row) => priceOf(row, reading));
  countTwins(rows, reading.audit);
  return rows;
});

function priceOf(row: PriceRow, { family, source, geographies, audit }: Reading): ObservationRow {
  const level = neededText(row.level);
  const levels = family.indicators.map(({ printed }) => printed).join(' or ');
  const indicator = family.indicators.find(({ printed }) => printed === level) ?? refuse(row.level, levels);
  const unit = unitOf(row);
  const value = numberOf(row.typical, 'a price of zero or more');
  const lower = numberOf(row.minimum, 'a price of zero or more');
  const upper = numberOf(row.maximum, 'a price of zero or more');
  if (unit === '') count(audit.notes, 'rows without a unit');
  if (lower !== null && upper !== null && lower > upper)
    count(audit.notes, 'minimum above maximum, kept as printed');
  else if (isOutsideBounds(value, lower, upper))
    count(audit.notes, 'typical outside its bounds, kept as printed');
  return observation({
    indicatorId: indicator.id,
    geoCode: geographies.named(row.country),
    category: neededText(row.drug),
    subgroup: [specificationOf(row, audit), unit].filter((text) => text !== '').join('; '),
    group: neededText(row.group),
    period: yearOf(row.year),
    value,
    lower,
    upper,
    unit: unit === '' ? 'USD' : `USD / ${unit}`,
    status: 'reported',
    // A zero without a unit is a placeholder, not a price.
    reason: value === 0 && unit === '' ? 'placeholder_in_source' : null,
    sourceId: source.id,
    sourceLocator: row.typical.place,
  });
}

/** The printed label. A share or a currency in its place would mean that the columns changed their meaning. */
function unitOf(row: PriceRow): string {
  const unit = textOf(row.unit);
  const isUnit = !/[%$€£¥]|percent|\b(?:usd|eur|dollars?|euros?)\b/i.test(unit);
  return isUnit ? unit : refuse(row.unit, 'a unit of quantity');
}

/** The printed specification of the drug, unless it speaks of purity. */
function specificationOf(row: PriceRow, audit: Audit): string {
  const specification = textOf(row.specify);
  if (!/%|percent|purity|pure\b|potency|\bTHC\b/i.test(specification)) return specification;
  count(audit.withheld, 'specification that speaks of purity');
  return '';
}
