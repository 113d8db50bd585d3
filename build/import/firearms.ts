/**
 * UNODC's Illicit Arms Flows Questionnaire workbook, read once into the datasets arms (every row) and firearms-tracing (the
 * tracing breakdown, one record per country and year). A field of a record is one printed category; a field without a row,
 * or whose rows disagree, is null. Nothing is added up.
 */
import type { AtlasField, AtlasRow, ObservationRow, Source } from '../lib/dataset.ts';
import { refuse } from './cells.ts';
import {
  atlasDescriptor,
  describeSource,
  observationsDescriptor,
  readFamily,
  usedIndicators,
} from './family.ts';
import { readArmsTable, type ArmsRow, type ArmsTable } from './firearms-table.ts';
import { count, newAudit, onlyFile, type Imported, type Importer } from './importer.ts';
import { countUnavailable, observation } from './observations.ts';

const FAMILY = readFamily('firearms');
const INDICATORS = new Map(FAMILY.indicators.map(({ printed, id }) => [printed, id]));
const FIELDS: AtlasField[] = Object.entries(FAMILY.datasets['firearms-tracing']?.fields ?? {}).map(
  ([path, label]) => ({ path, label }),
);

/** Imports the arms workbook into arms and firearms-tracing. */
export const firearms: Importer = {
  name: FAMILY.name,
  summary: FAMILY.summary,
  datasets: Object.keys(FAMILY.datasets),
  files: FAMILY.files,
  read(files, options) {
    const file = onlyFile('firearms', files, 'one workbook');
    const table = readArmsTable(file);
    for (const row of table.rows) refuseUnknown(row);
    const described = describeSource(FAMILY.sources['table'], file, options);
    // The edition prints its own date above the table; it says more than the operator's date of retrieval.
    const source = { ...described, dated: table.dated ?? described.dated };
    return [armsDataset(table, source), tracingDataset(table, source)];
  },
};

/** True for a row of the tracing breakdown, which the source files under the dimension "by location". */
function isTracing({ dimension, category }: ArmsRow): boolean {
  const isResult = /^(uniquely identifiable|not uniquely identifiable|total not uniquely|unknown status)/i;
  return dimension === 'by location' && isResult.test(category);
}

/** The field a tracing row fills, `seized.unique.pending`; undefined when its category or indicator is not known. */
function tracingField({ indicator, category }: ArmsRow): string | undefined {
  return FIELDS.find(({ label }) => label === `${indicator}: ${category}`)?.path;
}

function refuseUnknown(row: ArmsRow): void {
  const field = tracingField(row);
  if (!INDICATORS.has(row.indicator)) refuse(row.cells.indicator, 'a known indicator');
  if (isTracing(row) && field === undefined) refuse(row.cells.category, 'a known tracing category');
  if (!isTracing(row) && field !== undefined) refuse(row.cells.dimension, 'the dimension "by location"');
}

function armsDataset(table: ArmsTable, source: Source): Imported {
  const audit = newAudit();
  audit.read = table.rows.length;
  audit.withheld = table.withheld;
  audit.kept = table.rows.length;
  const rows = table.rows.map((row) => armsObservation(row, source.id));
  countUnavailable(rows, audit);
  const zeros = rows.filter(({ value }) => value === 0).length;
  if (zeros > 0) count(audit.notes, 'explicit zero kept as an observed zero', zeros);
  const lost = table.rows.filter(({ isConflicting, value }) => isConflicting && value === 0).length;
  if (lost > 0) count(audit.notes, 'explicit zero unavailable because its row conflicts with another', lost);
  const indicators = usedIndicators(FAMILY, rows, source.id);
  const parts = { sources: [source], geographies: table.geographies, indicators };
  const descriptor = observationsDescriptor(FAMILY, 'arms', parts);
  return { dataset: { kind: 'observations', descriptor, rows }, audit };
}

function armsObservation(row: ArmsRow, sourceId: string): ObservationRow {
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
    sourceId,
    sourceLocator: row.cells.value.place,
  });
}

/** `Sex Male; Age Total`, without the empty parts. */
function joined(parts: string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}

/** The atlas dataset of a table whose tracing rows have all been recognized. */
function tracingDataset(table: ArmsTable, source: Source): Imported {
  const audit = newAudit();
  audit.read = table.rows.length;
  const records = new Map<string, ArmsRow[]>();
  for (const row of table.rows) {
    if (!isTracing(row)) {
      count(audit.withheld, 'row outside the tracing breakdown, packaged in dataset arms only');
      continue;
    }
    const key = `${row.geography.code}.${row.year}`;
    const group = records.get(key);
    if (group) group.push(row);
    else records.set(key, [row]);
    audit.kept += 1;
    if (row.isConflicting) count(audit.unavailable, 'conflicting_source_rows');
    else if (row.value === null) count(audit.unavailable, 'blank_in_source');
  }
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
  const values: AtlasRow['values'] = Object.fromEntries(FIELDS.map(({ path }) => [path, null]));
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
