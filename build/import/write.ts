/**
 * Writes an imported dataset as its folder: datapackage.json and records.csv, rows in the fixed order, so that the same
 * input gives the same bytes. The folder is replaced as a whole: nothing of it changes unless everything was understood.
 */
import { csvText } from '../lib/csv.ts';
import {
  byAtlasOrder,
  byEntityOrder,
  byObservationOrder,
  type Dataset,
  type Descriptor,
  type Written,
} from '../lib/dataset.ts';
import { columnsOf } from '../lib/fields.ts';

/** The two files of a dataset folder, as bytes. */
export function datasetFiles(dataset: Dataset): { 'datapackage.json': Buffer; 'records.csv': Buffer } {
  const columns = columnsOf(dataset.descriptor).sort((a, b) => a.place - b.place);
  const names = columns.map(({ name }) => name);
  const lines = rowsOf(dataset).map((row) => names.map((name) => cell(row[name])));
  const descriptor: Descriptor & Written = {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    ...dataset.descriptor,
    licenses: licensesOf(dataset),
    resources: [
      {
        name: 'records',
        path: 'records.csv',
        format: 'csv',
        mediatype: 'text/csv',
        encoding: 'utf-8',
        schema: {
          fields: columns.map(({ name, type, description }) =>
            type === 'list'
              ? { name, type: 'string', description: `${description} Separated by |.` }
              : { name, type, description },
          ),
          missingValues: [''],
        },
      },
    ],
  };
  return {
    'datapackage.json': Buffer.from(`${JSON.stringify(descriptor, null, 2)}\n`),
    'records.csv': Buffer.from(csvText([names, ...lines]), 'utf8'),
  };
}

/** The rows in the fixed order, by column. */
function rowsOf(dataset: Dataset): Record<string, unknown>[] {
  if (dataset.kind === 'observations') return [...dataset.rows].sort(byObservationOrder);
  if (dataset.kind === 'entities') return [...dataset.rows].sort(byEntityOrder);
  return [...dataset.rows].sort(byAtlasOrder).map(({ values, ...row }) => ({ ...values, ...row }));
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.join('|');
  return value === null || value === undefined ? '' : String(value);
}

function licensesOf(dataset: Dataset): Written['licenses'] {
  const seen = new Map<string, Written['licenses'][number]>();
  for (const { license, licenseUrl } of dataset.descriptor.sources) {
    const name = license.startsWith('CC BY 4.0') ? 'CC-BY-4.0' : 'other-source-terms';
    seen.set(license, { name, title: license, ...(licenseUrl === null ? {} : { path: licenseUrl }) });
  }
  return [...seen.values()];
}
