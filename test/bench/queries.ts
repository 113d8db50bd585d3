/** The queries compared. Every answer of a row has about as many records. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation } from '../../shim/core/records.ts';
import type { PackManifest } from '../../shim/core/types.ts';

export interface Query {
  name: string;
  /** Hot: one URL again and again. */
  hot: string;
  /** Ever other URLs of the same kind: more than any cache of answers holds. */
  varied: string[];
  /** Whether it is a query, which SQLite can answer, or a page, which nginx can. */
  kind: 'query' | 'page';
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
  const asked = (filters: string[], limit: number[]): string[] =>
    limit.flatMap((each) => filters.map((filter) => `${RESOURCE}?${filter}&limit=${each}`));
  const list = (name: string, hot: string, filters: string[], limit: number[]): Query => ({
    name,
    hot: `${RESOURCE}?${hot}`,
    varied: asked(filters, limit),
    kind: 'query',
  });
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
      kind: 'query',
    },
    ...['entities', 'atlas', 'markets'].map(page),
  ];
}

/** Unfiltered pages of different sizes: what a server costs apart from copying shows in the small ones. */
function page(resource: string): Query {
  return { name: `unfiltered page: ${resource}`, hot: `/api/v1/${resource}`, varied: [], kind: 'page' };
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
