/** The packaged descriptors say of a geography what the importers say of it now. */
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Geography } from '../../build/lib/dataset.ts';
import { geographyOf } from '../../build/reference/geography.ts';

const packaged = readdirSync('datasets').flatMap((dataset) => {
  const path = `datasets/${dataset}/datapackage.json`;
  if (!existsSync(path)) return [];
  const { geographies = [] } = JSON.parse(readFileSync(path, 'utf8')) as { geographies?: Geography[] };
  return geographies.map((geography) => ({ dataset, geography, known: geographyOf(geography.name) }));
});

test('a place known by its printed name has the level its name has everywhere', () => {
  const told = packaged.filter(({ geography, known }) => known?.code === geography.code);
  expect(told.length).toBeGreaterThan(500);
  const other = told.filter(({ geography, known }) => known?.level !== geography.level);
  expect(other.map(({ dataset, geography }) => `${dataset}: ${geography.code}`)).toEqual([]);
});
