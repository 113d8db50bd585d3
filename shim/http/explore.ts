/**
 * /explore/ and /compare/ with a query: the answered page; of the explorer, with `answer` in the query, the same as data for the script
 * of that page. A refused query is a page that says so: it comes with 200, as its form can be corrected, and is kept as briefly as the
 * API's error. Loaded by the first request that needs it.
 */
import type { Report } from '../core/call.ts';
import { compare, submittedComparison } from '../core/compare.ts';
import { explore } from '../core/explore.ts';
import { submitted } from '../core/explore-query.ts';
import { FAULTS, unlessFault, type FaultCode } from '../core/faults.ts';
import { PAGE_POLICY, mediaTypeOf, type HeaderList } from '../core/headers.ts';
import { readJson } from '../core/json.ts';
import { WORLD } from '../core/paths.ts';
import type { Context, Release } from '../core/types.ts';
import type { KeptWith } from '../store/blocks.ts';
import { PAGES } from '../view/address.ts';
import type { WorldShapes } from '../view/chart/world.ts';
import { printCompare } from '../view/compare.ts';
import { needsWorld } from '../view/explore.ts';
import { printExplore } from '../view/explore-page.ts';
import {
  contentOf,
  JSON_TYPE,
  keptReplies,
  send,
  type Content,
  type HttpRequest,
  type Reply,
} from './content.ts';
import { SHARED_LIST } from './failures.ts';
import { CACHING } from './routes.ts';

/** A page or its data, ready to be sent. */
interface Kept {
  content: Content;
  status: number;
  headers: HeaderList;
}

/** A page or its data, and what is wrong with what was asked, where anything is. */
export interface Made {
  text: string;
  mediaType: string;
  status: number;
  fault: FaultCode | null;
  /** Whether it says all that there is. */
  whole: boolean;
  /** Header fields that only this page has. */
  headers: HeaderList;
}

/** Makes the replies to requests for answered pages and their data, which throw what is not expected. */
export function exploreReplies(context: Context, report: Report): (request: HttpRequest) => Reply {
  return (request) => {
    const { pathname, search } = request;
    const isComparison = pathname === `/${PAGES.compare}`;
    const clean = isComparison ? submittedComparison(search) : submitted(search);
    if (clean !== null) {
      const location = `${pathname}${clean === '' ? '' : `?${clean}`}`;
      const headers = [...SHARED_LIST, 'location', location, 'cache-control', FAULTS.not_found.cache];
      return { status: 303, headers, body: null };
    }
    return answered(request, context, (now) =>
      isComparison ? comparison(search, now, report) : exploration(search, now, report),
    );
  };
}

/** The reply to a request, made of one release and kept with it where it is frequent. What is damaged or failed is not kept by anyone. */
export function answered(request: HttpRequest, context: Context, make: (now: Context) => Made): Reply {
  const { release } = context;
  const kept = release.derive(rememberedPages);
  const key = `${request.pathname}${request.search}`;
  const known = kept.get(key);
  if (known) return send(known.content, request, known.headers, known.status);
  const { text, mediaType, status, fault, whole, headers: own } = make({ ...context, release });
  const content = contentOf(Buffer.from(text), mediaType);
  const caching =
    whole && fault === null ? CACHING.data : ['cache-control', FAULTS[fault ?? 'invalid_request'].cache];
  const headers = [...SHARED_LIST, ...caching, ...own];
  if (status === 200 && kept.isFrequent(key)) kept.set(key, { content, status, headers });
  return send(content, request, headers, status);
}

function exploration(search: string, context: Context, report: Report): Made {
  const model = explore(search, context, report);
  const { query, fault, findFault, answer, generatedAt } = model;
  const code = (fault ?? findFault)?.code ?? null;
  const whole = query.refused === null && answer?.status !== 'partial';
  // Data says inside that it failed, for a script that shows it.
  if (query.data)
    return {
      text: JSON.stringify(model),
      mediaType: JSON_TYPE,
      status: 200,
      fault: code,
      whole,
      headers: [],
    };
  const world = needsWorld(model) ? worldOf(context.release) : null;
  const { siteUrl } = context.settings;
  return pageOf(printExplore(model, { siteUrl, generatedAt, query: search }, { world }), code, whole);
}

function comparison(search: string, context: Context, report: Report): Made {
  const compared = compare(search, context, report);
  const models = compared.views.flatMap(({ model }) => model ?? []);
  const { siteUrl } = context.settings;
  return pageOf(
    printCompare(compared, { siteUrl, generatedAt: models[0]?.generatedAt ?? null, query: search }),
    models.flatMap(({ fault }) => fault?.code ?? [])[0] ?? null,
    models.length === compared.views.length && models.every(({ answer }) => answer?.status === 'available'),
  );
}

const HTML = mediaTypeOf('index.html');

/** A page: a refused query can be corrected on it. */
function pageOf(text: string, fault: FaultCode | null, whole: boolean): Made {
  const failed = fault === 'unavailable' || fault === 'internal_error';
  const headers = ['content-security-policy', PAGE_POLICY];
  return { text, mediaType: HTML, status: failed ? FAULTS[fault].status : 200, fault, whole, headers };
}

const REMEMBERED_BYTES = 16 * 1024 * 1024;

/** Pages of a release, the most recently used of them. */
function rememberedPages(release: Release): KeptWith<Kept> {
  return keptReplies(release, REMEMBERED_BYTES);
}

/** The shapes of the map; null where they cannot be read, so that a page says less and is still given. */
export function worldOf(release: Release): WorldShapes | null {
  return release.derive(readWorld).shapes;
}

function readWorld(release: Release): { shapes: WorldShapes | null } {
  const shapes = unlessFault(
    () => readJson<WorldShapes>(release, WORLD),
    () => null,
  );
  return { shapes };
}
