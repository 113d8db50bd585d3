/**
 * UNODC World Drug Report, annex 8.1 Prices -> dataset `drug-prices`. The typical price is the value, minimum and maximum
 * are its bounds; none is computed from the others. Only the sheet of prices is read: purity is outside the safety boundary.
 */
import type { Indicator, ObservationRow, ObservationsDescriptor } from '../lib/dataset.ts';
import { annexRows, countRows } from './annex.ts';
import { neededText, numberOf, refuse, textOf, yearOf } from './cells.ts';
import { count, newAudit, type Audit, type Importer } from './importer.ts';
import { isOutsideBounds, newGeographies, observation } from './observations.ts';
import { describeSource, UNODC_TERMS, type SourceFacts } from './sources.ts';
import type { Row } from './table.ts';

const TABLE = {
  sheet: 'Prices in USD',
  columns: {
    country: ['Country/Territory'],
    drug: ['Drug'],
    specify: ['Specify'],
    level: ['LevelOfSale'],
    year: ['Year'],
    typical: ['Typical_USD'],
    minimum: ['Minimum_USD'],
    maximum: ['Maximum_USD'],
    unit: ['Unit'],
  },
} as const;
type PriceRow = Row<keyof (typeof TABLE)['columns']>;

/** Printed level of sale -> indicator. */
const LEVELS = new Map([
  ['Retail', { id: 'prices-retail', label: 'Drug prices, retail' }],
  ['Wholesale', { id: 'prices-wholesale', label: 'Drug prices, wholesale' }],
]);

const REPORT = 'https://www.unodc.org/unodc/en/data-and-analysis/world-drug-report-2024.html';
const SOURCE: SourceFacts = {
  ...UNODC_TERMS,
  id: 'wdr2024-8.1',
  title: 'World Drug Report 2024, annex 8.1: Prices of drugs, 2018-2022',
  url: REPORT,
  path: 'https://www.unodc.org/documents/data-and-analysis/WDR_2024/annex/8.1_Prices_and_purities_of_drugs.xlsx',
  cadence: 'P1Y',
  notes: [
    'Prices are those that Member States reported to UNODC, in United States dollars as printed.',
    'The address of the file is inferred from those of its neighbours.',
    'The sheet of purities is not read and nothing of it is packaged.',
  ],
  copies: { '29d86ddf6b057b898eb47ea7ba7fd0591b8501847afecdda75993e4afd4d8f7e': '2024-06' },
  otherCopies: {
    id: 'wdr-8.1',
    title: 'World Drug Report, annex 8.1: Prices of drugs',
    url: REPORT,
    path: REPORT,
  },
};

const LIMITATIONS = [
  'Units are free labels as printed: prices of different units are not comparable and are never converted.',
  'A row without a typical price has no value, with its bounds kept: no midpoint is computed.',
  'A few minimums are above their maximum, and some typical prices outside both: all kept as printed.',
  'Where no unit is printed the unit is USD alone; a zero without a unit is a placeholder, not a price.',
];

const DESCRIPTOR: Omit<ObservationsDescriptor, 'sources' | 'geographies' | 'indicators'> = {
  kind: 'observations',
  name: 'drug-prices',
  title: 'Drug prices',
  description: 'Annual retail and wholesale prices of drugs in US dollars by country, as reported to UNODC.',
  limitations: [
    'Prices are reports of single authorities, collected in different ways, and not adjusted for inflation.',
    'A drug, year or country without a row was not reported.',
    'Names of drugs and units change between years of the source and are kept as printed.',
  ],
};

/** Reads annex 8.1: typical price and its bounds. Throws a Refusal. */
export const prices: Importer = {
  name: 'prices',
  summary: 'UNODC World Drug Report, annex 8.1 Prices (purities are never read)',
  datasets: [DESCRIPTOR.name],
  files: 'one workbook with a sheet "Prices in USD"',
  read(files, options) {
    const audit = newAudit();
    const { file, rows: printed } = annexRows('prices', files, TABLE, audit);
    const source = describeSource(SOURCE, file, options);
    const geographies = newGeographies(audit);
    const rows = printed.map((row) => priceOf(row, geographies.named(row.country), source.id, audit));
    countRows(rows, audit);
    const indicators = [...LEVELS]
      .filter(([, { id }]) => rows.some((row) => row.indicatorId === id))
      .map(([level, names]) => indicatorOf(level, names, source.id));
    const descriptor = { ...DESCRIPTOR, sources: [source], geographies: geographies.list(), indicators };
    return [{ dataset: { kind: 'observations', descriptor, rows }, audit }];
  },
};

function indicatorOf(level: string, names: { id: string; label: string }, sourceId: string): Indicator {
  return {
    ...names,
    sourceId,
    market: 'drugs',
    measureType: 'reported_price',
    description: `Typical ${level.toLowerCase()} price with minimum and maximum, in USD per printed unit; category is the drug, subgroup its specification and unit as printed.`,
    limitations: LIMITATIONS,
  };
}

function priceOf(row: PriceRow, geoCode: string, sourceId: string, audit: Audit): ObservationRow {
  const level = LEVELS.get(neededText(row.level)) ?? refuse(row.level, [...LEVELS.keys()].join(' or '));
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
    indicatorId: level.id,
    geoCode,
    category: neededText(row.drug),
    subgroup: [specificationOf(row, audit), unit].filter((text) => text !== '').join('; '),
    period: yearOf(row.year),
    value,
    lower,
    upper,
    unit: unit === '' ? 'USD' : `USD / ${unit}`,
    status: 'reported',
    // A zero without a unit is a placeholder, not a price.
    reason: value === 0 && unit === '' ? 'placeholder_in_source' : null,
    sourceId,
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
