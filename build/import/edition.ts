/**
 * Which edition a copy is: known by its hash, printed in the file, in the name the publisher gave it, or stated by the operator.
 * It is never the day of the import, and a copy is never described as an edition that it is not.
 */
import { isCalendarDate } from '../lib/clock.ts';
import type { Source } from '../lib/dataset.ts';
import { refuse, shapeOf, textOf, type Cell } from './cells.ts';
import { COPY_NOTES, factsOfEdition, type SourceFacts } from './family.ts';
import { Refusal, type ImportOptions, type SourceFile } from './importer.ts';
import { topRows } from './table.ts';
import { isWorkbook, openWorkbook } from './workbook.ts';

interface Known {
  /** The date that the file prints, where the importer has read it already. */
  printed?: string | null;
  /** True where the operator's edition is for the other files of the import as well, so that a file may say another of itself. */
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
  const found = recorded ?? known.printed ?? editionIn(facts, file);
  const dated = agreed(found, file, options, { isRecorded: recorded !== null, ...known });
  // A date that was stated says nothing of a title: the file may be of another edition than that of the date.
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

/** What the file says of itself; null where it says nothing. */
function editionIn({ editions, dates = {} }: SourceFacts, file: SourceFile): string | null {
  const cells = aboveTables(file);
  const texts = cells.filter(({ value }) => typeof value === 'string');
  for (const [date, { says }] of Object.entries(editions))
    if (says !== undefined && texts.some((cell) => new RegExp(says, 'i').test(textOf(cell)))) return date;
  const printed = dates.cell === undefined ? null : printedDate(cells, dates.cell);
  if (printed !== null) return printed;
  const name = dates.name === undefined ? null : new RegExp(dates.name).exec(file.name);
  return name === null ? null : dateIn(name);
}

/** More filled cells than a title has: the head of a table. */
const MOST_OF_TITLE = 4;

/** The cells above the table of each sheet, and of sheets without one. */
function aboveTables(file: SourceFile): Cell[] {
  if (!isWorkbook(file.bytes)) return [];
  return openWorkbook(file).sheets.flatMap((sheet) => {
    const rows = topRows(sheet).map((row) => sheet.cells(row).filter(({ value }) => value !== null));
    const head = rows.findIndex((cells) => cells.length > MOST_OF_TITLE);
    return rows.slice(0, head < 0 ? undefined : head).flat();
  });
}

/** The first cell above the table that is a date: a text of one of these forms, or a number that Excel shows as a date. */
function printedDate(cells: Cell[], forms: string[]): string | null {
  for (const cell of cells) {
    if (typeof cell.value === 'number' && shapeOf(cell.format ?? '') === 'a date')
      return new Date(Date.UTC(1899, 11, 30) + Math.floor(cell.value) * 86_400_000)
        .toISOString()
        .slice(0, 10);
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

/** The edition, where file and operator do not contradict each other. Throws a Refusal. */
function agreed(
  found: string | null,
  { name, sha256 }: SourceFile,
  { edition, modified, retrieved }: ImportOptions,
  { isRecorded, isShared = false }: Known & { isRecorded: boolean },
): string {
  const dated = found ?? edition ?? modified?.get(sha256);
  if (dated === undefined)
    throw new Refusal(
      name,
      'the edition',
      "a date in the file, or --edition with the publisher's date of it, YYYY-MM-DD or YYYY-MM",
      'neither',
    );
  const isSame = edition === undefined || dated.startsWith(edition) || edition.startsWith(dated);
  if (!isSame && !isShared)
    throw new Refusal(
      name,
      'the edition',
      `${dated}, as the file says or the record of its hash`,
      `--edition ${edition}`,
    );
  if (!isRecorded && dated > retrieved.slice(0, dated.length))
    throw new Refusal(name, 'the edition', `a date up to ${retrieved}, when the copy was obtained`, dated);
  return dated;
}
