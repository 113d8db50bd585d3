/** Links of the explorer: the address of the page with some of its filters changed. A change leaves behind what it makes untrue. */
import type { Exploration } from '../core/explore-answer.ts';
import type { ExploreQuery } from '../core/explore-query.ts';
import { embedAddress, exploreAddress, type Filters } from './address.ts';
import { el, type Child } from './node.ts';

/** Where the page is and what it may draw with. */
export interface ExplorePlace {
  root: string;
  /** The address that requests are made to, without trailing slash. */
  siteUrl: string;
  /** On a copy of the files without the service: where the records were read, in a sentence. */
  read?: string;
  /** On such a copy: the address of its site with `/` at its end, which answers what the copy cannot; null where it is not known. */
  site?: string | null;
  /** Whether the figure is drawn alone, for a frame of a page elsewhere. */
  embedded?: boolean;
}

/** What addresses of the API and of downloads begin with: the root; on a copy its site, and null where that is not known. */
export function answersAt({ root, read, site = null }: ExplorePlace): string | null {
  return read === undefined ? root : site;
}

/** A change of filters: undefined leaves one out. The names are those of the API and `view`, `sort`, `unit`. */
export type Change = Filters;

/** The filters of the query and the page's own, as an address has them. */
export function filtersOf({ given, view, sort, unit }: ExploreQuery): Record<string, string | undefined> {
  return {
    ...given,
    view: view ?? undefined,
    sort: sort ? `${sort.down ? '-' : ''}${sort.by}` : undefined,
    unit: unit ?? undefined,
  };
}

/** The address with a change. Without `cursor`: a page of one query is none of another. */
export function changed({ query }: Pick<Exploration, 'query'>, change: Change): string {
  return exploreAddress({ ...filtersOf(query), cursor: undefined, ...change });
}

/** The address of the figure alone, without what only the table has: sort order, page and page size. */
export function embedded({ query }: Pick<Exploration, 'query'>): string {
  return embedAddress({ ...filtersOf(query), sort: undefined, cursor: undefined, limit: undefined });
}

/** A link to the page with a change. */
export function changeLink(
  model: Exploration,
  { root }: ExplorePlace,
  change: Change,
  words: Child,
  current = false,
): Child {
  const href = `${root}${changed(model, change)}`;
  return el('a', { href, 'aria-current': current ? 'true' : null }, words);
}

/** The filters of the API alone, without paging. */
export function apiFilters({ query }: Pick<Exploration, 'query'>): Record<string, string | undefined> {
  return { ...query.given, cursor: undefined, limit: undefined };
}
