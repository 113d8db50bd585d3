/**
 * What the explorer shows for an address, as data: the response of market-observations or its error, all records of a figure, and
 * what its form may hold. Made by the service, and on a copy of the files by the browser itself; drawn by shim/view/explore.ts.
 */
import { readJson } from './json.ts';
import { callNow, readQuery, type Report, type Result } from './call.ts';
import { payloadBytes } from './envelope.ts';
import type {
  Choices,
  ExploreAnswer,
  ExploreFault,
  ExploreLine,
  ExploreSource,
  Exploration,
} from './explore-answer.ts';
import { datasetOf, newestWith, openPack } from './editions.ts';
import { choicesOf, placesByName } from './explore-choices.ts';
import { MOST_DRAWN, readExplore, type ViewName } from './explore-query.ts';
import { Fault, unlessFault } from './faults.ts';
import { catalogOf, knownValues } from './known-values.ts';
import { boundaryIn, earlierNotes, marketPacks } from './market-packs.ts';
import { marketObservations } from './operations/market-observations.ts';
import { series } from './operations/series.ts';
import { datasetDocumentPath } from './paths.ts';
import { ELSEWHERE } from './related.ts';
import type { DatasetDocument, Observation } from './records.ts';
import { readSeries } from './series.ts';
import type { Steps } from './steps.ts';
import type { Context, PackEntry, Release } from './types.ts';

/** Makes what every answer is made of beside records, in the order in which one is made of the other; each once for a release. */
export function* firstFacts(release: Release): Steps<void> {
  for (const make of [catalogOf, catalogFacts, knownValues, placesByName]) {
    release.derive<object>(make);
    yield;
  }
  for (const { id } of release.derive(marketPacks).packs) {
    for (const pack of openPack(release, id)) pack.derive(readSeries);
    yield;
  }
}

/** Answers an address of a page that offers these views, all unless stated. Only unexpected errors are thrown. */
export function explore(
  address: string,
  context: Context,
  report: Report,
  offered?: readonly ViewName[],
): Exploration {
  const query = readExplore(address, offered);
  const { release } = context;
  const catalog = release.derive(catalogFacts);
  const asks = query.search !== '' || query.find === null;
  const { value: answer, fault } = !asks
    ? UNASKED
    : catalog.fault
      ? failed(catalog.fault)
      : answerOf(query.search, context, report);
  const all = answer ? allOf(query.search, answer, context, report) : null;
  const shown = all?.observations ?? answer?.observations ?? [];
  const editions = answer ? editionsIn(answer, release) : new Map<string, PackEntry>();
  const sources = all?.sources ?? answer?.sources ?? [];
  const choices = choicesOf(query.given, context);
  const { indicator } = query.given;
  const indicators = indicator === undefined ? shown.map(({ indicatorId }) => indicatorId) : [indicator];
  const lookup =
    query.find === null ? UNASKED : findSeries(query.find, query.given, choices, context, report);
  return {
    query,
    fault,
    answer: answer && { ...answer, sources: sources.map((source) => dated(source, catalog)) },
    all: all !== null && all === answer ? 'page' : (all?.observations ?? null),
    beside: answer?.limitations.filter((sentence) => sentence.startsWith(ELSEWHERE)) ?? [],
    earlier: [...new Set(shown.map(({ datasetId }) => datasetId))].flatMap((id) =>
      earlierNotes(editions.get(id)),
    ),
    choices,
    indicators: Object.fromEntries(
      [...new Set(indicators)].map((id) => [id, catalog.labels.get(id) ?? labelOfEarlier(id, release)]),
    ),
    boundaries: Object.fromEntries(
      shown.map(({ datasetId, indicatorId }) => [
        indicatorId,
        boundaryIn(editions.get(datasetId), indicatorId),
      ]),
    ),
    found: lookup.value,
    findFault: lookup.fault,
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
    earlier: [],
    choices: choicesOf({}, context),
    indicators: {},
    boundaries: {},
    found: null,
    findFault: null,
    generatedAt: clockOf(context.release),
  };
}

/** What was found, or the error in its place. */
type Read<T> = { value: T; fault: null } | { value: null; fault: ExploreFault };

/** The result of a part that the query does not need. */
const UNASKED = { value: null, fault: null };

function answerOf(search: string, context: Context, report: Report): Read<ExploreAnswer> {
  return read(callNow(marketObservations, () => readQuery(marketObservations, search), context, report));
}

/** A result as plain data, whose type the caller knows: records are bytes until here. */
function read<T>(result: Result): Read<T> {
  if (!result.ok) return failed(result.fault);
  return { value: JSON.parse(new TextDecoder().decode(payloadBytes(result.payload))) as T, fault: null };
}

function failed({ code, message, lasting, retryAfter }: Fault): Read<never> {
  return { value: null, fault: { code, message, lasting, retryAfter } };
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
    const { value: part } = answerOf(`?${query}`, context, report);
    if (!part) return null;
    observations.push(...part.observations);
    for (const source of part.sources) sources.set(`${source.datasetId} ${source.id}`, source);
    next = part.page.next_cursor;
    if (next === null) return { observations, sources: [...sources.values()] };
  }
}

/** Lines of the directory shown for the words of `find`. */
const MOST_FOUND = 30;

/** The response of series, as far as the page reads it. */
interface SeriesAnswer {
  series: ExploreLine[];
  page: { matched: number };
  limitations: string[];
}

/** Series with these words among those of the chosen dataset, indicator and place; where they are too many, ways to fewer. */
function findSeries(
  words: string,
  { dataset, indicator, geo }: Exploration['query']['given'],
  choices: Choices,
  context: Context,
  report: Report,
): Read<NonNullable<Exploration['found']>> {
  const chosen = { dataset, indicator, geo };
  const find = (limit: number, filters: typeof chosen): Read<SeriesAnswer> => {
    const given = Object.entries(filters).filter(([, value]) => value !== undefined);
    return read(callNow(series, { query: words, limit, ...Object.fromEntries(given) }, context, report));
  };
  const { value: answer, fault } = find(MOST_FOUND, chosen);
  if (!answer) {
    // The page has another name for the words than the API.
    const message = fault.message.replace('parameter "query"', 'parameter "find"');
    return { value: null, fault: { ...fault, message } };
  }
  const { series: lines, page, limitations: notes } = answer;
  const found = { lines, matched: page.matched, notes, fewer: null };
  if (found.matched <= MOST_FOUND) return { value: found, fault };
  const name = dataset === undefined ? 'dataset' : 'indicator';
  const listed = chosen[name] === undefined ? choices[name] : [];
  const options = listed.flatMap(([value, label]) => {
    const matched = find(1, { ...chosen, [name]: value }).value?.page.matched ?? 0;
    return matched > 0 ? [{ value, label, matched }] : [];
  });
  return { value: { ...found, fewer: { name, options } }, fault };
}

/**
 * What figures and comparisons say of datasets. Where the catalog cannot be read, `fault` says why, and nothing is drawn: what a
 * figure is called, and what may not be compared, is in it.
 */
export function catalogFacts(release: Release) {
  const { datasets, fault } = release.derive(catalogOf);
  const indicators = datasets.flatMap((dataset) => dataset.indicators);
  const sources = datasets.flatMap((dataset) => dataset.sources);
  return {
    fault,
    labels: new Map(indicators.map(({ id, label }) => [id, label])),
    /** The market of each indicator, and those of each dataset. */
    markets: new Map(indicators.map(({ id, market }) => [id, market])),
    datasets: new Map(
      datasets.map(({ id, indicators: own }) => [id, [...new Set(own.map(({ market }) => market))]]),
    ),
    /** Whether a newer file is due, by the hash of the one there is. */
    sources: new Map(sources.map(({ sha256, stale, staleAfter }) => [sha256, { stale, staleAfter }])),
    /** Sources by their ids, whichever file of them there is. */
    sourceIds: new Set(sources.map(({ id }) => id)),
  };
}

function editionsIn({ datasets }: ExploreAnswer, release: Release): Map<string, PackEntry> {
  const { packs, editions } = release.manifest();
  const paths = new Set(datasets.map((dataset) => dataset?.path));
  const answered = [...packs, ...editions].filter(({ path }) => paths.has(`/${path}`));
  return new Map(answered.map((pack) => [datasetOf(pack), pack]));
}

/** The label of an indicator that left the catalog, in the newest edition that has it; its id where that cannot be read. */
function labelOfEarlier(id: string, release: Release): string {
  return unlessFault(() => {
    const pack = newestWith(id, release.manifest());
    const document = pack && readJson<DatasetDocument>(release, datasetDocumentPath(pack.id));
    return document?.indicators.find((one) => one.id === id)?.label ?? id;
  }, id);
}

/** A source of the newest edition with what the catalog says of its age; an earlier one is never due. */
function dated(
  source: ExploreSource,
  { sources, sourceIds }: ReturnType<typeof catalogFacts>,
): ExploreSource {
  const current = sources.get(source.sha256);
  return { ...source, ...(current ?? { older: sourceIds.has(source.id) }) };
}

/** When the data of a release was made; null where its manifest cannot be read. */
export function clockOf(release: Release): string | null {
  return unlessFault(() => release.manifest().generatedAt, null);
}
