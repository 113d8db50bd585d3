/**
 * Writes an imported dataset as its folder: datapackage.json and records.csv, rows in the fixed order, so that the same
 * input gives the same bytes. The folder is replaced as a whole: nothing of it changes unless everything was understood.
 */
import { fold } from '../../shim/core/names.ts';
import { csvLine } from '../lib/csv.ts';
import {
  byCodeUnits,
  byObservationOrder,
  type AtlasDescriptor,
  type AtlasRow,
  type Dataset,
  type EntityRow,
  type ObservationRow,
  type WrittenDescriptor,
} from '../lib/dataset.ts';

/** The two files of a dataset folder, as bytes. */
export function datasetFiles(dataset: Dataset): { 'datapackage.json': Buffer; 'records.csv': Buffer } {
  const { header, lines } = table(dataset);
  const records = Buffer.from([csvLine(header.map((field) => field.name)), ...lines].join(''), 'utf8');
  const descriptor: WrittenDescriptor = {
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
        schema: { fields: header, missingValues: [''] },
      },
    ],
  };
  return {
    'datapackage.json': Buffer.from(`${JSON.stringify(descriptor, null, 2)}\n`),
    'records.csv': records,
  };
}

function licensesOf(dataset: Dataset): WrittenDescriptor['licenses'] {
  const seen = new Map<string, WrittenDescriptor['licenses'][number]>();
  for (const { license, licenseUrl } of dataset.descriptor.sources) {
    const name = license.startsWith('CC BY 4.0') ? 'CC-BY-4.0' : 'other-source-terms';
    seen.set(license, { name, title: license, ...(licenseUrl === null ? {} : { path: licenseUrl }) });
  }
  return [...seen.values()];
}

type Field = { name: string; type: string; description: string };

function table(dataset: Dataset): { header: Field[]; lines: string[] } {
  if ('indicators' in dataset.descriptor) return observations((dataset as { rows: ObservationRow[] }).rows);
  if ('domain' in dataset.descriptor)
    return atlas(dataset.descriptor, (dataset as { rows: AtlasRow[] }).rows);
  return entities((dataset as { rows: EntityRow[] }).rows);
}

const OBSERVATION_FIELDS: Field[] = [
  { name: 'indicator', type: 'string', description: 'Indicator id of this descriptor.' },
  {
    name: 'geo',
    type: 'string',
    description: 'Geography code: ISO 3166-1 alpha-3, or x-<slug> where none exists.',
  },
  { name: 'category', type: 'string', description: 'Category as printed; empty when the source has none.' },
  { name: 'subgroup', type: 'string', description: 'Subgroup as printed; empty when the source has none.' },
  { name: 'period', type: 'string', description: 'YYYY or YYYY-MM.' },
  {
    name: 'value',
    type: 'number',
    description: 'Value in the unit of the row; blank exactly when status is unavailable.',
  },
  { name: 'lower', type: 'number', description: 'Lower bound as printed, same unit.' },
  { name: 'upper', type: 'number', description: 'Upper bound as printed, same unit.' },
  { name: 'unit', type: 'string', description: 'Unit as printed by the source.' },
  { name: 'status', type: 'string', description: 'reported, estimated or unavailable.' },
  { name: 'reason', type: 'string', description: 'Why a value is unavailable; blank otherwise.' },
  { name: 'source', type: 'string', description: 'Source id of this descriptor.' },
  {
    name: 'locator',
    type: 'string',
    description: 'Cell (Sheet name!H3) or line (row 17) of the source file.',
  },
];

function observations(rows: ObservationRow[]): { header: Field[]; lines: string[] } {
  const lines = [...rows]
    .sort(byObservationOrder)
    .map((row) =>
      csvLine([
        row.indicator,
        row.geo,
        row.category,
        row.subgroup,
        row.period,
        cell(row.value),
        cell(row.lower),
        cell(row.upper),
        row.unit,
        row.status,
        row.reason ?? '',
        row.source,
        row.locator,
      ]),
    );
  return { header: OBSERVATION_FIELDS, lines };
}

function atlas(descriptor: AtlasDescriptor, rows: AtlasRow[]): { header: Field[]; lines: string[] } {
  const header: Field[] = [
    { name: 'iso3', type: 'string', description: 'ISO 3166-1 alpha-3.' },
    { name: 'country', type: 'string', description: 'Country as printed.' },
    { name: 'year', type: 'integer', description: 'Year of the record.' },
    { name: 'source', type: 'string', description: 'Source id of this descriptor.' },
    { name: 'locator', type: 'string', description: 'Cells of the source file.' },
    ...descriptor.fields.map(({ path, label }) => ({ name: path, type: 'number', description: label })),
  ];
  const ordered = [...rows].sort((a, b) => byCodeUnits(a.iso3, b.iso3) || a.year - b.year);
  const lines = ordered.map((row) =>
    csvLine([
      row.iso3,
      row.country,
      String(row.year),
      row.source,
      row.locator,
      ...descriptor.fields.map(({ path }) => cell(row.values[path] ?? null)),
    ]),
  );
  return { header, lines };
}

function entities(rows: EntityRow[]): { header: Field[]; lines: string[] } {
  const header: Field[] = [
    { name: 'number', type: 'integer', description: 'Entity number of the designating authority.' },
    { name: 'name', type: 'string', description: 'Official name.' },
    { name: 'type', type: 'string', description: 'aircraft, individual, organization or vessel.' },
    { name: 'programs', type: 'string', description: 'Programs, separated by |.' },
    { name: 'countries', type: 'string', description: 'Countries as printed, separated by |.' },
  ];
  const ordered = [...rows].sort((a, b) => byCodeUnits(fold(a.name), fold(b.name)) || a.number - b.number);
  const lines = ordered.map((row) =>
    csvLine([String(row.number), row.name, row.type, row.programs.join('|'), row.countries.join('|')]),
  );
  return { header, lines };
}

function cell(value: number | string | null): string {
  return value === null ? '' : String(value);
}
