/** The columns of a dataset for people: type, meaning and allowed values, from the schema of its records. */
import { sourceAddress } from '../../../shim/view/address.ts';
import { joined, type Child } from '../../../shim/view/node.ts';
import { section, table } from '../../../shim/view/table.ts';
import { counted } from '../../../shim/view/words.ts';
import type { Field } from '../../../shim/core/fields.ts';
import type { BulkDataset } from '../bulk/release.ts';
import { code, linkTo } from './dataset-parts.ts';
import type { RecordSummary } from './summary.ts';

/** Values of an open list are printed up to this many; more are counted. */
const MOST_VALUES = 8;

/** The codebook; open lists of values are those of the dataset's records. */
export function codebook({ files }: BulkDataset, summary: RecordSummary, root: string): Child {
  const csv = files.find(({ form }) => form === 'csv');
  if (!csv) return null;
  return section(
    'codebook',
    'Codebook',
    table(
      'Columns of the CSV and Parquet files, which are the members of the JSON records',
      ['Column', 'Meaning', 'Type', 'Allowed values'],
      csv.columns.map((field) => ({
        id: `column-${field.name}`,
        cells: [code(field.name), field.description, typeWords(field), valuesOf(field, summary, root)],
      })),
    ),
  );
}

function typeWords({ type, nullable }: Field): string {
  const words = {
    string: 'text',
    number: 'number',
    integer: 'whole number',
    boolean: 'true or false',
    list: 'list of texts',
  }[type];
  return nullable ? `${words}, or empty` : words;
}

const COUNTED: Partial<Record<string, readonly [one: string, many: string]>> = {
  indicatorId: ['indicator', 'indicators'],
  geoCode: ['place', 'places'],
  category: ['category', 'categories'],
  subgroup: ['subgroup', 'subgroups'],
  group: ['group', 'groups'],
  unit: ['unit', 'units'],
  period: ['period', 'periods'],
};

function valuesOf({ name, values }: Field, summary: RecordSummary, root: string): Child {
  if (values !== null) return joined(values.map(code), ', ');
  if (summary.rows === 0) return '';
  if (name === 'sourceId')
    return joined(
      (summary.valuesOf(name) ?? []).map((id) => linkTo(root, sourceAddress(id), code(id))),
      ', ',
    );
  const [words, found] = [COUNTED[name], summary.valuesOf(name)];
  if (!words || !found) return '';
  if (found.length > MOST_VALUES || name === 'period') return counted(found.length, ...words);
  return joined(
    found.map((value) => (value === '' ? 'empty' : code(value))),
    ', ',
  );
}
