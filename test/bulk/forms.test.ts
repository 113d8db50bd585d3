/** The files of one table: RFC 4180, formulas made harmless and read back, Parquet types, and the same bytes every time. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import observation from '../../schemas/observation.schema.json' with { type: 'json' };
import { fieldsOf, type Field } from '../../shim/core/fields.ts';
import { guarded, type Cell } from '../../shim/core/csv.ts';
import type { EntitiesDescriptor } from '../../build/lib/dataset.ts';
import { csvBytes, parquetBytes, rowsOf } from './packed.ts';
import { cellValue, csvCells, parquetFooter, parquetRows, unguarded } from './read.ts';

const COLUMNS: Field[] = (
  [
    ['text', 'string', false, true],
    ['reason', 'string', true, false],
    ['value', 'number', true, false],
    ['year', 'integer', false, false],
    ['flag', 'boolean', false, false],
    ['list', 'list', false, true],
  ] as const
).map(([name, type, nullable, blank]) => ({ name, type, nullable, blank, description: '', values: null }));

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^'{0,3}[=+\-@\t\r\n]?[a-z",\r\n]{0,4}$/),
);
const item = text.filter((made) => made !== '' && !made.includes('|'));
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((made) => made + 0);
const row: fc.Arbitrary<Cell[]> = fc.tuple(
  text,
  fc.option(item),
  fc.option(fc.oneof(number, fc.constantFrom(0, -5, 1e-7, 1e21))),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.boolean(),
  fc.array(item, { maxLength: 3 }),
);

describe('[BULK-CSV] CSV', () => {
  it('is RFC 4180: CRLF, one header line, quotes only where they are needed and doubled', () => {
    const bytes = csvBytes(COLUMNS, [['a "b", c', null, 0, 2020, true, ['x', 'y']]]);
    expect(bytes.toString('utf8')).toBe(
      'text,reason,value,year,flag,list\r\n"a ""b"", c",,0,2020,true,x|y\r\n',
    );
  });

  it('writes a missing value as nothing, a zero as 0, and never touches a number', () => {
    const bytes = csvBytes(
      COLUMNS,
      [null, 0, -5, 1e-7, 0.1, 1e21].map((v) => ['', null, v, 1, false, []]),
    );
    const { rows } = csvCells(bytes);
    expect(rows.map((cells) => cells[2])).toEqual(['', '0', '-5', '1E-7', '0.1', '1E+21']);
  });

  it.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx', '\nx', "'=1", "''@x"])(
    'disarms %j and gives it back',
    (raw) => {
      expect(guarded(raw)).toBe(`'${raw}`);
      expect(unguarded(guarded(raw))).toBe(raw);
    },
  );

  it.each(["'NDRANGHETA ORGANIZATION", 'a=b', '', '2020-01', "'"])('leaves %j as it is', (raw) => {
    expect(guarded(raw)).toBe(raw);
    expect(unguarded(raw)).toBe(raw);
  });

  it('gives every row back, and no text cell begins like a formula', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        const read = csvCells(csvBytes(COLUMNS, rows));
        for (const [index, cells] of read.rows.entries()) {
          const values = COLUMNS.map((column, position) =>
            cellValue(cells[position] ?? '', {
              ...column,
              delimiter: '|',
              missingValues: column.nullable ? [''] : [],
            }),
          );
          expect(values).toEqual(rows[index]);
          for (const position of [0, 1, 5]) expect(cells[position]).not.toMatch(/^[=+\-@\t\r\n]/);
        }
        expect(read.rows).toHaveLength(rows.length);
      }),
    );
  });

  it('refuses a list item that holds the separator', () => {
    expect(() => csvBytes(COLUMNS, [['', null, 0, 1, true, ['a|b']]])).toThrow('"a|b"');
  });
});

describe('[BULK-PARQUET] Parquet', () => {
  it('gives every row back, null as null', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
        const read = await parquetRows(parquetBytes(COLUMNS, rows));
        expect(read.map((found) => COLUMNS.map(({ name }) => found[name]))).toEqual(rows);
      }),
    );
  });

  it('types the columns of an observation: doubles optional, texts required, the reason optional', () => {
    const columns = fieldsOf({ kind: 'observations' });
    const cells = columns.map(({ nullable }) => (nullable ? null : 'x'));
    const footer = parquetFooter(parquetBytes(columns, [cells]));
    const elements = footer.schema.slice(1);
    expect(elements.map(({ name }) => name)).toEqual(Object.keys(observation.properties));
    for (const { name, type, converted_type, repetition_type } of elements) {
      const isNumber = ['value', 'lower', 'upper'].includes(name);
      expect([name, type, converted_type]).toEqual(
        isNumber ? [name, 'DOUBLE', undefined] : [name, 'BYTE_ARRAY', 'UTF8'],
      );
      expect([name, repetition_type]).toEqual([
        name,
        isNumber || name === 'unavailableReason' ? 'OPTIONAL' : 'REQUIRED',
      ]);
    }
  });

  it('is the same bytes at another time, and says nothing of when it was written', () => {
    const rows = [['a', null, 0, 1, true, ['x']]];
    const first = parquetBytes(COLUMNS, rows);
    expect(Buffer.compare(parquetBytes(COLUMNS, rows), first)).toBe(0);
    const { created_by, key_value_metadata } = parquetFooter(first);
    expect(created_by).toBe('hyparquet');
    expect(key_value_metadata ?? []).toEqual([]);
  });
});

describe('table', () => {
  const entities = { kind: 'entities', name: 'designations' } as EntitiesDescriptor;
  const entity = {
    sanctions_entity_number: 1,
    name: 'A',
    entity_type: 'vessel',
    programs: ['SDNTK'],
    countries: [],
    meta: {
      evidence_class: 'administrative_action',
      adjudication: false,
      source: 's',
      source_url: 'u',
      downloaded_at: '2023-12-29',
    },
  };

  it('has a column for every leaf of a record', () => {
    const { meta, ...leaves } = entity;
    const values = [...Object.values(leaves), ...Object.values(meta)];
    expect(rowsOf(entities, [entity])).toEqual([values]);
  });

  it.each([
    ['a field no column is for', { ...entity, birthday: '1970' }],
    ['a text where a number belongs', { ...entity, sanctions_entity_number: '1' }],
    ['a null where a value belongs', { ...entity, name: null }],
    ['a number no 32 bits hold', { ...entity, sanctions_entity_number: 2 ** 31 }],
    ['a missing field', { ...entity, programs: undefined }],
  ])('refuses %s, naming the record', (_, record) => {
    expect(() => rowsOf(entities, [record])).toThrow('designations: record 1');
  });
});
