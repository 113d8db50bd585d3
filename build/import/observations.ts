/** What the importers of observations share: rows with their defaults, geographies by name or code, counts, and the importer of one table. */
import { groupedBy } from '../../shim/core/groups.ts';
import {
  byCodeUnits,
  type Geography,
  type ObservationRow,
  type ObservationsDescriptor,
  type Source,
  type UnavailableReason,
} from '../lib/dataset.ts';
import { geographyOf, geographyOfCode, ISO3 } from '../reference/geography.ts';
import { printedText, refuse, textOf, type Cell } from './cells.ts';
import { describeSource } from './edition.ts';
import {
  describeImporter,
  indicatorOf,
  observationsDescriptor,
  usedIndicators,
  type Family,
  type IndicatorFacts,
} from './family.ts';
import {
  count,
  newAudit,
  onlyFile,
  Refusal,
  shown,
  type Audit,
  type Imported,
  type Importer,
  type SourceFile,
} from './importer.ts';
import { countHidden, isWorkbook, openWorkbook } from './workbook.ts';

/** A row before its source is known: the id of the source depends on the edition. */
export type UnsourcedRow = Omit<ObservationRow, 'sourceId'>;

/** An observation as an importer states it; what is left out is empty or null. */
export interface Statement
  extends
    Omit<
      UnsourcedRow,
      'category' | 'subgroup' | 'group' | 'lower' | 'upper' | 'status' | 'unavailableReason'
    >,
    Partial<Pick<ObservationRow, 'category' | 'subgroup' | 'group' | 'lower' | 'upper'>> {
  /** How the value is known, where there is one. */
  status: 'reported' | 'estimated';
  /** Why there is none, unless the cell is just blank. */
  reason?: UnavailableReason | null;
}

/** The row of a statement: a value with a reason against it is unavailable, a blank between bounds has no point value. */
export function observation({ reason: stated, status, value, ...known }: Statement): UnsourcedRow {
  const row = { category: '', subgroup: '', group: '', lower: null, upper: null, ...known };
  const blank = row.lower === null && row.upper === null ? 'blank_in_source' : 'no_point_value_in_source';
  const reason = stated ?? (value === null ? blank : null);
  if (reason === null) return { ...row, value, status, unavailableReason: null };
  return { ...row, value: null, status: 'unavailable', unavailableReason: reason };
}

/** The geographies of one dataset while it is being read: one name per code, the first one printed. */
export interface Geographies {
  add(geography: Geography): string;
  /** The code of a printed name, checked against the code printed next to it, if any. Refuses what is not known. */
  named(name: Cell, code?: Cell): string;
  /** The code as printed, which must be ISO 3166-1 alpha-3, unless the name is that of a place without one. */
  coded(code: Cell, name: Cell): string;
  /** All that were met, by code. */
  list(): Geography[];
  /** All that were met, in the order of the table. */
  inOrder(): Geography[];
}

const UNKNOWN_NAME =
  'a known country or territory; a new spelling that is right goes into build/reference/spellings.txt';

/** An empty collection; another spelling of a country is noted in the audit if one is given. */
export function newGeographies(audit?: Audit): Geographies {
  const known = new Map<string, Geography>();
  const add = (geography: Geography): string => {
    const first = known.get(geography.code);
    if (!first) known.set(geography.code, geography);
    else if (audit && first.name !== geography.name)
      count(audit.notes, 'rows with a second spelling of a country');
    return geography.code;
  };
  return {
    add,
    named(name, code) {
      const named = geographyOf(textOf(name)) ?? refuse(name, UNKNOWN_NAME);
      const printed = code === undefined ? '' : printedText(code);
      if (!code || printed === '') return add(named);
      // A place without a code of the standard may have one of the publisher's own, such as XKX.
      const own = typeof code.value === 'string' && !ISO3.test(named.code) ? named : null;
      const geography =
        geographyOfCode(printed, textOf(name)) ?? own ?? refuse(code, 'an ISO 3166-1 alpha-3 code');
      if (geography.code === named.code) return add(geography);
      const found = `${shown(code.value)} next to ${shown(name.value)}`;
      return refuse(code, 'the ISO 3166-1 alpha-3 code of the name next to it', found);
    },
    coded(code, name) {
      const named = geographyOf(textOf(name));
      // A place without a code of the standard may have one of the publisher's own, such as XKX: its name decides.
      const own = named && !ISO3.test(named.code) ? named : null;
      const coded = geographyOfCode(textOf(code), textOf(name)) ?? own;
      if (!coded) return refuse(code, 'an ISO 3166-1 alpha-3 code');
      if (!named) return refuse(name, UNKNOWN_NAME);
      const found = `${shown(code.value)} next to ${shown(name.value)}`;
      return named.code === coded.code
        ? add(coded)
        : refuse(code, `${named.code}, the code of the name next to it`, found);
    },
    inOrder: () => [...known.values()],
    list: () => [...known.values()].sort((a, b) => byCodeUnits(a.code, b.code)),
  };
}

/** The dataset of these rows; why values are missing is counted. */
export function observationsDataset(
  family: Family,
  name: string,
  parts: Pick<ObservationsDescriptor, 'sources' | 'geographies' | 'indicators'>,
  rows: ObservationRow[],
  audit: Audit,
): Imported {
  for (const { unavailableReason } of rows)
    if (unavailableReason !== null) count(audit.unavailable, unavailableReason);
  const descriptor = observationsDescriptor(family, name, parts, rows);
  return { dataset: { kind: 'observations', descriptor, rows }, audit };
}

/** Counts a lower bound above its upper one, and a value that lies outside its bounds: both are kept as printed. */
export function noteBounds(
  { value, lower, upper }: Record<'value' | 'lower' | 'upper', number | null>,
  audit: Audit,
): void {
  if (lower !== null && upper !== null && lower > upper)
    count(audit.notes, 'lower bound above upper bound, kept as printed');
  else if (value !== null && ((lower ?? value) > value || (upper ?? value) < value))
    count(audit.notes, 'value outside its bounds, kept as printed');
}

/** Refuses a second row, or value, of one key, naming the place of the first. */
export function refuseTwin(
  seen: Map<string, string>,
  key: string,
  cell: Pick<Cell, 'file' | 'place' | 'value' | 'heading'>,
  what = 'row',
): void {
  const first = seen.get(key);
  if (first !== undefined) refuse(cell, `one ${what} of ${key}`, `another at ${first}`);
  seen.set(key, cell.place);
}

/** Notes rows that share every key column with another. */
export function noteTwins(rows: readonly UnsourcedRow[], audit: Audit): void {
  const keyOf = ({ indicatorId, geoCode, category, subgroup, period }: UnsourcedRow): string =>
    JSON.stringify([indicatorId, geoCode, category, subgroup, period]);
  for (const { length: times } of groupedBy(rows, keyOf).values())
    if (times > 1) count(audit.notes, 'rows that share all keys with another row, all kept', times);
}

/** What `readRows` gets: the file, and what collects geographies and counts. */
export interface Reading {
  family: Family;
  file: SourceFile;
  geographies: Geographies;
  audit: Audit;
}

/** An importer that reads one file, which `takes` describes, into one dataset of observations. */
export function observationsImporter(
  family: Family,
  takes: string,
  readRows: (reading: Reading) => UnsourcedRow[] | { rows: UnsourcedRow[]; indicators: IndicatorFacts[] },
): Importer {
  const about = describeImporter(family);
  const [dataset = ''] = about.datasets;
  return {
    ...about,
    read(files, options) {
      const file = onlyFile(family.name, files, takes);
      const audit = newAudit();
      const geographies = newGeographies(audit);
      const found = readRows({ family, file, geographies, audit });
      const read = Array.isArray(found) ? { rows: found, indicators: null } : found;
      const source = describeSource(family.sources['table'], file, options);
      const rows = sourced(read.rows, source, file);
      const indicators =
        read.indicators?.map((facts) => indicatorOf(facts, source.id)) ??
        usedIndicators(family, rows, source.id);
      if (isWorkbook(file.bytes)) countHidden(openWorkbook(file), audit);
      const parts = { sources: [source], geographies: geographies.list(), indicators };
      return [observationsDataset(family, dataset, parts, rows, audit)];
    },
  };
}

/** So many records in a row do not stand twice in a table, unless a part of it does; in those of publishers at most seven do. */
const REPEATED = 50;

/** Refuses a table of which a part stands twice, as where a page of a download was got twice. */
function refuseRepeated(rows: readonly UnsourcedRow[], file: string): void {
  const last = new Map<string, number>();
  let [before, run] = [-1, 0];
  for (const [at, { sourceLocator, ...printed }] of rows.entries()) {
    const text = JSON.stringify(printed);
    const same = last.get(text) ?? -1;
    last.set(text, at);
    const isNext = same >= 0 && same === before + 1;
    run = isNext ? run + 1 : Number(same >= 0);
    before = same;
    const first = rows[same - REPEATED + 1];
    if (run === REPEATED && first)
      throw new Refusal(
        file,
        sourceLocator,
        'each part of the table once',
        `the last of ${REPEATED} records in a row that stand from ${first.sourceLocator} on as well`,
      );
  }
}

/** The rows of a source. A table without rows, one with a part twice, and a year after that of its edition, are refused. */
export function sourced(
  rows: UnsourcedRow[],
  { id: sourceId, dated }: Pick<Source, 'id' | 'dated'>,
  { name }: SourceFile,
): ObservationRow[] {
  if (rows.length === 0) throw new Refusal(name, 'the table', 'rows of data', 'none');
  refuseRepeated(rows, name);
  const last = dated.slice(0, 4);
  return rows.map((row) => {
    if (row.period.slice(0, 4) > last)
      throw new Refusal(name, row.sourceLocator, `a year up to ${last}, the year of the edition`, row.period);
    return { ...row, sourceId };
  });
}
