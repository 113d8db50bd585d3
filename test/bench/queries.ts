/** The queries compared: for each the paths of our API and of SQLite. Every answer of a row has about as many records. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation } from '../../build/pack/observations.ts';
import type { PackManifest } from '../../shim/core/types.ts';

export interface Query {
  name: string;
  /** Hot: one URL again and again. */
  hot: string;
  /** Ever other URLs of the same kind: more than any cache of answers holds. */
  varied: string[];
  /** The same for SQLite; null where the query does not exist there. */
  sqlite: { hot: string; varied: string[] } | null;
}

const RESOURCE = '/api/v1/market-observations';

/** The five queries of the table, over the tree at `root`. `cursorOf` gives the cursor of the page after a filtered first one. */
export async function queries(root: string, cursorOf: (path: string) => Promise<string>): Promise<Query[]> {
  const enough = (least: number, filterOf: (record: Observation) => string | null): string[] =>
    [...counted(root, filterOf)].flatMap(([filter, records]) => (records >= least ? filter : []));
  const pairs = enough(30, ({ indicatorId, geoCode }) => `indicator=${indicatorId}&geo=${geoCode}`);
  const geos = enough(200, ({ geoCode }) => `geo=${geoCode}`);
  const wide = enough(200, ({ category, period }) =>
    category !== '' && period >= '2019' && period < '2023'
      ? `category=${encodeURIComponent(category)}&from=2019&to=2022`
      : null,
  );
  const few = Array.from({ length: 17 }, (_, step) => 22 + step);
  const limits = Array.from({ length: 20 }, (_, step) => 181 + step);
  const both = (paths: string[]): { hot: string; varied: string[] } => ({
    hot: paths[0] ?? '',
    varied: paths,
  });
  const asked = (filters: string[], limit: number[]): string[] =>
    limit.flatMap((each) => filters.map((filter) => `${RESOURCE}?${filter}&limit=${each}`));
  const list = (name: string, hot: string, filters: string[], limit: number[]): Query => {
    const paths = [`${RESOURCE}?${hot}`, ...asked(filters, limit)];
    return { name, ...both(paths), sqlite: both(paths.map((path) => path.replace(RESOURCE, '/'))) };
  };
  const deep = await cursorOf(`${RESOURCE}?from=1990&limit=500`);
  return [
    list('indicator+geo', 'indicator=seizures&geo=MMR&limit=30', pairs, few),
    list('geo, page of 200', 'geo=DEU&limit=200', geos, limits),
    list('years+category, exact count', 'category=Opioids&from=2020&to=2022&limit=200', wide, limits),
    {
      name: 'deep cursor',
      hot: `${RESOURCE}?from=1990&cursor=${deep}&limit=200`,
      varied: limits.flatMap((each) =>
        [0, 1, 2].map((more) => `${RESOURCE}?from=1990&cursor=${deep}&limit=${each - more * 20}`),
      ),
      sqlite: {
        hot: '/?from=1990&after=30000&limit=200',
        varied: limits.map((each) => `/?from=1990&after=30000&limit=${each}`),
      },
    },
    { name: 'unfiltered page', hot: '/api/v1/atlas', varied: ['/api/v1/atlas'], sqlite: null },
  ];
}

/** How many packaged observations have which filter. */
function counted(root: string, filterOf: (record: Observation) => string | null): Map<string, number> {
  const counts = new Map<string, number>();
  const { packs } = JSON.parse(readFileSync(join(root, 'data/packs.json'), 'utf8')) as PackManifest;
  for (const { path } of packs.filter(({ kind }) => kind === 'observations')) {
    for (const line of readFileSync(join(root, path), 'utf8').trimEnd().split('\n')) {
      const filter = filterOf(JSON.parse(line) as Observation);
      if (filter !== null) counts.set(filter, (counts.get(filter) ?? 0) + 1);
    }
  }
  return counts;
}
