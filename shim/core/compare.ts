/**
 * What /compare/ shows: two to six queries next to each other, each with its own unit. Where two views are of lanes that may not be
 * joined, the comparison is refused with the sentence of the policy, and nothing is drawn.
 */
import type { Report } from './call.ts';
import { datasetOf, indicatorsOf, newestWith } from './editions.ts';
import { catalogFacts, explore } from './explore.ts';
import type { Exploration } from './explore-answer.ts';
import { readExplore } from './explore-query.ts';
import { indicatorOfRecord } from './market-packs.ts';
import { unlessFault } from './faults.ts';
import { joinRefusal, UPSTREAM } from './joins.ts';
import type { Context, Release } from './types.ts';

/** The parameters of the page, one for each view, in the order in which they are shown. */
export const VIEW_PARAMETERS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** One of the compared views. */
export interface ComparedView {
  parameter: string;
  /** The query of the view as it was given. */
  given: string;
  /** What it shows; null where it is not a query of observations, or is refused. */
  model: Exploration | null;
  /** What is wrong with it, in a sentence. */
  message: string | null;
}

/** Everything the page is drawn from. */
export interface Comparison {
  views: ComparedView[];
  /** Why views may not be shown together: their parameters, and the sentence of the policy. */
  refusals: { of: [string, string]; why: string }[];
  /** What is wrong with the address itself. */
  message: string | null;
}

/** Answers the query string of the page. Refusals are messages in the result; only unexpected errors are thrown. */
export function compare(address: string, context: Context, report: Report): Comparison {
  const given = [...new URLSearchParams(address)];
  const unknown = given.find(([name]) => !VIEW_PARAMETERS.some((parameter) => parameter === name));
  const views = VIEW_PARAMETERS.flatMap((parameter) => {
    const own = given.filter(([name]) => name === parameter);
    const [[, text = ''] = []] = own;
    if (own.length === 0) return [];
    const message = own.length > 1 ? `Parameter "${parameter}" was given more than once.` : null;
    return [{ parameter, given: text, target: targetOf(text), message }];
  });
  const lanes = views.map(({ target }) => lanesOf(target, context.release));
  const refusals = views.flatMap((one, at) =>
    views.slice(at + 1).flatMap((other, after): Comparison['refusals'] => {
      const [own = [], others = []] = [lanes[at], lanes[at + 1 + after]];
      const [why] = own.flatMap((lane) => others.flatMap((another) => joinRefusal(lane, another) ?? []));
      return why === undefined ? [] : [{ of: [one.parameter, other.parameter], why }];
    }),
  );
  return {
    refusals,
    message:
      unknown === undefined
        ? null
        : `Unknown parameter ${JSON.stringify(unknown[0].slice(0, 100))}; a comparison accepts ${VIEW_PARAMETERS.join(', ')}, each a query.`,
    views: views.map(({ parameter, given: text, target, message }) => {
      const isObservations = target.resource === OBSERVATIONS;
      const isDrawn = refusals.length === 0 && isObservations && message === null;
      const model = isDrawn ? explore(target.search, context, report) : null;
      const another = `A comparison draws queries of ${OBSERVATIONS}; this one is of ${JSON.stringify(target.resource.slice(0, 100))}.`;
      return {
        parameter,
        given: text,
        model,
        message: message ?? (isObservations ? (model?.fault?.message ?? null) : another),
      };
    }),
  };
}

const OBSERVATIONS = 'market-observations';

interface Target {
  resource: string;
  search: string;
}

/** Reads a query as people paste it: an address of the explorer or of the API, or only the part after its `?`. */
function targetOf(text: string): Target {
  const [path = '', ...query] = text.trim().split('?');
  if (query.length === 0 && path.includes('=')) return { resource: OBSERVATIONS, search: apiPart(path) };
  const name = path.replace(/\/$/, '').split('/').at(-1) ?? '';
  const resource = name === '' || name === 'explore' ? OBSERVATIONS : name;
  return { resource, search: apiPart(query.join('?')) };
}

/** The query without the explorer's own parameters. */
function apiPart(query: string): string {
  return readExplore(`?${query}`).search || '?';
}

function lanesOf({ resource, search }: Target, release: Release): string[] {
  const query = new URLSearchParams(search);
  if (resource === 'entities' || resource === 'designations') return ['designations'];
  const lane = resource === 'federation' ? (query.get('lane') ?? 'all') : resource;
  if (lane.startsWith('producerp')) return ['context'];
  if (lane.startsWith('producers')) return [UPSTREAM];
  if (resource === 'federation') return ['context', UPSTREAM];
  if (resource === 'atlas') {
    const domain = query.get('domain') ?? 'all';
    return domain === 'all' ? ['organized_crime', 'firearms_tracing'] : [domain];
  }
  if (resource !== OBSERVATIONS) return [];
  const dataset = query.get('dataset');
  const record = query.get('id');
  const indicator = query.get('indicator') ?? (record === null ? null : indicatorOfRecord(record));
  const ofContext = release.derive(contextIds);
  if (ofContext.has(dataset ?? '') || ofContext.has(indicator ?? '')) return ['context'];
  const { markets, datasets } = release.derive(catalogFacts);
  if (indicator !== null) {
    const market = markets.get(indicator);
    return market === undefined ? (datasets.get(datasetWith(indicator, release)) ?? ['']) : [market];
  }
  return dataset === null ? [...new Set(markets.values())] : (datasets.get(dataset) ?? []);
}

/** The dataset that has or had an indicator; empty where there is none. */
function datasetWith(indicator: string, release: Release): string {
  const pack = unlessFault(() => newestWith(indicator, release.manifest()), undefined);
  return pack ? datasetOf(pack) : '';
}

/** Ids of the datasets of national context, and of their indicators. */
function contextIds(release: Release): Set<string> {
  const packs = unlessFault(() => release.manifest().packs, []).filter(({ kind }) => kind === 'context');
  return new Set(packs.flatMap((pack) => [pack.id, ...indicatorsOf(pack)]));
}

/**
 * The query string for a comparison sent by the form: without empty fields and, where `place` is given, with the last view repeated
 * for that place. Null where the form did not send it.
 */
export function submittedComparison(search: string): string | null {
  const sent = new URLSearchParams(search);
  if (!sent.has('form')) return null;
  const given = VIEW_PARAMETERS.flatMap((parameter) => sent.get(parameter)?.trim() || []);
  const place = sent.get('place');
  const last = given.at(-1);
  if (place && last !== undefined) {
    const query = new URLSearchParams(targetOf(last).search);
    query.set('geo', place);
    given.push(query.toString());
  }
  return given
    .slice(0, VIEW_PARAMETERS.length)
    .map((query, at) => `${VIEW_PARAMETERS[at] ?? ''}=${encodeURIComponent(query)}`)
    .join('&');
}
