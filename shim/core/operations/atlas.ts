/** `atlas`: country-year records of organized crime and firearms tracing, each in its source's own fields. */
import output from '../../../schemas/atlas.schema.json' with { type: 'json' };
import { Fault, unavailable } from '../faults.ts';
import {
  choiceParameter,
  cursorParameter,
  limitParameter,
  type Input,
  type Operation,
} from '../operation.ts';
import {
  collectionOf,
  cutPage,
  emptyPage,
  pageInputs,
  splitInput,
  UNCOUNTED,
  type Collection,
  type PageSource,
} from '../pagination.ts';
import { derive } from '../release.ts';
import { selectSeries, type SeriesFilter } from '../series.ts';
import type { JsonObject, PackEntry, Release } from '../types.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
/** Both domains, in the fixed order. */
const DOMAINS = ['firearms_tracing', 'organized_crime'];

const LIMITATIONS = [
  'null means unavailable, never zero; a 0 is a zero the source printed.',
  'The two domains are separate sources: no value is combined, ranked or compared across them.',
  'Organized-crime scores are expert assessments on a scale of 1 to 10 for 2021, 2023 and 2025 only; nothing is carried forward to other years.',
  'Firearms-tracing counts are what countries reported; breakdowns overlap and are never summed, and they are not SDG indicator 16.4.2.',
];

export const atlas: Operation = {
  name: 'atlas',
  tool: 'get_atlas',
  summary:
    'Country-year atlas: organized-crime index scores (2021, 2023, 2025; scale 1 to 10) and firearms-tracing counts reported by countries, in the fields of each source. null is unavailable (meta.unavailable_fields lists them), 0 an observed zero. Filter by domain, iso3, year; page with page.next_cursor. Do not rank, combine or sum domains, and infer no cause or culpability.',
  parameters: [
    choiceParameter('domain', 'Which source.', ['all', ...DOMAINS], 'all'),
    {
      name: 'iso3',
      description: 'ISO 3166-1 alpha-3 country code.',
      accepts: 'three capital letters, such as MEX',
      schema: { type: 'string', pattern: '^[A-Z]{3}$' },
    },
    {
      name: 'year',
      description: 'Year of the record.',
      accepts: 'a year from 1900 to 2200',
      schema: { type: 'integer', minimum: 1900, maximum: 2200 },
    },
    limitParameter(DEFAULT_LIMIT, MAX_LIMIT),
    cursorParameter(),
  ],
  output,
  freshness: 'data',
  run(input, { store }) {
    const { filters, limit, cursor } = splitInput(input, DEFAULT_LIMIT);
    const collection = atlasPacks(store);
    const opened = openDomains(filters, collection.packs, store);
    if (opened.every(({ source }) => source === null))
      throw unavailable('The requested atlas data', opened[0]?.cause);
    const sources = opened.flatMap(({ source }) => source ?? []);
    const { page, records } = cutPage(
      { collection, filters: selecting(filters), sources, limit, cursor },
      store,
    );
    return {
      schema: 'svc.api.atlas.v1',
      status: sources.length < opened.length ? 'partial' : 'available',
      query: queryOf(filters),
      sources: opened.map(({ row }) => row),
      page,
      records,
      limitations: [
        ...LIMITATIONS,
        ...collection.packs.flatMap(({ meta }) => (meta['staleNotes'] ?? []) as string[]),
      ],
    };
  },
  unavailable(input, _context, message) {
    const { filters, limit } = splitInput(input, DEFAULT_LIMIT);
    return {
      schema: 'svc.api.atlas.v1',
      status: 'unavailable',
      query: queryOf(filters),
      sources: askedDomains(filters).map((domain) => missingDomain(domain, message)),
      page: emptyPage(limit),
      records: [],
      limitations: [...LIMITATIONS, UNCOUNTED],
    };
  },
  prerender: ({ store }) => pageInputs(atlasPacks(store), DEFAULT_LIMIT, store),
};

/** The packs of the atlas, in the order of the domains. */
function atlasPacks(release: Release): Collection {
  return derive(release, readAtlasPacks);
}

function readAtlasPacks(release: Release): Collection {
  const packs = release.manifest().packs.filter(({ kind }) => kind === 'atlas');
  return collectionOf(
    'atlas',
    DOMAINS.flatMap((domain) => packs.filter(({ meta }) => meta['domain'] === domain)),
    release,
  );
}

/** What a domain contributes: its row of `sources`, and its rows where it can be opened. */
interface OpenedDomain {
  row: JsonObject;
  source: PageSource | null;
  cause?: unknown;
}

function openDomains(filters: Input, packs: PackEntry[], release: Release): OpenedDomain[] {
  const filter: SeriesFilter = {
    equal: typeof filters['iso3'] === 'string' ? { iso3: filters['iso3'] } : {},
  };
  if (filters['year'] !== undefined) filter.from = filter.to = String(filters['year']);
  return askedDomains(filters).map((domain) => {
    const entry = packs.find(({ meta }) => meta['domain'] === domain);
    try {
      if (!entry) throw unavailable(`Domain ${domain}`);
      const pack = release.pack(entry.id);
      const row = {
        domain,
        status: 'available',
        record_count: entry.rows,
        metadata: entry.meta['metadata'] ?? null,
        error: null,
      };
      return { row, source: { pack, ...selectSeries(pack, filter) } };
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause;
      return { row: missingDomain(domain, cause.message), source: null, cause };
    }
  });
}

function missingDomain(domain: string, message: string): JsonObject {
  return {
    domain,
    status: 'unavailable',
    record_count: null,
    metadata: null,
    error: { code: 'unavailable', message },
  };
}

function askedDomains({ domain }: Input): string[] {
  return domain === undefined || domain === 'all' ? DOMAINS : [String(domain)];
}

/** `domain=all` is the absence of a filter: both spellings page with the same cursors. */
function selecting({ domain, ...others }: Input): Input {
  return domain === undefined || domain === 'all' ? others : { domain, ...others };
}

function queryOf(filters: Input): JsonObject {
  return { domain: filters['domain'] ?? 'all', iso3: filters['iso3'] ?? null, year: filters['year'] ?? null };
}
