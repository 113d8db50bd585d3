/**
 * UNODC World Drug Report, annex 7.1 Drug seizures -> dataset `drug-seizures`. Every row is one record: rows that share
 * all their keys stay apart, reported totals have a category of their own, and nothing is summed.
 */
import type { ObservationRow } from '../lib/dataset.ts';
import { neededText, numberOf, textOf, yearOf } from './cells.ts';
import { observationsImporter, readFamily } from './family.ts';
import { count, type Importer } from './importer.ts';
import { countTwins, observation } from './observations.ts';
import { annexRows, type Row } from './table.ts';

const COLUMNS = {
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
  const rows = annexRows(reading, 'Seizures', COLUMNS).map((row) =>
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
function drugOf(row: Row<keyof typeof COLUMNS>): Pick<ObservationRow, 'category' | 'subgroup'> {
  const [group, drug] = [neededText(row.group), neededText(row.drug)];
  const isTotal = [group, textOf(row.subGroup), drug].some((text) => /\btotals?\b/i.test(text));
  return { category: isTotal ? TOTALS : group, subgroup: drug };
}
