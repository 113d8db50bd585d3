/** Notes between and below the rows of a table, which are no rows, and rows of units, which look like notes. */
import { geographyOf } from '../reference/geography.ts';
import type { Cell } from './cells.ts';
import { count, type Audit } from './importer.ts';
import { refuseOtherUnit, refuseScale, refuseUnitRow } from './units.ts';

/** What marks the text next to it as a note. */
const NOTE_MARK = /^(?:(?:sources?|notes?)\b.*|[*†‡]+|\(?[a-z\d]{1,2}[.)]?)$/i;

/** A text that names no place, alone or after the mark of a note. */
function isNote(filled: readonly Cell[]): boolean {
  const [first, second] = filled.map(({ value }) => (typeof value === 'string' ? value.trim() : null));
  return filled.length === 2
    ? NOTE_MARK.test(first ?? '') && typeof second === 'string' && geographyOf(second) === null
    : filled.length === 1 && typeof first === 'string' && geographyOf(first) === null;
}

/**
 * Makes a function that says of the rows of a table, from the first to the last, whether each holds data, by its filled cells; the audit
 * counts notes. A text alone above all data is a row of units where it is under the heading of a value, which is given with it.
 */
export function dataRows(
  headings: readonly Cell[],
  audit: Audit,
): (filled: readonly Cell[], heading?: Cell) => boolean {
  let isAbove = true;
  return (filled, heading) => {
    const [cell] = filled;
    const isData = cell !== undefined && !isNote(filled);
    if (cell && !isData) {
      refuseScale(filled);
      refuseOtherUnit(filled, headings);
      if (isAbove && heading && filled.length === 1) refuseUnitRow(cell, heading);
      audit.read += 1;
      count(audit.withheld, 'note under the table');
    }
    isAbove &&= !isData;
    return isData;
  };
}
