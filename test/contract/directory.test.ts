/** The directory of series over made-up datasets: what the packaged data cannot show, and every name as a query. */
import { describe, expect, test } from 'vitest';
import { SERIES_INDEX } from '../../shim/core/paths.ts';
import { readDirectory } from '../../shim/core/series-directory.ts';
import { MOST_WORDS, searchOf } from '../../shim/core/series-search.ts';
import { spelling } from '../../shim/core/words.ts';
import type { Input, MissingDataset } from '../../shim/core/types.ts';
import { packDatasets, packedStore } from '../_support/packed.ts';
import { restAnswer, testContext, operationNamed } from '../_support/doors.ts';
import { TEST_SITE, treeFile } from '../_support/tree.ts';
import { made, type MadeRow } from '../revisions/made.ts';

type Line = Record<string, string | number | null>;

/** What the resource answers over editions with these rows, the last one current. */
async function asked(editions: MadeRow[][], input: Input = {}, leftOut: MissingDataset[] = []) {
  const operation = operationNamed('series');
  const datasets = editions.map((rows, at) => made({ edition: `202${at}-06`, rows }));
  const data = packDatasets(datasets, leftOut);
  const context = testContext(packedStore(data));
  const { status, body } = await restAnswer(operation, input, context);
  return {
    http: status,
    message: body['message'],
    ...(body['data'] as { status: string; series: Line[]; limitations: string[] }),
  };
}

describe('[SERIES] lines', () => {
  test('count values, zeros and unavailable records apart', async () => {
    const rows = [{ value: 3 }, { value: 0 }, { value: 0 }, { value: null }].map((row, at) => ({
      ...row,
      period: String(2020 + at),
    }));
    const { series } = await asked([rows]);
    expect(series).toMatchObject([
      {
        observations: 4,
        numeric: 3,
        zeros: 2,
        unavailable: 1,
        revised: 0,
        firstPeriod: '2020',
        lastPeriod: '2023',
      },
    ]);
  });

  test('have no unit where their records have several', async () => {
    const { series } = await asked([
      [{ unit: 'Kilograms' }, { unit: 'Litres', period: '2021' }, { category: 'Opium' }],
    ]);
    expect(series.map(({ category, unit }) => [category, unit])).toEqual([
      ['Heroin', null],
      ['Opium', 'Kilograms'],
    ]);
  });

  test('take periods by month and by year as they come', async () => {
    const { series } = await asked([[{ period: '2021-11' }, { period: '2021-02' }]]);
    expect(series).toMatchObject([{ firstPeriod: '2021-02', lastPeriod: '2021-11', observations: 2 }]);
  });

  test('quote no label: a path is percent-encoded', async () => {
    const { series } = await asked([[{ category: 'a&b=c “d” +#', subgroup: 'ü/?' }]]);
    const query = new URL(String(series[0]?.['path']), TEST_SITE).searchParams;
    expect([query.get('category'), query.get('subgroup')]).toEqual(['a&b=c “d” +#', 'ü/?']);
  });

  test('count as revised each record that differs between any editions once, withdrawn ones included', async () => {
    const of = (...values: (number | null)[]): MadeRow[] =>
      values.flatMap((value, at) => (value === null ? [] : [{ value, period: String(2020 + at) }]));
    // 2020 differs twice, 2021 never, 2022 is withdrawn, 2023 is added.
    const { series } = await asked([of(1, 5, 7, null, 9), of(2, 5, null, 8, 9), of(3, 5, null, 8, 9)]);
    expect(series).toMatchObject([{ observations: 4, revised: 3 }]);
  });

  test('are those of the current edition alone', async () => {
    const { series } = await asked([[{ category: 'Opium' }, {}], [{}]]);
    expect(series.map(({ category }) => category)).toEqual(['Heroin']);
  });
});

describe('[PARTIAL] a dataset that is not in the release', () => {
  const missing: MissingDataset = { id: 'arms', kind: 'observations', reason: 'Its rights are unresolved.' };

  test('makes the directory partial and is named', async () => {
    const { http, status, limitations } = await asked([[{}]], {}, [missing]);
    expect([http, status]).toEqual([200, 'partial']);
    expect(limitations).toContain('Dataset arms is not in this release. Its rights are unresolved.');
  });

  test('is unavailable when it alone is asked for', async () => {
    const { http, message } = await asked([[{}]], { dataset: 'arms' }, [missing]);
    expect(http).toBe(503);
    expect(message).toContain('Its rights are unresolved.');
  });
});

describe('[SERIES-QUERY] every name', () => {
  const directory = readDirectory(treeFile(SERIES_INDEX));
  const { find } = searchOf(directory);
  const rowsOf = (query: string): readonly number[] => find(query, () => true).rows;
  const { categories, subgroups, units, geos, geoNames, column } = directory;
  const everything = Array.from({ length: directory.rows }, (_, row) => row);

  test.each([
    ['category', categories, 0],
    ['subgroup', subgroups, 0],
    ['unit', units, 1],
    ['geo', geos, 0],
    ['geoName', geoNames, 0],
  ])('of a %s finds all of its series', (name, texts, offset) => {
    const values = column(name);
    const missed = texts.filter((text, at) => {
      const { length } = spelling(text).words;
      if (length === 0 || length > MOST_WORDS || text.length > 120) return false;
      const found = new Set(rowsOf(text));
      return everything.some((row) => values[row] === at + offset && !found.has(row));
    });
    expect(missed).toEqual([]);
  });

  test('of a place with one letter dropped or two swapped leads to the place, but for a few that are another', () => {
    const [geoOf, nameOf] = [column('geo'), column('geoName')];
    const wrong: string[] = [];
    let written = 0;
    for (const [geo, code] of geos.entries()) {
      const name = geoNames[nameOf[geoOf.indexOf(geo)] ?? 0] ?? '';
      const words = name.match(/\p{L}{6,}/gu) ?? [];
      const word = words.toSorted((a, b) => b.length - a.length)[0] ?? '';
      const [, , third = '', fourth = ''] = word;
      if (code.startsWith('x-') || word === '' || third === fourth) continue;
      const half = Math.floor(word.length / 2);
      const dropped = word.slice(0, half) + word.slice(half + 1);
      for (const slip of [dropped, word.slice(0, 2) + fourth + third + word.slice(4)]) {
        written += 1;
        const [first = -1] = rowsOf(name.replace(word, slip));
        if (geoOf[first] !== geo) wrong.push(`${name}: ${slip}`);
      }
    }
    expect(written).toBeGreaterThan(250);
    expect(wrong.length, wrong.join(', ')).toBeLessThan(written / 50);
  });
});
