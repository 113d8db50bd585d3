/** UNODC World Drug Report annex 1.2: prevalence of drug use in the general population, one sheet per drug. */
import { refuse } from './cells.ts';
import { drugWords, filled, type IndicatorFacts } from './family.ts';
import { observationsImporter, type Reading } from './observations.ts';
import { count, Refusal, shown, type Importer } from './importer.ts';
import { noteBounds, noteTwins, observation, refuseTwin, type UnsourcedRow } from './observations.ts';
import { FAMILY, isOfValues, layoutOf, periodOf, substanceOf, valuesOf } from './prevalence-sheet.ts';
import type { Common, Layout, Recall } from './prevalence-sheet.ts';
import { cellUnder, countOtherColumns, headingRow, rowsBelow, type Row } from './table.ts';
import { openWorkbook, type Sheet } from './workbook.ts';

/** Imports annex 1.2 as `drug-use-prevalence`. */
export const prevalence: Importer = observationsImporter(FAMILY, 'one workbook', (reading) => {
  const indicators = new Map<string, IndicatorFacts>();
  const drugs = new Map<string, string>();
  const { file, sheets } = openWorkbook(reading.file);
  const rows = sheets.flatMap((sheet) => readSheet(sheet, { ...reading, indicators, drugs }));
  if (rows.length === 0) {
    const expected = 'a sheet with "Country/Territory" and "Age", and with rows below';
    const names = sheets.map(({ name }) => shown(name)).join(', ');
    throw new Refusal(file, 'the list of sheets', expected, names);
  }
  count(reading.audit.notes, 'records written', rows.length);
  noteTwins(rows, reading.audit);
  return { rows, indicators: [...indicators.values()] };
});

/** One indicator per sheet and recall period: cells of different sheets may share an address, so they must not share an indicator. */
function indicatorOf(drug: string, recall: Recall): IndicatorFacts {
  const stated = FAMILY.indicators.find(({ printed }) => printed === recall);
  if (!stated) throw new Error(`build/import/prevalence.yaml: the indicator "${recall}" is missing.`);
  return filled(stated, drugWords(drug));
}

interface SheetReading extends Reading {
  indicators: Map<string, IndicatorFacts>;
  /** The drugs read so far, each with the first cell of its sheet. */
  drugs: Map<string, string>;
}

function readSheet(sheet: Sheet, reading: SheetReading): UnsourcedRow[] {
  const { audit } = reading;
  const { country = [], age = [] } = FAMILY.columns;
  if (headingRow(sheet, [...country, ...age]) === undefined && !isOfValues(sheet)) {
    count(audit.withheld, `sheet "${sheet.name}", without a table`);
    return [];
  }
  const layout = layoutOf(sheet);
  refuseTwin(reading.drugs, layout.drug, sheet.cell(sheet.rows[0] ?? 1, sheet.columns[0] ?? 1), 'sheet');
  countOtherColumns(layout.found, FAMILY, audit);
  const rows: UnsourcedRow[] = [];
  for (const found of rowsBelow(layout.header, audit, layout.firstRow)) {
    audit.read += 1;
    if (found.row.country.value === null) {
      refuseValues(sheet, layout, found);
      count(audit.withheld, 'note under the table');
    } else {
      audit.kept += 1;
      rows.push(...recordsOf(sheet, layout, found, reading));
    }
  }
  return rows;
}

interface Found {
  number: number;
  row: Row<Common>;
}

/** A row without a country is a note under the table; with a value it is something we did not understand. */
function refuseValues(sheet: Sheet, { measures }: Layout, { number, row }: Found): void {
  const columns = measures.flatMap(({ best, low, high, male, female }) => [best, low, high, male, female]);
  if (columns.some((column) => cellUnder(sheet, number, column).value !== null))
    refuse(row.country, 'a country', 'a blank cell next to values');
}

function recordsOf(sheet: Sheet, layout: Layout, found: Found, reading: SheetReading): UnsourcedRow[] {
  const { geographies, indicators, audit } = reading;
  const { row } = found;
  const geoCode = geographies.named(row.country);
  const hasSubstances = layout.header.column.substance > 0;
  const category = hasSubstances ? substanceOf(row.substance, audit) : layout.drug;
  const period = periodOf(row.year, audit);
  return valuesOf(sheet, layout, found, audit).map(
    ({ recall, cell, subgroup, value, reason, lower, upper }) => {
      noteBounds({ value, lower, upper }, audit);
      const indicator = indicatorOf(layout.drug, recall);
      indicators.set(indicator.id, indicator);
      return observation({
        indicatorId: indicator.id,
        geoCode,
        category,
        subgroup,
        period,
        value,
        reason,
        lower,
        upper,
        unit: 'percent of population',
        status: 'estimated',
        sourceLocator: cell.place,
      });
    },
  );
}
