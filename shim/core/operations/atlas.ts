/** `atlas`: country-year records of organized crime and firearms tracing, each in its source's own fields. */
import definitions from './definitions.json' with { type: 'json' };
import output from '../../../schemas/atlas.schema.json' with { type: 'json' };
import { pagedResource } from './definitions.ts';
import { Fault, notInRelease, quoted, unavailable } from '../faults.ts';
import { closestPlaces, knownValues } from '../known-values.ts';
import { periodsOf } from '../matching-runs.ts';
import { collectionOf, cutPage, UNCOUNTED, type Collection, type PageSource } from '../pagination.ts';
import { editionsWith, named, publishedPacks } from '../editions.ts';
import { selectSeries, type SeriesFilter } from '../series.ts';
import type { Context, Input, JsonObject, PackEntry, Release } from '../types.ts';

/** Both domains, in the fixed order. */
const DOMAINS = ['firearms_tracing', 'organized_crime'];

const { limitations: LIMITATIONS } = definitions.atlas;

export const atlas = pagedResource('atlas', output, {
  collection: atlasPacks,
  run({ schema, query, filters, limit, cursor }, { release, missed }) {
    const { collection, notes } = collectionFor(filters, release);
    const opened = openDomains(filters, collection.packs, { release, missed });
    if (opened.every(({ source }) => source === null)) throw unavailableDomains(opened);
    const sources = opened.flatMap(({ source }) => source ?? []);
    const isPart = sources.length < opened.length;
    const { page, records } = cutPage(
      { collection, filters: selecting(filters), sources, isPart, limit, cursor },
      release,
    );
    return {
      schema,
      status: isPart ? 'partial' : 'available',
      query,
      sources: opened.map(({ row }) => row),
      page,
      records,
      limitations: [
        ...notes,
        ...(page['matched'] === 0 ? emptyNotes(filters, opened, release) : []),
        ...LIMITATIONS,
        ...collection.packs.flatMap(({ meta }) => (meta['staleNotes'] ?? []) as string[]),
      ],
    };
  },
  unavailable: (page, message, filters) => ({
    sources: askedDomains(filters).map((domain) => missingDomain(domain, message)),
    page,
    records: [],
    limitations: [...LIMITATIONS, UNCOUNTED],
  }),
});

/** The current atlas, or the one published by the day `as_of`, and notes on domains that had no edition by then. */
function collectionFor(filters: Input, release: Release): { collection: Collection; notes: string[] } {
  const current = release.derive(atlasPacks);
  const domains = askedDomains(filters);
  const asked = current.packs.filter(({ meta }) => domains.includes(String(meta['domain'])));
  const past = publishedPacks(filters, { current: current.packs, asked }, release);
  if (!past) return { collection: current, notes: [] };
  return { collection: collectionOf('atlas', past.all, release), notes: past.notes };
}

/** The packs of the atlas, in the order of the domains. */
function atlasPacks(release: Release): Collection {
  const packs = release.manifest().packs.filter(({ kind }) => kind === 'atlas');
  return collectionOf(
    'atlas',
    DOMAINS.flatMap((domain) => packs.filter(({ meta }) => meta['domain'] === domain)),
    release,
  );
}

/** Why nothing matches: for each domain, the years it has for the country, or that it has no record of it; and the other editions that have such records. */
function emptyNotes(filters: Input, opened: OpenedDomain[], release: Release): string[] {
  const { iso3 } = filters;
  const isUnknown = iso3 !== undefined && release.derive(knownValues).isUnknown('geo', iso3);
  const closest = isUnknown ? closestPlaces(String(iso3), release) : [];
  const hint = closest.length > 0 ? ` Closest codes: ${closest.join(', ')}.` : '';
  return opened.flatMap(({ row, source }) => {
    if (!source) return [];
    const years = periodsOf([source.pack], iso3 === undefined ? {} : { iso3 });
    const place = iso3 === undefined ? 'any country' : quoted(iso3);
    return [
      years.length > 0
        ? `Domain ${String(row['domain'])} has records of ${place} for ${years.join(', ')} only.`
        : `Domain ${String(row['domain'])} has no record of ${place}.${hint}`,
      ...otherEditionsNote(filters, source.pack.entry, release),
    ];
  });
}

/** Names the other editions of a domain that have records for the filters; the one shown has none. */
function otherEditionsNote(filters: Input, shown: PackEntry, release: Release): string[] {
  const others = editionsWith(filterOf(filters), [shown], release);
  return others.length === 0
    ? []
    : [`Other editions have such records: ${named(others)}; as_of asks for them.`];
}

function filterOf({ iso3, year }: Input): SeriesFilter {
  const filter: SeriesFilter = { equal: typeof iso3 === 'string' ? { iso3 } : {} };
  if (year !== undefined) filter.from = filter.to = String(year);
  return filter;
}

/** A domain of a response: its entry in `sources`, and its matching rows where its pack can be opened. */
interface OpenedDomain {
  row: JsonObject;
  source: PageSource | null;
  cause?: unknown;
}

/** The fault of a request where none of its domains can be opened. */
function unavailableDomains(opened: OpenedDomain[]): Fault {
  const lasting = opened.flatMap(({ cause }) => (cause instanceof Fault && cause.lasting ? [cause] : []));
  if (lasting.length < opened.length) return unavailable('The requested atlas data', opened[0]?.cause);
  return new Fault('unavailable', lasting.map(({ message }) => message).join(' '), { lasting: true });
}

function openDomains(
  filters: Input,
  packs: PackEntry[],
  { release, missed }: Pick<Context, 'release' | 'missed'>,
): OpenedDomain[] {
  const filter = filterOf(filters);
  const { unavailable: missing } = release.manifest();
  return askedDomains(filters).map((domain) => {
    const entry = packs.find(({ meta }) => meta['domain'] === domain);
    try {
      const reason = missing.find((dataset) => dataset.domain === domain)?.reason;
      if (reason !== undefined) throw notInRelease(`Domain ${domain}`, reason);
      if (!entry) throw missingEntry(domain, filters, release);
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
      if (!cause.lasting) missed?.(cause);
      return { row: missingDomain(domain, cause.message), source: null, cause };
    }
  });
}

/** The Fault of a domain without a pack: the release lacks it, or it had not been published by the requested day. */
function missingEntry(domain: string, { as_of: asOf }: Input, release: Release): Fault {
  const isPackaged = release.derive(atlasPacks).packs.some(({ meta }) => meta['domain'] === domain);
  if (!isPackaged) return notInRelease(`Domain ${domain}`);
  const message = `Domain ${domain} had no edition by ${String(asOf)}. No later values are returned in its place.`;
  return new Fault('unavailable', message, { lasting: true });
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
