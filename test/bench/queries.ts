/** The queries compared. Every answer of a row has about as many records. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation } from '../../shim/core/records.ts';
import type { PackManifest } from '../../shim/core/types.ts';

export interface Query {
  name: string;
  /** The path of a request by its number: a query has another for each. */
  path: (turn: number) => string;
  /** Whether it is a query, which SQLite can answer, or a page, which nginx can. */
  kind: 'query' | 'page';
}

const RESOURCE = '/api/v1/market-observations';
/** The years that the data begins after: to ask from one of them changes no response and makes it another query. */
const BEFORE = 60;

/** The queries of the table, over the tree at `root`. `cursors` are those of pages that follow on `from=1990`. */
export function queries(root: string, cursors: string[]): Query[] {
  const enough = (least: number, filterOf: (record: Observation) => string | null): string[] =>
    [...counted(root, filterOf)].flatMap(([filter, records]) => (records >= least ? filter : []));
  const pairs = enough(30, ({ indicatorId, geoCode }) => `indicator=${indicatorId}&geo=${geoCode}`);
  const geos = enough(200, ({ geoCode }) => `geo=${geoCode}`);
  const wide = enough(200, ({ category, period }) =>
    category !== '' && period >= '2019' && period < '2023'
      ? `category=${encodeURIComponent(category)}&to=2022`
      : null,
  );
  /** Filters change fastest, then the limit, then the first year. */
  const list = (
    name: string,
    filters: string[],
    limits: number[],
    yearOf: (turn: number) => string,
  ): Query => ({
    name,
    path(turn) {
      const round = Math.floor(turn / filters.length);
      const year = yearOf(Math.floor(round / limits.length));
      return `${RESOURCE}?${filters[turn % filters.length]}&${year}&limit=${limits[round % limits.length]}`;
    },
    kind: 'query',
  });
  const few = Array.from({ length: 17 }, (_, step) => 22 + step);
  const many = Array.from({ length: 20 }, (_, step) => 181 + step);
  // In no order: what is measured later has as many records as what it was warmed up with, and the constant as many bytes.
  const sizes = Array.from({ length: 400 }, (_, step) => 100 + ((step * 149) % 400));
  const early = (turn: number): string => `from=${1900 + (turn % BEFORE)}`;
  return [
    list('indicator+geo', pairs, few, early),
    list('geo, page of 200', geos, many, early),
    list('years+category, exact count', wide, many, (turn) => `from=${2019 - (turn % BEFORE)}`),
    list(
      'deep cursor',
      cursors.map((cursor) => `cursor=${cursor}`),
      sizes,
      () => 'from=1990',
    ),
    ...['entities', 'atlas', 'markets'].map(page),
  ];
}

/** Unfiltered pages of different sizes: what a server costs apart from copying shows in the small ones. */
function page(resource: string): Query {
  return { name: `unfiltered page: ${resource}`, path: () => `/api/v1/${resource}`, kind: 'page' };
}

/** Queries to start with, each of one place and indicator: of the pack of middle size, and of the largest. */
export function firstQueries(root: string): { usual: string; largest: string } {
  const bySize = packsOf(root).sort((a, b) => a.bytes - b.bytes);
  const queryOf = (at: number): string => {
    const { path = '' } = bySize[at] ?? {};
    const file = openSync(join(root, path), 'r');
    const begin = Buffer.alloc(64 * 1024);
    readSync(file, begin);
    closeSync(file);
    const { datasetId, indicatorId, geoCode } = JSON.parse(
      begin.toString('utf8', 0, begin.indexOf('\n')),
    ) as Observation;
    return `${RESOURCE}?dataset=${datasetId}&indicator=${indicatorId}&geo=${geoCode}&limit=30`;
  };
  return { usual: queryOf(Math.floor(bySize.length / 2)), largest: queryOf(bySize.length - 1) };
}

function packsOf(root: string): PackManifest['packs'] {
  const { packs } = JSON.parse(readFileSync(join(root, 'data/packs.json'), 'utf8')) as PackManifest;
  return packs.filter(({ kind }) => kind === 'observations');
}

/** How many packaged observations have which filter. */
function counted(root: string, filterOf: (record: Observation) => string | null): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of packsOf(root)) {
    for (const line of readFileSync(join(root, path), 'utf8').trimEnd().split('\n')) {
      const filter = filterOf(JSON.parse(line) as Observation);
      if (filter !== null) counts.set(filter, (counts.get(filter) ?? 0) + 1);
    }
  }
  return counts;
}
