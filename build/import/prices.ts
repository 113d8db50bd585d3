/**
 * UNODC World Drug Report, annex 8.1 Prices -> dataset `drug-prices`. The typical price is the value, minimum and maximum
 * are its bounds; none is computed from the others. Only the sheet of prices is read: purity is outside the safety boundary.
 */
import type { Indicator, ObservationRow, ObservationsDescriptor, UnavailableReason } from '../lib/dataset.ts';
import {
  annexRows,
  countRows,
  factsOfCopy,
  newGeographyList,
  openAnnex,
  type AnnexRow,
} from './annex-row.ts';
import { count, newAudit, type Audit } from './audit.ts';
import { describeSource, type Family, type KnownCopies, type SourceFacts } from './family.ts';
import { Refusal, shown } from './refusal.ts';
import { UNODC_TERMS } from './unodc.ts';

const COLUMNS = {
  country: ['Country/Territory'],
  drug: ['Drug'],
  specify: ['Specify'],
  level: ['LevelOfSale'],
  year: ['Year'],
  typical: ['Typical_USD'],
  minimum: ['Minimum_USD'],
  maximum: ['Maximum_USD'],
  unit: ['Unit'],
} as const;
type Column = keyof typeof COLUMNS;

/** Printed level of sale -> indicator. */
const LEVELS = new Map([
  ['Retail', { id: 'prices-retail', label: 'Drug prices, retail' }],
  ['Wholesale', { id: 'prices-wholesale', label: 'Drug prices, wholesale' }],
]);

const KNOWN: KnownCopies = {
  '29d86ddf6b057b898eb47ea7ba7fd0591b8501847afecdda75993e4afd4d8f7e': {
    dated: '2024-06',
    retrievedAt: '2024-06',
  },
};

const REPORT = 'https://www.unodc.org/unodc/en/data-and-analysis/world-drug-report-2024.html';
const FACTS: SourceFacts = {
  id: 'wdr2024-8.1',
  title: 'World Drug Report 2024, annex 8.1: Prices of drugs, 2018-2022',
  ...UNODC_TERMS,
  url: REPORT,
  path: 'https://www.unodc.org/documents/data-and-analysis/WDR_2024/annex/8.1_Prices_and_purities_of_drugs.xlsx',
  cadence: 'P1Y',
  notes: [
    'Prices are those that Member States reported to UNODC, in United States dollars as printed.',
    'The address of the file is inferred from those of its neighbours.',
    'The sheet of purities is not read and nothing of it is packaged.',
  ],
};
const UNKNOWN = {
  id: 'wdr-8.1',
  title: 'World Drug Report, annex 8.1: Prices of drugs',
  url: REPORT,
  path: REPORT,
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

/** Reads annex 8.1, sheet "Prices in USD": typical price and its bounds. Throws a Refusal. */
export const prices: Family = {
  name: 'prices',
  summary: 'UNODC World Drug Report, annex 8.1 Prices (purities are never read)',
  files: 'one workbook with a sheet "Prices in USD"',
  read(files, options) {
    const audit = newAudit();
    const table = openAnnex(files, 'Prices in USD', COLUMNS, audit);
    const source = describeSource(factsOfCopy(FACTS, UNKNOWN, table.file, KNOWN), table.file, KNOWN, options);
    const geographies = newGeographyList(audit);
    const rows: ObservationRow[] = [];
    for (const row of annexRows(table, audit)) {
      const geoCode = geographies.codeOf(row.needed('country'), '', table.file.name, row.locator('country'));
      rows.push(observation(row, table.file.name, geoCode, source.id, audit));
    }
    countRows(rows, audit);
    const indicators = [...LEVELS]
      .filter(([, { id }]) => rows.some((row) => row.indicatorId === id))
      .map(([level, names]) => indicator(level, names, source.id));
    const descriptor = { ...DESCRIPTOR, sources: [source], geographies: geographies.sorted(), indicators };
    return [{ dataset: { kind: 'observations', descriptor, rows }, audit }];
  },
};

function indicator(level: string, names: { id: string; label: string }, sourceId: string): Indicator {
  return {
    ...names,
    sourceId,
    market: 'drugs',
    measureType: 'reported_price',
    description: `Typical ${level.toLowerCase()} price with minimum and maximum, in USD per printed unit; category is the drug, subgroup its specification and unit as printed.`,
    limitations: LIMITATIONS,
  };
}

function observation(
  row: AnnexRow<Column>,
  file: string,
  geoCode: string,
  sourceId: string,
  audit: Audit,
): ObservationRow {
  const level = LEVELS.get(row.needed('level'));
  if (!level)
    throw new Refusal(file, row.locator('level'), [...LEVELS.keys()].join(' or '), shown(row.text('level')));
  const unit = unitOf(row, file);
  const price = priceOf(row, unit, audit);
  return {
    indicatorId: level.id,
    geoCode,
    category: row.needed('drug'),
    subgroup: [specificationOf(row, audit), unit].filter((text) => text !== '').join('; '),
    period: row.year('year'),
    ...price,
    unit: unit === '' ? 'USD' : `USD / ${unit}`,
    status: price.value === null ? 'unavailable' : 'reported',
    sourceId,
    sourceLocator: row.locator('typical'),
  };
}

/** The printed label. A share or a currency in its place would mean that the columns changed their meaning. */
function unitOf(row: AnnexRow<Column>, file: string): string {
  const unit = row.text('unit');
  if (/[%$€£¥]|percent|\b(?:usd|eur|dollars?|euros?)\b/i.test(unit))
    throw new Refusal(file, row.locator('unit'), 'a unit of quantity', shown(unit));
  return unit;
}

/** The printed specification of the drug, unless it speaks of purity. */
function specificationOf(row: AnnexRow<Column>, audit: Audit): string {
  const specification = row.text('specify');
  if (!/%|percent|purity|pure\b|potency|\bTHC\b/i.test(specification)) return specification;
  count(audit.withheld, 'specification that speaks of purity');
  return '';
}

function priceOf(
  row: AnnexRow<Column>,
  unit: string,
  audit: Audit,
): Pick<ObservationRow, 'value' | 'lower' | 'upper' | 'unavailableReason'> {
  const [typical, lower, upper] = [row.amount('typical'), row.amount('minimum'), row.amount('maximum')];
  if (unit === '') count(audit.notes, 'rows without a unit');
  if (lower !== null && upper !== null && lower > upper)
    count(audit.notes, 'minimum above maximum, kept as printed');
  else if (typical !== null && ((lower ?? typical) > typical || (upper ?? typical) < typical))
    count(audit.notes, 'typical outside its bounds, kept as printed');
  const reason = reasonOf(typical, lower ?? upper, unit);
  return { value: reason === null ? typical : null, lower, upper, unavailableReason: reason };
}

function reasonOf(typical: number | null, bound: number | null, unit: string): UnavailableReason | null {
  if (typical === null) return bound === null ? 'blank_in_source' : 'no_point_value_in_source';
  return typical === 0 && unit === '' ? 'placeholder_in_source' : null;
}
