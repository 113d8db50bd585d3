/**
 * /explore/ with a query: the answered page, or with `answer` in the query the same as data, for the script of that page. A refused query is a
 * page that says so: it comes with 200, as its form can be corrected, and is kept as briefly as the API's error. Loaded by the first
 * request that needs it.
 */
import { LRUCache } from 'lru-cache';
import type { Report } from '../core/call.ts';
import { explore } from '../core/explore.ts';
import type { Exploration } from '../core/explore-answer.ts';
import { submitted } from '../core/explore-query.ts';
import { Fault, FAULTS } from '../core/faults.ts';
import { PAGE_POLICY, mediaTypeOf, type HeaderList } from '../core/headers.ts';
import { WORLD } from '../core/paths.ts';
import type { Context, Release } from '../core/types.ts';
import type { WorldShapes } from '../view/chart/world.ts';
import { needsWorld } from '../view/explore.ts';
import { printExplore } from '../view/explore-page.ts';
import { contentOf, JSON_TYPE, send, type Content, type HttpRequest, type Reply } from './content.ts';
import { CACHING, SHARED_LIST } from './routes.ts';

/** Replies to requests for answered pages and their data. Throws what is not expected. */
export type ExploreReplies = (request: HttpRequest) => Reply;

/** A page or its data, ready to be sent. */
interface Kept {
  content: Content;
  status: number;
  headers: HeaderList;
}

/** Makes the replies. */
export function exploreReplies(context: Context, report: Report): ExploreReplies {
  const { siteUrl } = context.settings;
  return (request) => {
    const { pathname, search } = request;
    const clean = submitted(search);
    if (clean !== null) {
      const location = `${pathname}${clean === '' ? '' : `?${clean}`}`;
      const headers = [...SHARED_LIST, 'location', location, 'cache-control', FAULTS.not_found.cache];
      return { status: 303, headers, body: null };
    }
    const { release } = context;
    const kept = release.derive(rememberedPages);
    const known = kept.get(search);
    if (known) return send(known.content, request, known.headers, known.status);
    const model = explore(search, { ...context, release }, report);
    const isPage = !model.query.data;
    const text = isPage
      ? printExplore(
          model,
          { siteUrl, generatedAt: model.generatedAt },
          { world: needsWorld(model) ? worldOf(release) : null },
        )
      : JSON.stringify(model);
    const made = {
      content: contentOf(Buffer.from(text), isPage ? HTML : JSON_TYPE),
      ...sentWith(model, isPage),
    };
    if (made.status === 200) kept.set(search, made);
    return send(made.content, request, made.headers, made.status);
  };
}

const HTML = mediaTypeOf('index.html');

/** What is damaged or failed is not kept by anyone; its data says so inside, for a script that shows it. */
function sentWith(
  { fault, answer, query, findFault }: Exploration,
  isPage: boolean,
): Pick<Kept, 'status' | 'headers'> {
  const worst = fault ?? findFault;
  const policy = isPage ? ['content-security-policy', PAGE_POLICY] : [];
  const isWhole = worst === null && query.refused === null && answer?.status !== 'partial';
  const caching = isWhole
    ? CACHING.data
    : ['cache-control', worst ? FAULTS[worst.code].cache : FAULTS.invalid_request.cache];
  const failed = worst?.code === 'unavailable' || worst?.code === 'internal_error';
  return {
    status: failed && isPage && worst ? FAULTS[worst.code].status : 200,
    headers: [...SHARED_LIST, ...caching, ...policy],
  };
}

const REMEMBERED_BYTES = 16 * 1024 * 1024;

/** Pages of a release, the most recently used of them; each counts twice, for its compressed twins. */
function rememberedPages(_release: Release): LRUCache<string, Kept> {
  return new LRUCache({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: ({ content }, key) => content.bytes.length * 2 + key.length * 2 + 1024,
  });
}

/** The shapes of the map; null where they cannot be read, so that a page says less and is still given. */
function worldOf(release: Release): WorldShapes | null {
  return release.derive(readWorld).shapes;
}

function readWorld(release: Release): { shapes: WorldShapes | null } {
  try {
    return { shapes: JSON.parse(new TextDecoder().decode(release.document(WORLD))) as WorldShapes };
  } catch (error) {
    if (error instanceof Fault) return { shapes: null };
    throw error;
  }
}
