/** `market-observations`: granular cells of the market datasets, filtered and paged, each with its source and locator. */
import definitions from './definitions.json' with { type: 'json' };
import output from '../../../schemas/market-observations.schema.json' with { type: 'json' };
import { absenceOf } from '../absence.ts';
import { absenceOfRecord } from '../record-absence.ts';
import { sharedList } from '../envelope.ts';
import { requireDataset, requireIndicator } from '../left-out.ts';
import { pagedResource } from './definitions.ts';
import { expectedId } from '../expected-id.ts';
import { Fault, invalidParameter, notInRelease, quoted, unavailable } from '../faults.ts';
import { cutPage, UNCOUNTED, type CutRows, type PageSource } from '../pagination.ts';
import { elsewhereNotes } from '../related.ts';
import {
  absentFrom,
  indicatorOfRecord,
  limitationsOf,
  marketPacks,
  pastMarket,
  sourcesOf,
  type MarketPacks,
  type Shown,
} from '../market-packs.ts';
import { datasetOf, filterOfRecord, indicatorsOf, publishedPacks, rowOfRecord } from '../editions.ts';
import { rowTexts, type RowTexts } from '../row-texts.ts';
import { readSeries, selectSeries, seriesFilter } from '../series.ts';
import type { Context, Input, MissingDataset, Pack, PackEntry, Release, SharedList } from '../types.ts';

const { limitations: LIMITATIONS } = definitions['market-observations'];

export const marketObservations = pagedResource('market-observations', output, {
  collection: marketPacks,
  run({ schema, query, filters, limit, cursor }, { release, missed }) {
    const current = release.derive(marketPacks);
    const asked = selectedPacks(filters, current, release);
    const isPast = filters['as_of'] !== undefined || filters['id'] !== undefined;
    const past = isPast ? publishedPacks(filters, { current: current.packs, asked }, release) : null;
    const collection = past ? pastMarket(past.all, release) : current;
    const { packs, notes } = past ?? { packs: asked, notes: [] };
    const { sources, missing } = openSources(filters, packs, { release, missed });
    const isPart = missing.length > 0;
    const { page, records, cut } = cutPage({ collection, filters, sources, isPart, limit, cursor }, release);
    if (current.packs.length === 0)
      throw notInRelease('Market data', 'The release holds none of the market datasets.');
    const everything = filters['dataset'] === undefined && filters['indicator'] === undefined;
    const absent = everything ? absentFrom(filters, current) : [];
    const opened = sources.map(({ pack }) => pack);
    const isEmpty = page['matched'] === 0;
    const elsewhere = !isEmpty && isPartOfPlace(filters) ? elsewhereNotes(filters, opened) : [];
    const lists = listsOf({ cut, packs, missing, absent, collection }, release);
    return {
      schema,
      status: missing.length + absent.length > 0 ? 'partial' : 'available',
      query,
      datasets: lists.datasets,
      page,
      observations: records,
      sources: lists.sources,
      absence: isEmpty
        ? filters['id'] === undefined
          ? absenceOf({
              filters,
              packs: opened,
              asked,
              all: collection.packs,
              unavailable: [...missing, ...absent.map(({ id }) => id)],
              release,
              missed,
            })
          : absenceOfRecord(filters, current, absent, { release, missed })
        : null,
      limitations:
        notes.length + elsewhere.length === 0
          ? lists.limitations
          : [...notes, ...lists.limitations, ...elsewhere],
    };
  },
  unavailable: (page, message) => ({
    datasets: [],
    page,
    observations: [],
    sources: [],
    absence: null,
    limitations: [message, ...LIMITATIONS, UNCOUNTED],
  }),
});

/** Whether a query selects some of the labels that a dataset or indicator has in one place. */
function isPartOfPlace({ dataset, indicator, geo, category, subgroup }: Input): boolean {
  const isNarrow = geo !== undefined && (dataset !== undefined || indicator !== undefined);
  return isNarrow && (category !== undefined || subgroup !== undefined);
}

/**
 * The packs that the filters select. Throws invalid_request for a period that ends before it begins and for an unknown dataset
 * or indicator, unavailable for a dataset that is not in the release, also where its indicator or the id of a record names it.
 */
export function selectedPacks(filters: Input, market: MarketPacks, release: Release): PackEntry[] {
  const { dataset, indicator, id: record, from, to } = filters;
  if (
    typeof from === 'string' &&
    typeof to === 'string' &&
    from.slice(0, to.length) > to.slice(0, from.length)
  )
    throw new Fault(
      'invalid_request',
      `Invalid value ${quoted(from)} for parameter "from": it must not be later than "to" (${quoted(to)}).`,
    );
  const { packs } = market;
  const named = dataset === undefined ? packs : packs.filter(({ id }) => id === dataset);
  if (named.length === 0 && dataset !== undefined) {
    requireDataset(dataset, release.manifest());
    const ids = packs.map(({ id }) => id);
    throw invalidParameter('dataset', dataset, expectedId('dataset', filters, release, ids));
  }
  const wanted = indicator ?? (record === undefined ? undefined : indicatorOfRecord(record));
  if (wanted === undefined) return named;
  const having = market.having.get(String(wanted)) ?? [];
  if (having.length === 0) requireIndicator(wanted, release.manifest());
  if (indicator !== undefined && having.length === 0)
    throw invalidParameter(
      'indicator',
      indicator,
      expectedId('indicator', filters, release, packs.flatMap(indicatorsOf)),
    );
  return named === packs ? having : named.filter((pack) => having.includes(pack));
}

/** The lists of a response that depend only on its packs and on the indicators and sources of its records. */
type Lists = Record<'datasets' | 'sources' | 'limitations', SharedList>;

/** The lists made so far, by everything that decides them. */
const knownLists = (_release: Release): Map<string, Lists> => new Map();
/** The cache holds the lists of at most this many combinations; then it starts again. */
const MOST_LISTS = 500;

/** Everything that decides the lists of a response; the datasets `missing` could not be opened, those `absent` are not in the release. */
interface Said {
  cut: readonly CutRows[];
  packs: PackEntry[];
  missing: string[];
  absent: MissingDataset[];
  collection: MarketPacks;
}

function listsOf({ cut, packs, missing, absent, collection }: Said, release: Release): Lists {
  const shown = shownOn(cut);
  const known = release.derive(knownLists);
  const isAll = packs.length === collection.packs.length;
  let key = isAll ? collection.dataHash : packs.map(({ id }) => id).join();
  key += ` ${missing.join()} ${absent.length}`;
  for (const [id, { indicators, sources }] of shown) key += ` ${id} ${indicators.join()} ${sources.join()}`;
  const found = known.get(key);
  if (found) return found;
  const made = {
    datasets: sharedList(
      packs.map(({ id }) => collection.listed.get(id) ?? null),
      release,
    ),
    sources: sharedList(sourcesOf(shown, collection), release),
    limitations: sharedList(limitationsOf(shown, packs, missing, absent), release),
  };
  if (known.size >= MOST_LISTS) known.clear();
  known.set(key, made);
  return made;
}

function shownOn(cut: readonly CutRows[]): Shown {
  return new Map(cut.map((rows) => [rows.pack.entry.id, shownOf(rows)]));
}

function shownOf({ pack, ranges }: CutRows): { indicators: string[]; sources: string[] } {
  const known = pack.derive(indicatorRows);
  const indicators: string[] = [];
  const sources = new Set<string>();
  let at = 0;
  for (const [from, to] of ranges) {
    for (let row = from; row < to;) {
      while ((known[at]?.end ?? to) <= row) at += 1;
      const { name = '', end = to, only = null } = known[at] ?? {};
      const isNext = indicators.at(-1) !== name;
      if (isNext) indicators.push(name);
      const next = Math.min(to, end);
      if (only === null) addSources(pack, row, next, sources);
      else if (isNext) sources.add(only);
      row = next;
    }
  }
  return { indicators, sources: [...sources] };
}

/** The indicators of a pack in the order of its rows: where the rows of each end, and its source where it has only one. */
function indicatorRows(pack: Pack): { name: string; end: number; only: string | null }[] {
  const { dims, groups, row, rows } = pack.derive(readSeries);
  const sources = (pack.entry.meta['indicatorSources'] ?? {}) as Record<string, string[]>;
  return (dims[0]?.values ?? []).map((name, id) => {
    const [first, ...others] = sources[name] ?? [];
    return {
      name,
      end: row[groups[id]?.[1] ?? 0] ?? rows,
      only: others.length === 0 ? (first ?? null) : null,
    };
  });
}

const rowSources = (pack: Pack): RowTexts => rowTexts(pack);

function addSources(pack: Pack, from: number, to: number, sources: Set<string>): void {
  const known = pack.derive(rowSources);
  let last: string | undefined;
  for (let row = from; row < to; row += 1) {
    if (known.get(row) === undefined)
      for (const [at, id] of sourceIdsIn(pack.copy(row, to)).entries()) known.set(row + at, id);
    const source = known.get(row);
    if (source !== undefined && source !== last) sources.add(source);
    last = source;
  }
}

/** Source ids, without parsing the records: quotation marks inside a JSON string are escaped, so no text can look like this member. */
function sourceIdsIn(records: readonly Uint8Array[]): string[] {
  return records.flatMap((bytes) =>
    [...new TextDecoder().decode(bytes).matchAll(/"sourceId":"([^"]*)"/g)].map(([, id = '']) => id),
  );
}

function openSources(
  filters: Input,
  packs: PackEntry[],
  { release, missed }: Pick<Context, 'release' | 'missed'>,
): { sources: PageSource[]; missing: string[] } {
  const sources: PageSource[] = [];
  const missing: string[] = [];
  let damage: unknown = null;
  const id = filters['id']?.toString();
  const filter = id === undefined ? seriesFilter(filters) : filterOfRecord(id, seriesFilter(filters));
  if (filter === null) return { sources, missing };
  // What a response says beside its records is read from the whole pack.
  const values = id === undefined && !isPartOfPlace(filters) ? filter.equal : undefined;
  for (const entry of packs) {
    try {
      let pack = release.pack(entry.id, values);
      let found = selectSeries(pack, filter);
      if (found.matched === 0 && pack !== release.pack(entry.id)) {
        pack = release.pack(entry.id);
        found = selectSeries(pack, filter);
      }
      const { matched, rows } = id === undefined ? found : rowOfRecord(pack, found, id);
      sources.push({ pack, matched, rows });
    } catch (error) {
      // Only evidence that cannot be given is missing; anything else is our own failure and must not look like a gap.
      if (!(error instanceof Fault)) throw error;
      missed?.(error);
      damage = error;
      missing.push(datasetOf(entry));
    }
  }
  if (packs.length > 0 && sources.length === 0)
    throw unavailable(packs.length === 1 ? `Dataset ${missing.join(', ')}` : 'All requested data', damage);
  return { sources, missing };
}
