/** Records of the atlas in words: each field of the source by its label, with its value or that it is unavailable. */
import { atlasValue } from '../../../shim/core/fields.ts';
import type { AtlasRecord, DatasetDocument } from '../../../shim/core/records.ts';
import { el, type Child } from '../../../shim/view/node.ts';
import { cellsUnder, table } from '../../../shim/view/table.ts';
import { digits } from '../../../shim/view/words.ts';

/** Every field of a dataset in records of one place, a column for each year; the caption has the unit. `hrefOf` leads from a year to its row. */
export function atlasTable(
  caption: string,
  { fields, unit = '' }: Pick<DatasetDocument, 'fields' | 'unit'>,
  records: readonly AtlasRecord[],
  hrefOf?: (year: number) => string,
): Child {
  const years = records.map(({ data }) => data.year);
  return table(
    `${caption} (${unit})`,
    [
      ...fields.map(({ path, label }) => [
        label,
        ...records.map((record) => {
          const value = atlasValue(record, path);
          return value === null ? el('span', { class: 'gone' }, 'unavailable') : digits(value);
        }),
      ]),
      ...(hrefOf ? [['Row', ...years.map((year) => el('a', { href: hrefOf(year) }, `${year}`))]] : []),
    ],
    cellsUnder(['Field', ...years.map((year) => ({ numbers: String(year) }))]),
  );
}
