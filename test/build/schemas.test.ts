/** The schemas of the project are valid JSON Schema 2020-12: what compiles them to check values takes them as they are. */
import { readFileSync } from 'node:fs';
import glob from 'fast-glob';
import { expect, test } from 'vitest';
import { inputSchema } from '../../shim/core/call.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { newAjv } from '../../shim/core/schema.ts';
import type { JsonSchema } from '../../shim/core/types.ts';

const ajv = newAjv();
const files = glob.sync(['schemas/**/*.json', 'build/**/*.schema.json', 'shim/**/*.schema.json']);
const schemas = new Map<string, JsonSchema>([
  ...files.map((file): [string, JsonSchema] => [file, JSON.parse(readFileSync(file, 'utf8')) as JsonSchema]),
  ...OPERATIONS.map((operation): [string, JsonSchema] => [
    `input of ${operation.name}`,
    inputSchema(operation),
  ]),
]);

test.each([...schemas])('%s', (_name, schema) => {
  expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
});

test('a schema with a mistake in it is found', () => {
  expect(ajv.validateSchema({ type: 'text' })).toBe(false);
});
