/**
 * What the explorer shows for an address, as data: the response of market-observations or its error, all records of a figure, and
 * what its form may hold. Made by the service, and on a copy of the files by the browser itself; drawn by shim/view/explore.ts.
 */
import { readJson } from './json.ts';
import { call, readQuery, type Report, type Result } from './call.ts';
import { payloadBytes } from './envelope.ts';
import type {
  Choices,
  ExploreAnswer,
  ExploreFault,
  ExploreLine,
  ExploreSource,
  Exploration,
} from './explore-answer.ts';
import { choicesOf } from './explore-choices.ts';
import { MOST_DRAWN, readExplore } from './explore-query.ts';
import { unlessFault } from './faults.ts';
import { marketObservations } from './operations/market-observations.ts';
import { series } from './operations/series.ts';
import { CATALOG } from './paths.ts';
import { ELSEWHERE } from './related.ts';
import type { DatasetDocument, Observation } from './records.ts';
import type { Context, Release } from './types.ts';

/** Answers an address. Nothing is thrown but what is not expected. */
export function explore(address: string, context: Context, report: Report): Exploration {
  const query = readExplore(address);
  const { release } = context;
  const asks = query.search !== '' || query.find === null;
  const result = asks ? answerOf(query.search, context, report) : null;
  const answer = result && 'answer' in result ? result.answer : null;
  const catalog = release.derive(catalogFacts);
  const all = answer ? allOf(query.search, answer, context, report) : null;
  const shown = all?.observations ?? answer?.observations ?? [];
  const sources = all?.sources ?? answer?.sources ?? [];
  const choices = choicesOf(query.given, context);
  const lookup = query.find === null ? null : findSeries(query.find, query.given, choices, context, report);
  return {
    query,
    fault: result && 'fault' in result ? result.fault : null,
    answer: answer && { ...answer, sources: sources.map((source) => dated(source, catalog)) },
    all: all !== null && all === answer ? 'page' : (all?.observations ?? null),
    beside: answer?.limitations.filter((sentence) => sentence.startsWith(ELSEWHERE)) ?? [],
    choices,
    indicators: Object.fromEntries(
      [...new Set(shown.map(({ indicatorId }) => indicatorId))].map((id) => [
        id,
        catalog.labels.get(id) ?? id,
      ]),
    ),
    boundaries: [...new Set(shown.map(({ datasetId }) => datasetId))].flatMap(
      (id) => catalog.boundaries.get(id) ?? [],
    ),
    found: lookup && 'found' in lookup ? lookup.found : null,
    findFault: lookup && 'fault' in lookup ? lookup.fault : null,
    generatedAt: clockOf(release),
  };
}

/** The page before anything was asked: lists that hold everything. */
export function exploreStart(context: Context): Exploration {
  return {
    query: readExplore(''),
    fault: null,
    answer: null,
    all: null,
    beside: [],
    choices: choicesOf({}, context),
    indicators: {},
    boundaries: [],
    found: null,
    findFault: null,
    generatedAt: clockOf(context.release),
  };
}

type Answered = { answer: ExploreAnswer } | { fault: ExploreFault };

function answerOf(search: string, context: Context, report: Report): Answered {
  const result = call(marketObservations, () => readQuery(marketObservations, search), context, report);
  return read(result, (payload) => ({ answer: payload as unknown as ExploreAnswer }));
}

/** A result as plain data: records are bytes until here. */
function read<T>(result: Result | Promise<Result>, of: (payload: unknown) => T): T | { fault: ExploreFault } {
  if (result instanceof Promise) throw new Error('an operation over packaged data returned a promise');
  if (!result.ok) return { fault: { code: result.fault.code, message: result.fault.message } };
  return of(JSON.parse(new TextDecoder().decode(payloadBytes(result.payload))));
}

/** All that matches a query: the page, and where that is a part all pages from the first. Null where it is too much to draw. */
function allOf(
  search: string,
  answer: ExploreAnswer,
  context: Context,
  report: Report,
): Pick<ExploreAnswer, 'observations' | 'sources'> | null {
  const { page } = answer;
  if (page.returned === page.matched) return answer;
  if (page.matched > MOST_DRAWN) return null;
  const query = new URLSearchParams(search);
  query.delete('cursor');
  query.set('limit', '500');
  const observations: Observation[] = [];
  const sources = new Map<string, ExploreSource>();
  for (let next: string | null = null; ;) {
    if (next !== null) query.set('cursor', next);
    const part = answerOf(`?${query}`, context, report);
    if (!('answer' in part)) return null;
    observations.push(...part.answer.observations);
    for (const source of part.answer.sources) sources.set(`${source.datasetId} ${source.id}`, source);
    next = part.answer.page.next_cursor;
    if (next === null) return { observations, sources: [...sources.values()] };
  }
}

/** Lines of the directory shown for the words of `find`. */
const MOST_FOUND = 30;

type Found = NonNullable<Exploration['found']>;

/** Series with these words among those of the chosen dataset, indicator and place; where they are too many, ways to fewer. */
function findSeries(
  words: string,
  { dataset, indicator, geo }: Exploration['query']['given'],
  choices: Choices,
  context: Context,
  report: Report,
): { found: Found } | { fault: ExploreFault } {
  const chosen = { dataset, indicator, geo };
  const find = (limit: number, filters: typeof chosen): { found: Found } | { fault: ExploreFault } => {
    const given = Object.entries(filters).filter(([, value]) => value !== undefined);
    const input = { query: words, limit, ...Object.fromEntries(given) };
    return read(call(series, input, context, report), (payload) => {
      const answer = payload as { series: ExploreLine[]; page: { matched: number }; limitations: string[] };
      const { series: lines, page, limitations } = answer;
      return { found: { lines, matched: page.matched, notes: limitations, fewer: null } };
    });
  };
  const answer = find(MOST_FOUND, chosen);
  if ('fault' in answer) {
    // The page has another name for the words than the API.
    const message = answer.fault.message.replace('parameter "query"', 'parameter "find"');
    return { fault: { ...answer.fault, message } };
  }
  if (answer.found.matched <= MOST_FOUND) return answer;
  const name = dataset === undefined ? 'dataset' : 'indicator';
  const listed = chosen[name] === undefined ? choices[name] : [];
  const options = listed.flatMap(([value, label]) => {
    const own = find(1, { ...chosen, [name]: value });
    return 'found' in own && own.found.matched > 0 ? [{ value, label, matched: own.found.matched }] : [];
  });
  return { found: { ...answer.found, fewer: { name, options } } };
}

/** What figures and comparisons say of datasets; nothing while the catalog cannot be read. */
export function catalogFacts(release: Release) {
  const datasets = unlessFault(
    () => readJson<{ datasets: DatasetDocument[] }>(release, CATALOG).datasets,
    (): DatasetDocument[] => [],
  );
  const indicators = datasets.flatMap((dataset) => dataset.indicators);
  const sources = datasets.flatMap((dataset) => dataset.sources);
  return {
    labels: new Map(indicators.map(({ id, label }) => [id, label])),
    /** The market of each indicator, and those of each dataset. */
    markets: new Map(indicators.map(({ id, market }) => [id, market])),
    datasets: new Map(
      datasets.map(({ id, indicators: own }) => [id, [...new Set(own.map(({ market }) => market))]]),
    ),
    /** The first limitation of each dataset. */
    boundaries: new Map(datasets.map(({ id, limitations }) => [id, limitations.slice(0, 1)])),
    /** Whether a newer file is due, by the hash of the one there is. */
    sources: new Map(sources.map(({ sha256, stale, staleAfter }) => [sha256, { stale, staleAfter }])),
    /** Sources by their ids, whichever file of them there is. */
    sourceIds: new Set(sources.map(({ id }) => id)),
  };
}

/** A source of the newest edition with what the catalog says of its age; an earlier one is never due. */
function dated(
  source: ExploreSource,
  { sources, sourceIds }: ReturnType<typeof catalogFacts>,
): ExploreSource {
  const current = sources.get(source.sha256);
  return { ...source, ...(current ?? { older: sourceIds.has(source.id) }) };
}

function clockOf(release: Release): string | null {
  return unlessFault(
    () => release.manifest().generatedAt,
    () => null,
  );
}
