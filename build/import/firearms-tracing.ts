/**
 * Dataset firearms-tracing: the tracing breakdown of the arms table, one record per country and year. A field is one
 * printed category; a field without a row, or whose rows disagree, is null. Nothing is added up.
 */
import type { AtlasField, AtlasRow, Dataset, Source } from '../lib/dataset.ts';
import type { ArmsRow, ArmsTable } from './firearms-table.ts';
import { count, newAudit, type Imported } from './importer.ts';

/** Printed indicator -> the first part of a field path. */
const BRANCHES: Record<string, string> = {
  'Arms seized': 'seized',
  'Arms found': 'found',
  'Arms surrendered': 'surrendered',
};

/** Printed category -> the rest of a field path. The short words are spelled out by the field's label. */
const LEAVES: Record<string, string> = {
  'Uniquely identifiable - total uniquely identifiable through marking': 'unique_total',
  'Uniquely identifiable - from legitimate owner in national registry': 'unique.legitimate_owner',
  'Uniquely identifiable - from illegitimate owner in national registry': 'unique.illegitimate_owner',
  'Uniquely identifiable - from illegitimate owner in foreign registry': 'unique.illegitimate_foreign',
  'Uniquely identifiable - point of diversion otherwise identified': 'unique.otherwise',
  'Uniquely identifiable - tracing attempted, no point of diversion identified': 'unique.attempted',
  'Uniquely identifiable - tracing procedure pending': 'unique.pending',
  'Uniquely identifiable - no tracing procedure initiated': 'unique.not_initiated',
  'Total not uniquely identifiable through marking': 'not_unique_total',
  'Not uniquely identifiable - Erased or altered marking': 'not_unique.altered',
  'Not uniquely identifiable - Illicitly manufactured': 'not_unique.illicit',
  'Not uniquely identifiable - No further information available': 'not_unique.no_information',
  'Unknown status regarding marking': 'unknown',
};

const FIELDS: AtlasField[] = Object.entries(BRANCHES).flatMap(([indicator, branch]) =>
  Object.entries(LEAVES).map(([category, leaf]) => ({
    path: `${branch}.${leaf}`,
    label: `${indicator}: ${category}`,
  })),
);

/** True for a row of the tracing breakdown, which the source files under the dimension "by location". */
export function isTracing(row: Pick<ArmsRow, 'dimension' | 'category'>): boolean {
  return (
    row.dimension === 'by location' &&
    /^(uniquely identifiable|not uniquely identifiable|total not uniquely|unknown status)/i.test(row.category)
  );
}

/** The field a tracing row fills, `seized.unique.pending`; null when its category or indicator is not known. */
export function tracingField(row: Pick<ArmsRow, 'indicator' | 'category'>): string | null {
  const branch = BRANCHES[row.indicator];
  const leaf = LEAVES[row.category];
  return branch === undefined || leaf === undefined ? null : `${branch}.${leaf}`;
}

/** The atlas dataset of a table whose tracing rows have all been recognized. */
export function tracingDataset(table: ArmsTable, source: Source): Imported {
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
  return { dataset: asDataset(source, rows), audit };
}

function recordOf(source: Source, group: ArmsRow[]): AtlasRow[] {
  const [first] = group;
  if (!first) return [];
  const values: AtlasRow['values'] = Object.fromEntries(FIELDS.map(({ path }) => [path, null]));
  for (const row of group) {
    const path = tracingField(row);
    if (path !== null && !row.isConflicting) values[path] = row.value;
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

function asDataset(source: Source, rows: AtlasRow[]): Dataset {
  return {
    kind: 'atlas',
    descriptor: {
      name: 'firearms-tracing',
      kind: 'atlas',
      domain: 'firearms_tracing',
      title: 'Firearms tracing, by country and year',
      description:
        'Results of tracing arms seized, found and surrendered, as countries reported them to UNODC: one record a country and year.',
      sources: [source],
      limitations: [
        'The categories overlap and the totals stand among their parts: never add them up.',
        'This is not SDG indicator 16.4.2 and that indicator cannot be computed from it.',
        'A field is null where the source has no row for it or its rows disagree; a zero is a reported zero.',
        'Plain "Total" rows under the dimension "by location" are not part of a record: the source does not say whether such a total belongs to the places or to the tracing results. They are in dataset arms.',
        "A locator lists the cells of all values of the record; the indicator and category printed in a cell's row name its field.",
        'Reporting practice differs between countries; records are not comparable without it.',
      ],
      unit: 'Counts',
      rights: 'UN terms, attribute UNODC; redistribution unresolved.',
      caveats: ['Categories overlap: never sum.'],
      fields: FIELDS,
    },
    rows,
  };
}
