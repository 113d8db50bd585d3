/** /search/?q=...: what the words find, as a page. Loaded by the first request that needs it. */
import { setImmediate as turn } from 'node:timers/promises';
import { clockOf } from '../core/explore.ts';
import { Fault, orFault } from '../core/faults.ts';
import { readJson } from '../core/json.ts';
import type { Steps } from '../core/steps.ts';
import { SEARCH_INDEX } from '../core/paths.ts';
import type { SiteIndex } from '../core/site-index.ts';
import { MOST_CHARACTERS, openingSearch, type SiteSearch } from '../core/site-search.ts';
import type { Context, Release } from '../core/types.ts';
import { PAGES } from '../view/address.ts';
import { printSearchPage } from '../view/search-page.ts';
import { inLaterTurns, type HttpRequest, type Reply } from './content.ts';
import { pageReply } from './page-reply.ts';

/** Makes the reply to a query. Throws not_found below the folder. */
export function searchReplies(context: Context): (request: HttpRequest) => Promise<Reply> {
  return async (request) => {
    if (request.pathname !== `/${PAGES.search}`)
      throw new Fault('not_found', 'Page not found. See /search/.');
    const given = new URLSearchParams(request.search).get('q') ?? '';
    const query = given.trim().slice(0, MOST_CHARACTERS);
    const { release } = context;
    const { siteUrl } = context.settings;
    const site = { siteUrl, generatedAt: clockOf(release), query: request.search };
    const search = await release.derive(openedSearch).search;
    const [fault, opened] = search instanceof Fault ? [search, null] : [null, search];
    const page = await inLaterTurns(request, printSearchPage(query, opened, site));
    return pageReply(page, request, fault, [], site.generatedAt !== null);
  };
}

/** The search of a release, opened once; the Fault where its index is not as published. */
function openedSearch(release: Release): { search: Promise<SiteSearch> | Fault } {
  return { search: orFault(() => inTurns(openingSearch(readJson<SiteIndex>(release, SEARCH_INDEX)))) };
}

/** Takes steps; before the first and after each, other requests have their turn. */
async function inTurns<T>(steps: Steps<T>): Promise<T> {
  await turn();
  for (;;) {
    const { done, value } = steps.next();
    await turn();
    if (done) return value;
  }
}
