/**
 * US Customs and Border Protection: nationwide drug seizures by month. One CSV per table; a table covers whole fiscal years,
 * the last of them marked "(FYTD)" while it runs. Tables imported together are disjoint and make one dataset. A row gives two
 * records, a count and a weight.
 */
import type { Geography, Source } from '../lib/dataset.ts';
import { neededText, numberOf, oneOf, refuse, textOf, yearIn, type Cell } from './cells.ts';
import { describeSource } from './edition.ts';
import { describeImporter, filled, readFamily, usedIndicators } from './family.ts';
import { count, newAudit, Refusal } from './importer.ts';
import type { Audit, Importer, ImportOptions, SourceFile } from './importer.ts';
import { newGeographies, noteTwins, observation, observationsDataset, sourced } from './observations.ts';
import type { Geographies, UnsourcedRow } from './observations.ts';
import { csvTable } from './csv-table.ts';
import type { Row } from './table.ts';

const FAMILY = readFamily('cbp');

const COLUMNS = {
  fiscalYear: 'FY',
  month: 'Month (abbv)',
  component: 'Component',
  region: 'Region',
  landFilter: 'Land Filter',
  area: 'Area of Responsibility',
  drug: 'Drug Type',
  events: 'Count of Event',
  weight: 'Sum Qty (lbs)',
};

/** In the order of the fiscal year, which begins in October of the calendar year before. */
const MONTHS = ['OCT', 'NOV', 'DEC', 'JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP'];
const REGIONS = ['Coastal/Interior', 'Northern Border', 'Southwest Border'];
const LAND_FILTERS = ['Land Only', 'Other'];
/** Each component with the word its areas of responsibility end with. */
const COMPONENTS: Record<string, string> = {
  'Office of Field Operations': 'FIELD OFFICE',
  'U.S. Border Patrol': 'SECTOR',
};

/** Imports one table or several disjoint ones as `border-drug-seizures`. */
export const cbp: Importer = {
  ...describeImporter(FAMILY),
  read(files, options) {
    if (files.length === 0) throw new Refusal('cbp', 'the files', 'one CSV file or more', 'none');
    const audit = newAudit();
    const geographies = newGeographies();
    const tables = files.map((file) => readTable(file, audit)).sort((a, b) => a.first - b.first);
    for (const [at, { file, first }] of tables.entries()) {
      const before = tables[at - 1];
      if (before && before.last >= first)
        throw new Refusal(file.name, 'the file', `no month of ${before.file.name} again`, periodOf(first));
    }
    // Only the last table still grows, so a stated edition is its own. The tables before it are complete: no newer edition
    // of them is due.
    const newest = tables.at(-1);
    const described = tables.map((table) => {
      if (table === newest) return { ...table, source: sourceOf(table, options) };
      const source = sourceOf(table, { ...options, edition: undefined });
      return { ...table, source: { ...source, cadence: null } };
    });
    const sources = described.map(({ source }) => source);
    const rows = described.flatMap(({ file, printed, source }) => {
      const records = printed.flatMap((row) => recordsOf(row, geographies));
      return sourced(records, source, file);
    });
    audit.read += tables.reduce((sum, { printed }) => sum + printed.length, 0);
    for (const { value, indicatorId } of rows)
      if (value === 0) count(audit.notes, `zero kept as printed, ${indicatorId}`);
    audit.kept = rows.length;
    noteTwins(rows, audit);
    const indicators = usedIndicators(FAMILY, rows, sources.at(-1)?.id ?? '');
    const parts = { sources, geographies: geographies.list(), indicators };
    return [observationsDataset(FAMILY, 'border-drug-seizures', parts, rows, audit)];
  },
};

type Printed = Row<keyof typeof COLUMNS>;

/** One file read. Months are numbers, twelve a year, so that neighbours differ by one. */
interface Table {
  file: SourceFile;
  printed: Printed[];
  /** The fiscal years as printed, in order. */
  years: string[];
  first: number;
  last: number;
}

function readTable(file: SourceFile, audit: Audit): Table {
  const table = csvTable(file, COLUMNS, audit);
  const [other] = table.others;
  if (other) refuse(other.cell, `only the columns ${Object.values(COLUMNS).join(', ')}`);
  const printed = table.rows.map(({ row }) => row);
  return { file, printed, ...windowOf(file, printed) };
}

/** The source of a table. Without a stated edition it is dated to the month after its last one: the file cannot be older. */
function sourceOf({ file, printed, years, first, last }: Table, options: ImportOptions): Source {
  const inferred = periodOf(last + 1);
  const described = describeSource(FAMILY.sources['table'], file, options, {
    printed: options.edition === undefined ? inferred : null,
  });
  const latest = printed.find(({ fiscalYear, month }) => monthOf(fiscalYear, month) === last);
  if (latest && periodOf(last) > described.dated.slice(0, 7))
    refuse(latest.month, `no month after the edition ${described.dated}`, periodOf(last));
  const [from = '', to = ''] = [years[0], years.at(-1)].map((text) => text?.slice(0, 4));
  const [running = ''] = years.filter((text) => text.length > 4).map((text) => text.slice(0, 4));
  const words: Record<string, string> = {
    from,
    to,
    first: periodOf(first),
    last: periodOf(last),
    running,
    inferred: described.dated === inferred ? inferred : '',
  };
  // A note about what this table does not have is left out.
  const notes = described.notes.filter(
    (note) => !Object.entries(words).some(([name, word]) => word === '' && note.includes(`{${name}}`)),
  );
  return filled({ ...described, notes }, words);
}

function recordsOf(row: Printed, geographies: Geographies): UnsourcedRow[] {
  const component = oneOf(row.component, Object.keys(COMPONENTS), 'the component');
  const region = oneOf(row.region, REGIONS, 'the region');
  const landFilter = oneOf(row.landFilter, LAND_FILTERS, 'the land filter');
  const events = numberOf(row.events, 'a number of events', { inText: true, isWhole: true });
  const weight = numberOf(row.weight, 'a weight of zero or more in pounds', { inText: true });
  const shared = {
    geoCode: geographies.add(areaOf(row.area, component)),
    category: neededText(row.drug, 'a drug type'),
    subgroup: [component, region, landFilter].join('; '),
    period: periodOf(monthOf(row.fiscalYear, row.month)),
    status: 'reported',
  } as const;
  return FAMILY.indicators.map(({ id, printed = '', unit = '' }) =>
    observation({
      ...shared,
      indicatorId: id,
      value: printed === COLUMNS.events ? events : weight,
      unit,
      sourceLocator: `${row.events.place} column ${printed}`,
    }),
  );
}

/** An office or a sector, with our own code, made from its name. */
function areaOf(cell: Cell, component: string): Geography {
  const kind = COMPONENTS[component] ?? '';
  const name = neededText(cell, 'an area of responsibility');
  if (!/^[A-Z]+(?: [A-Z]+)+$/.test(name) || !name.endsWith(` ${kind}`))
    refuse(cell, `the name of an area of "${component}" in capitals, ending in "${kind}"`);
  const code = `x-us-cbp-${name.toLowerCase().replaceAll(' ', '-')}`;
  return { code, name, level: 'subnational' };
}

/** OCT of fiscal year 2026 is 2025-10. */
function monthOf(fiscalYear: Cell, month: Cell): number {
  const [, digits = ''] = /^(\d{4})(?: \(FYTD\))?$/.exec(textOf(fiscalYear)) ?? [];
  const year = yearIn({ value: digits }) ?? refuse(fiscalYear, 'a fiscal year, "2025" or "2026 (FYTD)"');
  return (Number(year) - 1) * 12 + 9 + MONTHS.indexOf(oneOf(month, MONTHS, 'the month'));
}

function periodOf(month: number): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}

/**
 * The months of a file follow one another, from October of its first fiscal year to September of its last, or to any month of
 * a last year that is marked as running: a month without a single row nationwide means that a part of the file is missing.
 */
function windowOf(file: SourceFile, rows: Printed[]): { years: string[]; first: number; last: number } {
  const months = new Set(rows.map(({ fiscalYear, month }) => monthOf(fiscalYear, month)));
  const years = [...new Set(rows.map(({ fiscalYear }) => textOf(fiscalYear)))].sort();
  const early = years.slice(0, -1).find((text) => text.length > 4);
  const repeated = years.find((text, at) => at > 0 && years[at - 1]?.slice(0, 4) === text.slice(0, 4));
  const wrong = rows.find(({ fiscalYear }) => textOf(fiscalYear) === (early ?? repeated));
  if (wrong) refuse(wrong.fiscalYear, '"(FYTD)" with the last fiscal year alone, and with all its rows');
  const [newest = ''] = years.slice(-1);
  const first = (Number(years[0]?.slice(0, 4)) - 1) * 12 + 9;
  const last = newest.length > 4 ? Math.max(...months) : Number(newest) * 12 + 8;
  for (let month = first; month <= last; month += 1)
    if (!months.has(month))
      throw new Refusal(
        file.name,
        'the months',
        `every month from ${periodOf(first)} to ${periodOf(last)}`,
        `no row of ${periodOf(month)}`,
      );
  return { years, first, last };
}
