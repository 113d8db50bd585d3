/**
 * UNODC's Illicit Arms Flows Questionnaire workbook, read once into the datasets arms (every row) and firearms-tracing (the
 * tracing breakdown, one record per country and year). A field of a record is one printed category; a field without a row,
 * or whose rows disagree, is null. Nothing is added up.
 */
import { groupedBy } from '../../shim/core/groups.ts';
import type { AtlasRow, Geography, Source } from '../lib/dataset.ts';
import { foldSpace, joined } from '../lib/text.ts';
import { neededText, numberOf, oneOf, refuse, yearOf } from './cells.ts';
import { describeSource } from './edition.ts';
import { atlasDescriptor, columnsOf, describeImporter, readFamily, usedIndicators } from './family.ts';
import { count, newAudit, onlyFile, shown } from './importer.ts';
import type { Audit, Imported, Importer, SourceFile } from './importer.ts';
import { ISO3 } from '../reference/geography.ts';
import { newGeographies, noteTwins, observation, observationsDataset, sourced } from './observations.ts';
import type { Geographies, UnsourcedRow } from './observations.ts';
import { readTable, type Row } from './table.ts';
import { countHidden, openWorkbook } from './workbook.ts';

const FAMILY = readFamily('firearms');
const INDICATORS = new Map(FAMILY.indicators.map(({ printed, id }) => [printed, id]));
/** The path of each field with its label. */
const FIELDS = Object.entries(FAMILY.datasets['firearms-tracing']?.fields ?? {});

/** Imports the arms workbook into arms and firearms-tracing. */
export const firearms: Importer = {
  ...describeImporter(FAMILY),
  read(files, options) {
    const file = onlyFile('firearms', files, 'one workbook');
    const table = readArmsTable(file);
    for (const row of table.rows) refuseUnknown(row);
    const source = describeSource(FAMILY.sources['table'], file, options);
    return [armsDataset(table, source, file), tracingDataset(table, source)];
  },
};

/** True for a row of the tracing breakdown, which the source files under the dimension "by location". */
function isTracing({ dimension, category }: ArmsRow): boolean {
  const isResult = /^(uniquely identifiable|not uniquely identifiable|total not uniquely|unknown status)/i;
  return dimension === 'by location' && isResult.test(foldSpace(category));
}

/** The field a tracing row fills, `seized.unique.pending`; undefined when its category or indicator is not known. */
function tracingField({ indicator, category }: ArmsRow): string | undefined {
  return FIELDS.find(([, label]) => label === `${indicator}: ${foldSpace(category)}`)?.[0];
}

function refuseUnknown(row: ArmsRow): void {
  const field = tracingField(row);
  if (!INDICATORS.has(row.indicator)) refuse(row.cells.indicator, 'a known indicator');
  if (isTracing(row) && field === undefined) refuse(row.cells.category, 'a known tracing category');
  if (!isTracing(row) && field !== undefined) refuse(row.cells.dimension, 'the dimension "by location"');
}

function armsDataset(table: ArmsTable, source: Source, file: SourceFile): Imported {
  const { audit } = table;
  audit.read += table.rows.length;
  audit.kept = table.rows.length;
  const rows = sourced(table.rows.map(armsObservation), source, file);
  noteTwins(rows, audit);
  const zeros = rows.filter(({ value }) => value === 0).length;
  if (zeros > 0) count(audit.notes, 'explicit zero kept as an observed zero', zeros);
  const lost = table.rows.filter(({ isConflicting, value }) => isConflicting && value === 0).length;
  if (lost > 0) count(audit.notes, 'explicit zero unavailable because its row conflicts with another', lost);
  const indicators = usedIndicators(FAMILY, rows, source.id);
  const parts = { sources: [source], geographies: table.geographies, indicators };
  return observationsDataset(FAMILY, 'arms', parts, rows, audit);
}

function armsObservation(row: ArmsRow): UnsourcedRow {
  const id = INDICATORS.get(row.indicator) ?? '';
  const persons = [row.sex === null ? '' : `Sex ${row.sex}`, row.age === null ? '' : `Age ${row.age}`];
  const place = isTracing(row)
    ? { indicatorId: `${id}-tracing`, category: row.category, subgroup: joined(persons) }
    : { indicatorId: id, category: row.dimension, subgroup: joined([row.category, ...persons]) };
  return observation({
    ...place,
    geoCode: row.geography.code,
    period: row.year,
    value: row.value,
    unit: row.unit,
    status: 'reported',
    reason: row.isConflicting ? 'conflicting_source_rows' : null,
    sourceLocator: row.cells.value.place,
  });
}

/** The atlas dataset of a table whose tracing rows have all been recognized. */
function tracingDataset(table: ArmsTable, source: Source): Imported {
  const audit = newAudit();
  audit.read = table.rows.length;
  const results = table.rows.filter(isTracing);
  // A record of the atlas is named by a code of the standard.
  const tracing = results.filter(({ geography }) => ISO3.test(geography.code));
  audit.kept = tracing.length;
  for (const [what, left] of [
    ['outside the tracing breakdown', audit.read - results.length],
    ['of a place without an ISO 3166-1 code', results.length - tracing.length],
  ] as const)
    if (left > 0) count(audit.withheld, `row ${what}, packaged in dataset arms only`, left);
  for (const { isConflicting, value } of tracing)
    if (isConflicting) count(audit.unavailable, 'conflicting_source_rows');
    else if (value === null) count(audit.unavailable, 'blank_in_source');
  const records = groupedBy(tracing, ({ geography, year }) => `${geography.code}.${year}`);
  const rows = [...records.values()].flatMap((group) => recordOf(source, group));
  count(audit.notes, 'country-year records', rows.length);
  const empty = rows.flatMap(({ values }) => Object.values(values).filter((value) => value === null));
  count(audit.notes, 'fields that are null', empty.length);
  const descriptor = atlasDescriptor(FAMILY, 'firearms-tracing', [source]);
  return { dataset: { kind: 'atlas', descriptor, rows }, audit };
}

function recordOf(source: Source, group: ArmsRow[]): AtlasRow[] {
  const [first] = group;
  if (!first) return [];
  const values: AtlasRow['values'] = Object.fromEntries(FIELDS.map(([path]) => [path, null]));
  for (const row of group) {
    const path = tracingField(row);
    if (path !== undefined && !row.isConflicting) values[path] = row.value;
  }
  const locator = rangesOf(group);
  const { code, name } = first.geography;
  return [{ iso3: code, country: name, year: Number(first.year), source: source.id, locator, values }];
}

/** The cells of the values in row order, runs as ranges: `Sheet!L5027,L5056:L5057`. */
function rangesOf(group: ArmsRow[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const row of group.map(({ cells }) => cells.value.row).sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && row === last.to + 1) last.to = row;
    else runs.push({ from: row, to: row });
  }
  const [, sheet = '', column = ''] = /^(.*!)([A-Z]+)\d+$/.exec(group[0]?.cells.value.place ?? '') ?? [];
  const ranges = runs.map(({ from, to }) =>
    from === to ? `${column}${from}` : `${column}${from}:${column}${to}`,
  );
  return sheet + ranges.join(',');
}

/** A row of the table. `sex` and `age` are null where the source prints `na` or `N/A`; `value` is null when its cell is blank. */
interface ArmsRow {
  geography: Pick<Geography, 'code' | 'name'>;
  indicator: string;
  dimension: string;
  category: string;
  sex: string | null;
  age: string | null;
  year: string;
  unit: string;
  value: number | null;
  /** True when another row has the same key and another value. */
  isConflicting: boolean;
  /** The cells it was read from, for locators and refusals. */
  cells: Row<Column>;
}

interface ArmsTable {
  rows: ArmsRow[];
  geographies: Geography[];
  /** What is in the file and is not packaged. */
  audit: Audit;
}

const COLUMNS = columnsOf(
  FAMILY,
  'iso3',
  'country',
  'indicator',
  'dimension',
  'category',
  'sex',
  'age',
  'year',
  'unit',
  'value',
);
type Column = keyof typeof COLUMNS;

/** Reads the workbook's table; anything it does not understand is a Refusal naming the cell. */
function readArmsTable(file: SourceFile): ArmsTable {
  const workbook = openWorkbook(file);
  const audit = newAudit();
  const printed = readTable(workbook, COLUMNS, FAMILY, audit).rows;
  countHidden(workbook, audit);
  const geographies = newGeographies();
  const names = new Map<string, string>();
  const rows = printed.map((row) => readRow(row, geographies, names));
  markConflicts(rows);
  return { rows, geographies: geographies.inOrder(), audit };
}

function readRow(cells: Row<Column>, geographies: Geographies, names: Map<string, string>): ArmsRow {
  const text = (key: Column): string => neededText(cells[key], `text in column "${COLUMNS[key][0]}"`);
  const compared = (key: Column): string => foldSpace(text(key));
  const orNotApplicable = (key: Column): string | null => (/^n\/?a$/i.test(text(key)) ? null : text(key));
  const code = geographies.coded(cells.iso3, cells.country);
  const name = names.get(code) ?? compared('country');
  names.set(code, name);
  if (name !== compared('country'))
    refuse(cells.iso3, `one name for ${code}, ${shown(name)}`, shown(cells.country.value));
  return {
    geography: { code, name },
    indicator: compared('indicator'),
    dimension: compared('dimension'),
    category: text('category'),
    sex: orNotApplicable('sex'),
    age: orNotApplicable('age'),
    year: yearOf(cells.year),
    unit: oneOf(cells.unit, ['Counts'], 'the unit'),
    value: numberOf(cells.value, 'a count of zero or more', { isTyped: true, isWhole: true }),
    isConflicting: false,
    cells,
  };
}

/**
 * Two rows of one key with different values: neither can be chosen. The source's column "Source" is not part of the key,
 * because it names the channel a figure came through, not what was counted.
 */
function markConflicts(rows: ArmsRow[]): void {
  // White space does not tell rows apart: ids of records fold it too.
  const keyOf = ({ geography, indicator, dimension, category, sex, age, year, unit }: ArmsRow): string =>
    foldSpace(JSON.stringify([geography.code, indicator, dimension, category, sex, age, year, unit]));
  for (const group of groupedBy(rows, keyOf).values()) {
    const isConflicting = new Set(group.map(({ value }) => value)).size > 1;
    for (const row of group) row.isConflicting = isConflicting;
  }
}
