/** The columns of records.csv, for each kind of dataset: every one of them once, none besides. */
import type { Descriptor } from '../lib/dataset.ts';

/** What a column holds; text columns are read by the safety gate, numbers when a row is read. */
type ColumnType = 'text' | 'number';

const COLUMNS: Record<Descriptor['kind'], Record<string, ColumnType>> = {
  observations: {
    indicator: 'text',
    geo: 'text',
    category: 'text',
    subgroup: 'text',
    period: 'text',
    value: 'number',
    lower: 'number',
    upper: 'number',
    unit: 'text',
    status: 'text',
    reason: 'text',
    source: 'text',
    locator: 'text',
  },
  atlas: { iso3: 'text', country: 'text', year: 'number', source: 'text', locator: 'text' },
  entities: { number: 'number', name: 'text', type: 'text', programs: 'text', countries: 'text' },
};

/** The columns records.csv of this dataset must have; an atlas has one for each field besides. */
export function columnsOf(descriptor: Descriptor): Map<string, ColumnType> {
  const columns = new Map(Object.entries(COLUMNS[descriptor.kind]));
  if (descriptor.kind === 'atlas') for (const { path } of descriptor.fields) columns.set(path, 'number');
  return columns;
}

/** What is wrong with a header: a column that is missing, unknown or there twice. Empty when it is as expected. */
export function headerFaults(header: readonly string[], descriptor: Descriptor): string[] {
  const expected = columnsOf(descriptor);
  const counts = new Map<string, number>();
  for (const name of header) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [
    ...[...expected.keys()].filter((name) => !counts.has(name)).map((name) => `column "${name}" is missing`),
    ...[...counts.keys()]
      .filter((name) => !expected.has(name))
      .map((name) => `column ${JSON.stringify(name)} is not one a dataset of ${descriptor.kind} may have`),
    ...[...counts].filter(([, count]) => count > 1).map(([name]) => `column "${name}" stands more than once`),
  ];
}
