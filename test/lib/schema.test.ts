/** How schemas are read: every violation is told, formats count, and a schema with a mistake in it is refused instead of accepting everything. */
import { expect, test } from 'vitest';
import { newAjv, validator } from '../../shim/core/schema.ts';

const OBJECT = {
  type: 'object',
  properties: { a: { type: 'integer', minimum: 1 }, b: { type: 'string', format: 'date' } },
  additionalProperties: false,
};

test('every violation is told: where, and which keyword; a valid value has none', () => {
  const validate = validator(OBJECT);
  const found = validate({ a: 0, b: '2025-02-30', c: 1 });
  expect(found?.map(({ instancePath, keyword }) => [instancePath, keyword]).toSorted()).toEqual([
    ['', 'additionalProperties'],
    ['/a', 'minimum'],
    ['/b', 'format'],
  ]);
  expect(validate({ a: 1, b: '2024-02-29' })).toBeNull();
  // What was found in one value is not changed by the next.
  validate({ a: 'x' });
  expect(found).toHaveLength(3);
});

test('two schemas with one id are two schemas', () => {
  const $id = 'https://evidence.example/schemas/x.schema.json';
  const [text, number] = [validator({ $id, type: 'string' }), validator({ $id, type: 'number' })];
  expect([text('x'), number(1)]).toEqual([null, null]);
  expect([text(1)?.length, number('x')?.length]).toEqual([1, 1]);
});

test.each([
  ['an unknown keyword', { type: 'object', propreties: {} }],
  ['an unknown format', { type: 'string', format: 'day' }],
  ['a tuple without an end', { type: 'array', prefixItems: [{ type: 'string' }] }],
])('%s in a schema is refused', (_name, schema) => {
  expect(() => newAjv().compile(schema)).toThrow(/strict mode|unknown|format/);
});

test.each([
  ['several types', { type: ['string', 'null'] }],
  ['a column of a CSV file', { type: 'string', 'x-csv': 1 }],
  ['members that are described elsewhere', { type: 'object', not: { required: ['a'] } }],
  ['a keyword of a type that is stated elsewhere', { minLength: 1 }],
])('%s may be in a schema', (_name, schema) => {
  expect(newAjv().compile(schema)('x')).toBeTypeOf('boolean');
});
