/** UNODC annex tables that print one observation per row (drug seizures, drug prices). What is not read is counted. */
import type { ObservationRow } from '../lib/dataset.ts';
import type { Reading } from './family.ts';
import { count, type Audit } from './importer.ts';
import { countOtherColumns, findHeader, rowsBelow, type Columns, type Header, type Row } from './table.ts';
import { openWorkbook } from './workbook.ts';

/** The rows of the named sheet; other sheets, unread columns and notes are counted as withheld. Throws a Refusal. */
export function annexRows<K extends string>(
  { file, audit }: Reading,
  name: string,
  columns: Columns<K>,
): Row<K>[] {
  const workbook = openWorkbook(file);
  const sheet = workbook.sheet(name);
  for (const other of workbook.sheets)
    if (other !== sheet) count(audit.withheld, `sheet "${other.name}", never read`);
  const header = findHeader(sheet, columns);
  countOtherColumns(header, audit);
  countUnnamedColumns(header, audit);
  const rows: Row<K>[] = [];
  for (const { number, row } of rowsBelow(header)) {
    audit.read += 1;
    // A lone text is a note or a source line.
    const [filled, ...others] = sheet.cells(number).filter(({ value }) => value !== null);
    if (others.length === 0 && typeof filled?.value === 'string')
      count(audit.withheld, 'line with a single text: a note');
    else rows.push(row);
  }
  return rows;
}

function countUnnamedColumns<K extends string>({ sheet, row: header }: Header<K>, audit: Audit): void {
  for (const column of sheet.columns) {
    if (sheet.cell(header, column).value !== null) continue;
    for (let row = header + 1; row <= sheet.lastRow; row += 1) {
      if (sheet.cell(row, column).value === null) continue;
      count(audit.withheld, 'column without a heading');
      break;
    }
  }
}

/** Counts rows as kept, and notes those that share every key column with another. */
export function countTwins(rows: readonly ObservationRow[], audit: Audit): void {
  audit.kept += rows.length;
  const twins = new Map<string, number>();
  for (const { indicatorId, geoCode, category, subgroup, period } of rows) {
    const key = JSON.stringify([indicatorId, geoCode, category, subgroup, period]);
    twins.set(key, (twins.get(key) ?? 0) + 1);
  }
  for (const times of twins.values())
    if (times > 1) count(audit.notes, 'rows that share all keys with another row, all kept', times);
}
