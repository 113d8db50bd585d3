/**
 * Which edition a copy is: known by its hash, printed in the file, in the name the publisher gave it, or stated by the operator.
 * It is never the day of the import, and a copy is never described as an edition that it is not.
 */
import { basename } from 'node:path';
import { isCalendarDate } from '../lib/clock.ts';
import type { Source } from '../lib/dataset.ts';
import { excelDay, refuse, shapeOf, textOf, type Cell } from './cells.ts';
import { COPY_NOTES, factsOfEdition, type SourceFacts } from './family.ts';
import { Refusal, type ImportOptions, type SourceFile } from './importer.ts';
import { topRows } from './table.ts';
import { isWorkbook, openWorkbook } from './workbook.ts';

interface Known {
  /** The date that the file prints, where the importer has read it already. */
  printed?: string | null;
  /** True where the operator's edition is for several files of an import, so that one of them may state another. */
  isShared?: boolean;
}

/** Completes a source with the file's own facts: edition, hash, size and when it was obtained. Throws a Refusal where no edition is known. */
export function describeSource(
  facts: SourceFacts | undefined,
  file: SourceFile,
  options: ImportOptions,
  known: Known = {},
): Source {
  if (!facts) throw new Error(`${file.name}: its source is missing in the YAML file of the importer.`);
  const recorded = editionOnRecord(facts, file);
  const found = recorded ?? known.printed ?? editionIn(facts, file, options.edition);
  const dated = agreed(found, file, options, { isRecorded: recorded !== null, ...known });
  // A date that only the operator states is no proof that the file is the recorded edition of that date.
  const edition = found === null ? null : (facts.editions[dated] ?? null);
  const { id, title, publisher, url, path, license, licenseUrl, rights, cadence, notes, refresh } =
    factsOfEdition(facts, edition);
  const isOther = recorded === null && edition?.copies !== undefined && edition.path !== undefined;
  return {
    id,
    title,
    publisher,
    url,
    path: isOther ? url : path,
    license,
    licenseUrl,
    rights,
    dated,
    retrievedAt: recorded ?? options.retrieved,
    cadence,
    sha256: file.sha256,
    bytes: file.bytes.length,
    notes: [
      ...notes,
      ...(isOther ? [COPY_NOTES.otherCopy] : []),
      ...(found === null ? [options.edition === undefined ? COPY_NOTES.modified : COPY_NOTES.stated] : []),
    ],
    ...(refresh !== undefined && { refresh }),
  };
}

/** The edition of a copy that is on record by its hash; null for any other. */
function editionOnRecord({ editions }: SourceFacts, { sha256 }: SourceFile): string | null {
  return Object.entries(editions).find(([, { copies = [] }]) => copies.includes(sha256))?.[0] ?? null;
}

/** The edition that the file states; null where it states none. Throws a Refusal where it states several and the operator chose none of them. */
function editionIn(
  { editions, dates = {} }: SourceFacts,
  file: SourceFile,
  stated: string | undefined,
): string | null {
  const said = aboveTables(file).flatMap((cells) => {
    const typed = cells.filter(({ value, formula }) => typeof value === 'string' && formula === null);
    const texts = typed.map(textOf);
    const known = Object.entries(editions).find(([date, { says }]) => {
      const title = says === undefined ? null : new RegExp(says, 'i');
      // A file that was corrected later has the same title: its date is the operator's.
      const isCorrected = stated !== undefined && stated > date && !isSame(stated, date);
      return title !== null && !isCorrected && texts.some((text) => title.test(text.replaceAll('–', '-')));
    });
    return known?.[0] ?? (dates.cell === undefined ? null : printedDate(cells, dates.cell)) ?? [];
  });
  const [first, ...others] = [...new Set(said)];
  if (first === undefined) {
    // In the name of the file, else in that of its folder.
    const form = dates.name === undefined ? null : new RegExp(dates.name);
    const match = form && (form.exec(basename(file.name)) ?? form.exec(file.name));
    return match && dateIn(match);
  }
  if (others.length === 0) return first;
  const meant = stated === undefined ? [] : [first, ...others].filter((date) => isSame(date, stated));
  const [chosen, ...doubtful] = meant;
  if (chosen !== undefined && doubtful.length === 0) return chosen;
  return refuseEdition(
    file,
    'one date; where the sheets of a file print several, --edition says which one is meant',
    [first, ...others].join(' and '),
  );
}

/** Whether two dates may be the same: a month may be any of its days. */
function isSame(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

function refuseEdition({ name }: SourceFile, expected: string, found: string): never {
  throw new Refusal(name, 'the edition', expected, found);
}

/** Most filled cells in a row of titles; a row with more is the head of a table. */
const MOST_OF_TITLE = 4;

/** The cells above the table of each sheet that has one; in a file without any table all cells. */
function aboveTables(file: SourceFile): Cell[][] {
  if (!isWorkbook(file.bytes)) return [];
  const sheets = openWorkbook(file).sheets.map((sheet) => {
    const rows = topRows(sheet).map((row) => sheet.cells(row).filter(({ value }) => value !== null));
    return { rows, head: rows.findIndex((cells) => cells.length > MOST_OF_TITLE) };
  });
  const withTable = sheets.filter(({ head }) => head >= 0);
  return withTable.length > 0
    ? withTable.map(({ rows, head }) => rows.slice(0, head).flat())
    : sheets.map(({ rows }) => rows.flat());
}

/** The first cell above the table that is a date: a text of one of these forms, or a number that Excel shows as a date. */
function printedDate(cells: Cell[], forms: string[]): string | null {
  for (const cell of cells) {
    if (typeof cell.value === 'number' && shapeOf(cell.format ?? '') === 'a date')
      return excelDay(cell.value).toISOString().slice(0, 10);
    if (typeof cell.value !== 'string') continue;
    for (const form of forms) {
      const match = new RegExp(form).exec(cell.value.trim());
      if (match) return dateIn(match) ?? refuse(cell, 'the date of the edition, day before month');
    }
  }
  return null;
}

function dateIn({ groups = {} }: RegExpExecArray): string | null {
  const { year, month, day } = groups;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  return isCalendarDate(date) ? date : null;
}

/** The edition on which file and operator agree. Throws a Refusal where they contradict each other. */
function agreed(
  found: string | null,
  file: SourceFile,
  { edition, modified, retrieved }: ImportOptions,
  { isRecorded, isShared = false }: Known & { isRecorded: boolean },
): string {
  const dated = found ?? edition ?? modified?.get(file.sha256);
  if (dated === undefined)
    refuseEdition(
      file,
      "a date in the file, or --edition with the publisher's date of it, YYYY-MM-DD or YYYY-MM",
      'neither',
    );
  if (edition !== undefined && !isSame(dated, edition) && !isShared)
    refuseEdition(file, `${dated}, as the file says or the record of its hash`, `--edition ${edition}`);
  if (!isRecorded && dated > retrieved.slice(0, dated.length))
    refuseEdition(
      file,
      `a date up to ${retrieved}, when the copy was obtained by the clock of this machine or --retrieved`,
      dated,
    );
  return dated;
}
