/** What the scale table asks: each query many times, no two alike, so that no count remembered from before answers. */
import { marketPacks } from '../../shim/core/market-packs.ts';
import { cursorsOf } from '../../shim/core/pagination.ts';
import type { Context } from '../../shim/core/types.ts';
import { CATEGORIES, GEOS, SUBGROUPS, YEARS } from './scale-records.ts';
import { seeded } from '../_support/seeded.ts';

/** One row of the table. */
export interface ScaleQuery {
  name: string;
  /** Whether it asks for a small part of the collection: then its time must not grow with the collection. */
  selective: boolean;
  /** Query strings, different where the filters allow it. */
  asks: string[];
}

/** Asks per query: a fifth to warm up, the rest measured. */
const ASKS = 250;

/** The queries over the generated tree of a context; the same tree gives the same ones. */
export function scaleQueries(context: Context): ScaleQuery[] {
  const market = marketPacks(context.release);
  const { packs, rows } = market;
  const indicators = packs.flatMap(({ meta }) => meta['indicators'] as string[]);
  const random = seeded(rows);
  const any = <T>(list: readonly T[], otherwise: T): T =>
    list[Math.floor(random() * list.length)] ?? otherwise;
  const indicator = (): string => `indicator=${any(indicators, '')}`;
  const geo = (turn = Math.floor(random() * GEOS.length)): string => `geo=${GEOS[turn % GEOS.length] ?? ''}`;
  const category = (): string => `category=${encodeURIComponent(any(CATEGORIES, ''))}`;
  const subgroup = (): string => `subgroup=${encodeURIComponent(any(SUBGROUPS, ''))}`;
  const years = (): string => {
    const from = YEARS[0] + Math.floor(random() * 30);
    return `from=${from}&to=${Math.min(YEARS[1], from + 4 + Math.floor(random() * 12))}`;
  };
  const cursor = (): string => {
    const row = Math.max(1, Math.floor(rows * (0.5 + random() / 2)));
    return cursorsOf(context.release, market, {}).encode(row);
  };
  const query = (name: string, selective: boolean, ask: (turn: number) => string): ScaleQuery => ({
    name,
    selective,
    asks: Array.from({ length: ASKS }, (_, turn) => ask(turn)),
  });
  return [
    query('first page', true, (turn) => `limit=${150 + (turn % 100)}`),
    query('indicator+geo', true, () => `${indicator()}&${geo()}&limit=30`),
    query('geo, page of 200', true, (turn) => `${geo(turn)}&limit=200`),
    // A page every size can fill: the same answer, from a larger collection.
    query('geo+category+years', true, () => `${geo()}&${category()}&${years()}&limit=100`),
    query('indicator, page of 200', true, () => `${indicator()}&limit=200`),
    query('deep cursor', true, () => `cursor=${cursor()}&limit=200`),
    query('years+category, exact count', false, () => `${category()}&${years()}&limit=200`),
    query('years+subgroup, exact count', false, () => `${subgroup()}&${years()}&limit=200`),
    query('years, exact count', false, () => `${years()}&limit=200`),
  ];
}
