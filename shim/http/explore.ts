/**
 * /explore/ and /compare/ with a query: the answered page; of the explorer, with `answer` in the query, the same as data for the script
 * of that page. A refused query is a page that says so: it comes with 200, as its form can be corrected, and is kept as briefly as the
 * API's error. All is read at once; while the page is printed, other requests have their turns. Loaded by the first request that needs it.
 */
import type { Report } from '../core/call.ts';
import { compare, submittedComparison } from '../core/compare.ts';
import { explore } from '../core/explore.ts';
import { submitted } from '../core/explore-query.ts';
import type { ExploreFault } from '../core/explore-answer.ts';
import { FAULTS, unlessFault } from '../core/faults.ts';
import { readJson } from '../core/json.ts';
import { WORLD } from '../core/paths.ts';
import type { Steps } from '../core/steps.ts';
import type { Context, Release } from '../core/types.ts';
import { PAGES } from '../view/address.ts';
import type { WorldShapes } from '../view/chart/world.ts';
import { printCompare } from '../view/compare.ts';
import { needsWorld } from '../view/explore.ts';
import { printExplore } from '../view/explore-page.ts';
import { inLaterTurns, JSON_TYPE, type HttpRequest, type Replies } from './content.ts';
import { redirect } from './failures.ts';
import { answered, dataOf, pageOf, type Made } from './page-reply.ts';

/** Makes the replies to requests for answered pages and their data, which throw what is not expected. */
export function exploreReplies(context: Context, report: Report): Replies {
  return (request) => {
    const { pathname, search } = request;
    const isComparison = pathname === `/${PAGES.compare}`;
    const clean = isComparison ? submittedComparison(search) : submitted(search);
    if (clean !== null) return redirect(303, `${pathname}${clean === '' ? '' : `?${clean}`}`);
    return answered(request, context, (now) =>
      isComparison ? comparison(request, now, report) : exploration(request, now, report),
    );
  };
}

function exploration(request: HttpRequest, context: Context, report: Report): Made | Promise<Made> {
  const { search } = request;
  const model = explore(search, context, report);
  const { query, fault, findFault, answer, generatedAt } = model;
  const failed = fault ?? findFault;
  const whole = query.refused === null && answer?.status !== 'partial';
  // Data says inside that it failed, for a script that shows it.
  if (query.data) return { ...dataOf(JSON.stringify(model), JSON_TYPE, whole), fault: failed?.code ?? null };
  const world = needsWorld(model) ? worldOf(context.release) : null;
  const { siteUrl } = context.settings;
  const made = function* (): Steps<Made> {
    const text = yield* printExplore(model, { siteUrl, generatedAt, query: search }, { world });
    return pageFor(text, failed, whole);
  };
  return inLaterTurns(request, made());
}

function comparison(request: HttpRequest, context: Context, report: Report): Made | Promise<Made> {
  const { search } = request;
  const compared = compare(search, context, report);
  const models = compared.views.flatMap(({ model }) => model ?? []);
  const { siteUrl } = context.settings;
  const generatedAt = models[0]?.generatedAt ?? null;
  const made = function* (): Steps<Made> {
    return pageFor(
      yield* printCompare(compared, { siteUrl, generatedAt, query: search }),
      models.flatMap(({ fault }) => fault ?? [])[0] ?? null,
      models.length === compared.views.length && models.every(({ answer }) => answer?.status === 'available'),
    );
  };
  return inLaterTurns(request, made());
}

/** A page that a refused query can be corrected on: its status is that of a failure alone. */
function pageFor(text: string, fault: ExploreFault | null, whole: boolean): Made {
  const failed = fault?.code === 'unavailable' || fault?.code === 'internal_error';
  return { ...pageOf(text, fault, failed ? FAULTS[fault.code].status : 200), whole };
}

/** The shapes of the map; null where they cannot be read, so that a page says less and is still given. */
export function worldOf(release: Release): WorldShapes | null {
  return release.derive(readWorld).shapes;
}

function readWorld(release: Release): { shapes: WorldShapes | null } {
  const shapes = unlessFault(() => readJson<WorldShapes>(release, WORLD), null);
  return { shapes };
}
