/**
 * UNODC World Drug Report, annex 7.1 Drug seizures -> dataset `drug-seizures`. Every row is one record: rows that share
 * all their keys stay apart, reported totals stand in a category of their own, and nothing is summed.
 */
import type { Indicator, ObservationRow, ObservationsDescriptor } from '../lib/dataset.ts';
import {
  annexRows,
  countRows,
  factsOfCopy,
  newGeographyList,
  openAnnex,
  type AnnexRow,
} from './annex-row.ts';
import { count, newAudit } from './audit.ts';
import { describeSource, type Family, type KnownCopies, type SourceFacts } from './family.ts';
import { UNODC_TERMS, WDR_2025 } from './unodc.ts';

const COLUMNS = {
  country: ['Country'],
  group: ['DrugGroup'],
  subGroup: ['DrugSubGroup'],
  drug: ['DrugName'],
  year: ['Reference year'],
  kilograms: ['Kilograms'],
  code: ['msCode'],
} as const;
type Column = keyof typeof COLUMNS;

const UNIT = 'Kilograms';
const TOTALS = 'Reported totals';

const KNOWN: KnownCopies = {
  bba33b42076c8e39bfd3a78cba5415747b0358ead6e3acaefe7a472cb5161e9e: {
    dated: '2025-06',
    retrievedAt: '2025-06',
  },
};

const FACTS: SourceFacts = {
  id: 'wdr2025-7.1',
  title: 'World Drug Report 2025, annex 7.1: Drug seizures, 2019-2023',
  ...UNODC_TERMS,
  url: WDR_2025,
  path: 'https://www.unodc.org/documents/data-and-analysis/WDR_2025/Annex/7.1_Drug_seizures_2019-2023.xlsx',
  cadence: 'P1Y',
  notes: ['Amounts are those that Member States reported to UNODC.'],
};
const UNKNOWN = {
  id: 'wdr-7.1',
  title: 'World Drug Report, annex 7.1: Drug seizures',
  url: WDR_2025,
  path: WDR_2025,
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
    'The category "Reported totals" overlaps the drugs of its group and is never to be added to them; long names of totals are cut at the first comma of their parenthesis.',
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

/** Reads annex 7.1, sheet "Seizures": kilograms by country, year and drug. Throws a Refusal. */
export const seizures: Family = {
  name: 'seizures',
  summary: 'UNODC World Drug Report, annex 7.1 Drug seizures',
  files: 'one workbook with a sheet "Seizures"',
  read(files, options) {
    const audit = newAudit();
    const table = openAnnex(files, 'Seizures', COLUMNS, audit);
    const source = describeSource(factsOfCopy(FACTS, UNKNOWN, table.file, KNOWN), table.file, KNOWN, options);
    const geographies = newGeographyList(audit);
    const rows: ObservationRow[] = [];
    for (const row of annexRows(table, audit)) {
      const country = row.needed('country');
      const geoCode = geographies.codeOf(country, row.text('code'), table.file.name, row.locator('country'));
      rows.push(observation(row, geoCode, source.id));
    }
    count(audit.withheld, 'column "DrugSubGroup", read only to tell totals');
    count(audit.notes, 'rows in the category of reported totals', rows.filter(isTotal).length);
    countRows(rows, audit);
    const indicators = [{ ...INDICATOR, sourceId: source.id }];
    const descriptor = { ...DESCRIPTOR, sources: [source], geographies: geographies.sorted(), indicators };
    return [{ dataset: { kind: 'observations', descriptor, rows }, audit }];
  },
};

function observation(row: AnnexRow<Column>, geoCode: string, sourceId: string): ObservationRow {
  const value = row.amount('kilograms');
  return {
    indicatorId: INDICATOR.id,
    geoCode,
    ...drugOf(row),
    period: row.year('year'),
    value,
    lower: null,
    upper: null,
    unit: UNIT,
    status: value === null ? 'unavailable' : 'reported',
    unavailableReason: value === null ? 'blank_in_source' : null,
    sourceId,
    sourceLocator: row.locator('kilograms'),
  };
}

/** A row that calls itself a total, in its group or its name, would count its neighbours twice: it leaves their category. */
function drugOf(row: AnnexRow<Column>): Pick<ObservationRow, 'category' | 'subgroup'> {
  const [group, drug] = [row.needed('group'), row.needed('drug')];
  if (![group, row.text('subGroup'), drug].some((text) => /\btotals?\b/i.test(text)))
    return { category: group, subgroup: drug };
  return { category: TOTALS, subgroup: drug.replace(/,[^()]*\)$/, ')') };
}

function isTotal({ category }: ObservationRow): boolean {
  return category === TOTALS;
}
