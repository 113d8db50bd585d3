/** The queries compared: for each the paths of our API, of SQLite, and how many bytes the answer has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Catalog {
  datasets: { indicators: { id: string; geographies: string[]; categories: string[] }[] }[];
}

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
  const { datasets } = JSON.parse(readFileSync(join(root, 'data/catalog.json'), 'utf8')) as Catalog;
  const indicators = datasets.flatMap((dataset) => dataset.indicators);
  const pairs = indicators.flatMap(({ id, geographies }) =>
    geographies.map((geo) => `indicator=${id}&geo=${geo}`),
  );
  const geos = [...new Set(indicators.flatMap(({ geographies }) => geographies))].map(
    (code) => `geo=${code}`,
  );
  const wide = indicators.flatMap(({ categories }) =>
    categories.filter(Boolean).map((category) => `category=${encodeURIComponent(category)}`),
  );
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
    list('indicator+geo', 'indicator=seizures&geo=MMR&limit=30', pairs, [24, 26, 28, 30]),
    list('geo, page of 200', 'geo=DEU&limit=200', geos, limits),
    list(
      'years+category, exact count',
      'category=Opioids&from=2020&to=2022&limit=200',
      wide.map((filter) => `${filter}&from=2019&to=2022`),
      limits,
    ),
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
