/** World Bank Informal Economy Database: the Bank's own model and enterprise survey sheets; third-party sheets are withheld. */
import { boundsOf, numberOf, refuse, textOf, yearIn } from './cells.ts';
import { columnsOf, readFamily, type IndicatorFacts } from './family.ts';
import { count, newAudit, Refusal, shown, type Importer } from './importer.ts';
import { observation, observationsImporter, type Reading, type UnsourcedRow } from './observations.ts';
import { countMissingYears, countOtherSheets, findHeader, findTable, isUsed, rowsBelow } from './table.ts';
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts';

const FAMILY = readFamily('informal-economy');

/** Imports the workbook as `informal-economy`. */
export const informalEconomy: Importer = observationsImporter(FAMILY, 'one workbook', (reading) => {
  const workbook = openWorkbook(reading.file);
  checkLabels(reading.file.name, workbook);
  const packaged = FAMILY.indicators.map((series) => ({
    series,
    sheet: sheetNamed(workbook, series.sheet ?? ''),
  }));
  const read = packaged.map(({ sheet }) => sheet);
  // A row of a series may have no more than a name, a code and a value.
  countOtherSheets(workbook, read, 3, FAMILY, reading.audit);
  return packaged.flatMap(({ series, sheet }) => readSeries(sheet, series, reading));
});

/** The workbook's list of variables must still say what each sheet measures and in which unit. */
function checkLabels(file: string, workbook: Workbook): void {
  const header = findTable(workbook, columnsOf(FAMILY, 'variable', 'label'));
  const labels = new Map<string, string>();
  for (const { row } of rowsBelow(header, newAudit())) {
    const variable = textOf(row.variable);
    if (labels.has(variable)) refuse(row.variable, 'each variable once', shown(variable));
    labels.set(variable, textOf(row.label));
  }
  for (const { sheet = '', says = '' } of FAMILY.indicators) {
    const label = labels.get(sheet);
    if (label === undefined || !new RegExp(says, 'i').test(label))
      throw new Refusal(
        file,
        `the label of ${sheet} in "${header.sheet.name}"`,
        `words like ${shown(says.replaceAll(/[\\^]/g, ''))}`,
        shown(label),
      );
  }
}

/** The sheet of a series: its name is what the list of variables explains. */
function sheetNamed({ file, sheets }: Workbook, name: string): Sheet {
  const found = sheets.find((sheet) => sheet.name.trim().toLowerCase() === name.toLowerCase());
  const names = sheets.map((sheet) => `"${sheet.name}"`).join(', ');
  if (!found) throw new Refusal(file, 'the list of sheets', `a sheet named "${name}"`, names);
  return found;
}

/** The columns of a header row whose heading is a year; each year once. `others` are columns of another kind. */
function yearColumns(sheet: Sheet, row: number, others: number[]): { period: string; column: number }[] {
  const years: { period: string; column: number }[] = [];
  for (const column of sheet.columns) {
    if (others.includes(column) || !isUsed(sheet, row, column)) continue;
    const cell = sheet.cell(row, column);
    const period = yearIn({ value: textOf(cell) });
    if (period === null || years.some((year) => year.period === period))
      return refuse(cell, 'each year once, from 1900 to 2200');
    years.push({ period, column });
  }
  return years;
}

function readSeries(
  sheet: Sheet,
  { id, unit = '', measureType }: IndicatorFacts,
  { geographies, audit }: Reading,
): UnsourcedRow[] {
  const header = findHeader(sheet, columnsOf(FAMILY, 'economy', 'code'));
  const years = yearColumns(sheet, header.row, Object.values(header.column));
  countMissingYears(sheet, years, audit);
  const rows: UnsourcedRow[] = [];
  const seen = new Set<string>();
  for (const { number, row } of rowsBelow(header, audit)) {
    const geoCode = geographies.named(row.economy, row.code);
    if (seen.has(geoCode)) refuse(row.code, 'each economy once', shown(geoCode));
    seen.add(geoCode);
    audit.read += 1;
    audit.kept += 1;
    for (const { period, column } of years) {
      const cell = sheet.cell(number, column);
      const value = numberOf(cell, `a number, ${unit}`, { ...boundsOf(unit), isTyped: true });
      if (value === 0) count(audit.notes, 'zero kept as observed');
      // A model has an estimate for every year, so a blank is a missing value; a survey's blank is a year without one.
      if (value === null && measureType !== 'modelled_estimate') continue;
      rows.push(
        observation({
          indicatorId: id,
          geoCode,
          period,
          value,
          unit,
          status: 'estimated',
          sourceLocator: cell.place,
        }),
      );
    }
  }
  count(audit.notes, `records written, ${sheet.name}`, rows.length);
  return rows;
}
