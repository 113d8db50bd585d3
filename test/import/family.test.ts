import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { familyIn } from '../../build/import/family.ts';
import { IMPORTERS } from '../../build/import/run.ts';

const FOLDER = new URL('../../build/import/', import.meta.url);
const SEIZURES = readFileSync(new URL('seizures.yaml', FOLDER), 'utf8');

test('every importer has a YAML file of its name, and there is no other', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
  expect(files.toSorted()).toEqual(IMPORTERS.map(({ name }) => `${name}.yaml`).toSorted());
});

test.each([
  ['a word that is not known', 'summary:', 'sumary:', "x.yaml: / must have required property 'summary'"],
  ['an address without https', 'url: https:', 'url: http:', 'x.yaml: /sources/table/url must match pattern'],
  ['a date that is not one', '2025-06:', 'June 2025:', 'x.yaml: /sources/table/editions'],
  [
    'a text that is a list',
    'title: Drug seizures',
    'title: [Drug]',
    '/datasets/drug-seizures/title must be string',
  ],
  ['YAML that is broken', 'name: seizures', 'name: [seizures', 'at line'],
])('%s is an error that names the place', (_, good, bad, message) => {
  expect(SEIZURES).toContain(good);
  expect(() => familyIn(SEIZURES.replace(good, bad), 'x.yaml')).toThrow(message);
});
