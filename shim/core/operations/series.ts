/** `series`: the directory of series, found by words and filters: what each covers, and the query that gives its records. */
import definitions from './definitions.json' with { type: 'json' };
import output from '../../../schemas/series.schema.json' with { type: 'json' };
import { unknownValue } from '../absence-message.ts';
import { pagedResource } from './definitions.ts';
import { invalidParameter, quoted, unavailable } from '../faults.ts';
import { cutList, UNCOUNTED } from '../pagination.ts';
import { SERIES_INDEX } from '../paths.ts';
import { lineOf, readDirectory, rowTest } from '../series-directory.ts';
import type { DirectoryFile, DirectoryFilter } from '../series-directory.ts';
import type { Steps } from '../steps.ts';
import { MOST_WORDS, searchOf, type Found, type Search } from '../series-search.ts';
import type { Input, Release } from '../types.ts';
import { spelling } from '../words.ts';
import { absentNotes, marketPacks } from '../market-packs.ts';
import { selectedPacks } from './market-observations.ts';

const { limitations: LIMITATIONS, parameters } = definitions.series;
const QUERY_ACCEPTS = parameters.find(({ name }) => name === 'query')?.accepts ?? '';

export const series = pagedResource('series', output, {
  collection: openDirectory,
  run({ schema, query, filters, limit, cursor }, { release }) {
    const market = release.derive(marketPacks);
    selectedPacks(filters, market, release);
    const open = release.derive(openDirectory);
    const { page, rows, found } = cutList(
      { collection: open, filters, limit, cursor },
      () => find(filters, open),
      release,
    );
    const everything = filters['dataset'] === undefined && filters['indicator'] === undefined;
    const absent = everything ? market.unavailable : [];
    return {
      schema,
      status: absent.length > 0 ? 'partial' : 'available',
      query,
      page,
      series: rows.map((row) => lineOf(open.directory, row)),
      limitations: [...found.notes, ...LIMITATIONS, ...absentNotes(absent)],
    };
  },
  unavailable: (page, message) => ({ page, series: [], limitations: [message, ...LIMITATIONS, UNCOUNTED] }),
});

/** The directory of a release, with the search over it, which is made on first use. */
type OpenDirectory = ReturnType<typeof openDirectory>;

function openDirectory(release: Release) {
  const bytes = release.document(SERIES_INDEX);
  const directory = opened(bytes);
  let search: Search | null = null;
  return {
    resource: 'series',
    packs: [],
    rows: directory.rows,
    dataHash: release.sha256(`${release.derive(marketPacks).dataHash} ${release.sha256(bytes)}`).slice(0, 16),
    directory,
    /** Every row, in the fixed order. */
    all: Array.from({ length: directory.rows }, (_, row) => row),
    search: (): Search => (search ??= searchOf(directory)),
  };
}

function opened(bytes: Uint8Array): DirectoryFile {
  try {
    return readDirectory(bytes);
  } catch (cause) {
    throw unavailable('The directory of series', cause);
  }
}

/** Does what the first query in words waits for. Throws what that query would throw. */
export function* firstSearch(release: Release): Steps<void> {
  release.document(SERIES_INDEX);
  yield;
  const open = release.derive(openDirectory);
  yield;
  open.search();
  for (const [name] of open.directory.columns) {
    yield;
    open.directory.column(name);
  }
  yield;
  const [word] = open.directory.words;
  if (word !== undefined) find({ query: word }, open);
}

/** The rows that the filters select, in order. Throws invalid_request for a query without words or with too many. */
function find(filters: Input, open: OpenDirectory): Found {
  const { query } = filters;
  const isSelected = rowTest(open.directory, filterOf(filters));
  if (query === undefined) {
    const rows = Object.keys(filters).length === 0 ? open.all : open.all.filter(isSelected);
    return { rows, notes: rows.length > 0 ? [] : emptyNotes(filters, open) };
  }
  const { words } = spelling(String(query));
  if (words.length === 0 || words.length > MOST_WORDS) throw invalidParameter('query', query, QUERY_ACCEPTS);
  const { rows, notes } = open.search().find(String(query), isSelected);
  return { rows, notes: rows.length > 0 ? notes : [...notes, ...emptyNotes(filters, open)] };
}

function filterOf({ market, dataset, indicator, geo }: Input): DirectoryFilter {
  return {
    market: market?.toString(),
    dataset: dataset?.toString(),
    indicator: indicator?.toString(),
    geo: geo?.toString(),
  };
}

/** Why the filters other than the query select no series; nothing where they select some. */
function emptyNotes(filters: Input, { directory, all, search }: OpenDirectory): string[] {
  const { geo, ...others } = filterOf(filters);
  if (all.some(rowTest(directory, { ...others, geo }))) return [];
  if (geo !== undefined && !directory.geos.includes(geo)) {
    const closest = search().placesLike(geo).slice(0, 3);
    return [unknownValue(geo, 'geography code of the catalog', closest)];
  }
  const given = Object.entries(filterOf(filters)).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${quoted(value)}`],
  );
  const where = given.length === 1 ? 'in the current editions' : 'together';
  return [`There are no series of ${given.join(', ')} ${where}.`];
}
