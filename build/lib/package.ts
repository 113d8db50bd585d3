/** The members of a descriptor that readers of Frictionless data packages expect, derived from its other members. */
import type { Descriptor, Written } from './dataset.ts';
import { columnsOf } from '../../shim/core/fields.ts';

/** The profile a descriptor follows. */
export const DATA_PACKAGE = 'https://datapackage.org/profiles/2.0/datapackage.json';

/** The columns of records.csv in the order of the file. */
export function orderedColumns(descriptor: Descriptor): ReturnType<typeof columnsOf> {
  return columnsOf(descriptor).sort((a, b) => a.place - b.place);
}

/** The one file of a dataset, with its columns. */
export function resourcesOf(descriptor: Descriptor): Written['resources'] {
  const fields = orderedColumns(descriptor).map(({ name, type, description }) =>
    type === 'list'
      ? { name, type: 'string', description: `${description} Separated by |.` }
      : { name, type, description },
  );
  const file = {
    name: 'records',
    path: 'records.csv',
    format: 'csv',
    mediatype: 'text/csv',
    encoding: 'utf-8',
  };
  return [{ ...file, schema: { fields, missingValues: [''] } }];
}

/** The licences of the sources, each once. */
export function licensesOf({ sources }: Descriptor): Written['licenses'] {
  const seen = sources.map(({ license, licenseUrl }) => [license, licenseOf(license, licenseUrl)] as const);
  return [...new Map(seen).values()];
}

/** A licence of a data package. Open Definition has ids for open licences only; publishers' own terms are named in `title`. */
export function licenseOf(title: string, url: string | null): Written['licenses'][number] {
  const name = title.startsWith('CC BY 4.0') ? 'CC-BY-4.0' : 'other-source-terms';
  return { name, title, ...(url === null ? {} : { path: url }) };
}
