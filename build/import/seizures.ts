/**
 * UNODC World Drug Report, annex 7.1 Drug seizures -> dataset `drug-seizures`. Every row is one record: rows that share
 * all their keys stay apart, reported totals have a category of their own, and nothing is summed.
 */
import type { Indicator, ObservationRow, ObservationsDescriptor } from '../lib/dataset.ts';
import { annexRows, countRows } from './annex.ts';
import { neededText, numberOf, textOf, yearOf } from './cells.ts';
import { count, newAudit, type Importer } from './importer.ts';
import { newGeographies, observation } from './observations.ts';
import { describeSource, WDR_2025, wdr2025, type SourceFacts } from './sources.ts';
import type { Row } from './table.ts';

const TABLE = {
  sheet: 'Seizures',
  columns: {
    country: ['Country'],
    group: ['DrugGroup'],
    subGroup: ['DrugSubGroup'],
    drug: ['DrugName'],
    year: ['Reference year'],
    kilograms: ['Kilograms'],
    code: ['msCode'],
  },
} as const;
type Column = keyof (typeof TABLE)['columns'];

const TOTALS = 'Reported totals';

const SOURCE: SourceFacts = {
  ...wdr2025('7.1', {
    title: 'Drug seizures, 2019-2023',
    file: 'Drug_seizures_2019-2023.xlsx',
    sha256: 'bba33b42076c8e39bfd3a78cba5415747b0358ead6e3acaefe7a472cb5161e9e',
    notes: ['Amounts are those that Member States reported to UNODC.'],
  }),
  otherCopies: {
    id: 'wdr-7.1',
    title: 'World Drug Report, annex 7.1: Drug seizures',
    url: WDR_2025,
    path: WDR_2025,
  },
};

const INDICATOR: Omit<Indicator, 'sourceId'> = {
  id: 'seizures',
  market: 'drugs',
  label: 'Drug seizures',
  measureType: 'reported_quantity',
  description:
    'Kilograms of drugs seized in a year as reported by the country; category is the drug group, subgroup the drug as printed.',
  limitations: [
    'Kilograms of 2018 and 2019 are whole numbers, so a zero of those years may stand for less than 0.5 kg; zeros from 2020 on are reported zeros.',
    'Rows with the same country, year and drug are separate records, because the source prints no column that tells them apart.',
    'The category "Reported totals" overlaps the drugs of its group and is never to be added to them.',
  ],
};

const DESCRIPTOR: Omit<ObservationsDescriptor, 'sources' | 'geographies' | 'indicators'> = {
  kind: 'observations',
  name: 'drug-seizures',
  title: 'Drug seizures',
  description: 'Annual quantities of drugs seized by country, year and drug, as reported to UNODC.',
  limitations: [
    'A seizure is an administrative observation: it reflects enforcement and reporting as well as supply, and does not measure the size of a market.',
    'A drug, year or country without a row was not reported; it is not zero. A blank amount is unavailable.',
    'Amounts are never summed across drugs, rows or countries.',
  ],
};

/** Reads annex 7.1: kilograms by country, year and drug. Throws a Refusal. */
export const seizures: Importer = {
  name: 'seizures',
  summary: 'UNODC World Drug Report, annex 7.1 Drug seizures',
  datasets: [DESCRIPTOR.name],
  files: 'one workbook with a sheet "Seizures"',
  read(files, options) {
    const audit = newAudit();
    const { file, rows: printed } = annexRows('seizures', files, TABLE, audit);
    const source = describeSource(SOURCE, file, options);
    const geographies = newGeographies(audit);
    const rows = printed.map((row) =>
      observation({
        indicatorId: INDICATOR.id,
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
    countRows(rows, audit);
    const indicators = [{ ...INDICATOR, sourceId: source.id }];
    const descriptor = { ...DESCRIPTOR, sources: [source], geographies: geographies.list(), indicators };
    return [{ dataset: { kind: 'observations', descriptor, rows }, audit }];
  },
};

/** A row that calls itself a total, in its group or its name, would count its neighbours twice: it leaves their category. */
function drugOf(row: Row<Column>): Pick<ObservationRow, 'category' | 'subgroup'> {
  const [group, drug] = [neededText(row.group), neededText(row.drug)];
  if (![group, textOf(row.subGroup), drug].some((text) => /\btotals?\b/i.test(text)))
    return { category: group, subgroup: drug };
  return { category: TOTALS, subgroup: drug };
}
