/** The packs of the market catalog as queries need them, made once per release, and the sources and limitations of responses. */
import { datasetOf, editionsOf, indicatorsOf, sourcesIn } from './editions.ts';
import { withUnknownIndicators } from './left-out.ts';
import definitions from './operations/definitions.json' with { type: 'json' };
import { collectionOf, type Collection } from './pagination.ts';
import type { Input, JsonObject, MissingDataset, PackEntry, Release } from './types.ts';

/** The limitations of every response about observations. */
const { limitations: LIMITATIONS } = definitions['market-observations'];

/** The market catalog as queries need it: its packs as a collection, and the datasets that the release does not hold. */
export interface MarketPacks extends Collection {
  unavailable: MissingDataset[];
  /** Each pack as responses list it, by its id. */
  listed: Map<string, JsonObject>;
  /** By indicator: the current packs whose dataset has it in any edition. */
  having: Map<string, PackEntry[]>;
  /** Each source as responses list it, by `<pack id> <source id>`. */
  cited: Map<string, JsonObject>;
}

/** Reads the packs of the market catalog. */
export function marketPacks(release: Release): MarketPacks {
  const { packs } = release.manifest();
  return marketOf(
    packs.filter(({ kind }) => kind === 'observations'),
    release,
  );
}

function marketOf(packs: PackEntry[], release: Release): MarketPacks {
  const having = new Map<string, PackEntry[]>();
  for (const pack of packs)
    for (const indicator of new Set(editionsOf(release.manifest(), datasetOf(pack)).flatMap(indicatorsOf)))
      having.set(indicator, [...(having.get(indicator) ?? []), pack]);
  return {
    ...collectionOf('market-observations', packs, release),
    unavailable: release.manifest().unavailable.filter(({ kind }) => kind === 'observations'),
    listed: new Map(
      packs.map((pack) => {
        const { id, sha256, bytes, path } = pack;
        return [id, { id: datasetOf(pack), sha256, bytes, path: `/${path}` }];
      }),
    ),
    having,
    cited: new Map(
      packs.flatMap((pack) => sourcesIn(pack).map((source) => [`${pack.id} ${source.id}`, source])),
    ),
  };
}

/** The market catalog of earlier days, by the ids of its packs; there are at most as many as editions. */
const pastMarkets = (_release: Release): Map<string, MarketPacks> => new Map();

/** The market catalog of the packs of another day. */
export function pastMarket(packs: PackEntry[], release: Release): MarketPacks {
  const known = release.derive(pastMarkets);
  const key = packs.map(({ id }) => id).join(' ');
  const market = known.get(key) ?? marketOf(packs, release);
  known.set(key, market);
  return market;
}

/**
 * The datasets missing from the release that could match a query without dataset and indicator: all of them or, for a record id of
 * an unknown indicator, those whose indicators are not known.
 */
export function absentFrom({ id }: Input, current: MarketPacks): MissingDataset[] {
  if (id === undefined) return current.unavailable;
  return holdersOf(id, current).length > 0 ? [] : withUnknownIndicators(current.unavailable);
}

/** The packs that may have a record, by its id. */
export function holdersOf(id: string | number, { having }: MarketPacks): PackEntry[] {
  return having.get(indicatorOfRecord(id)) ?? [];
}

/** The indicator that the id of a record begins with. */
export function indicatorOfRecord(id: string | number): string {
  return String(id).split('.')[0] ?? '';
}

/** By pack id: the ids of the indicators and sources of the records on a page, in the order of the records. */
export type Shown = ReadonlyMap<string, { indicators: readonly string[]; sources: readonly string[] }>;

/** The sources of the records shown, once each, in the order of the records. */
export function sourcesOf(shown: Shown, { cited }: MarketPacks): JsonObject[] {
  const found: JsonObject[] = [];
  for (const [dataset, { sources }] of shown)
    for (const source of sources) {
      const known = cited.get(`${dataset} ${source}`);
      if (known) found.push(known);
    }
  return found;
}

/**
 * The limitations of a response: those of the datasets and indicators of the records shown, and the age of their sources, or of
 * all `packs` where no record is shown. The datasets `missing` could not be opened; those `absent` are not in the release.
 */
export function limitationsOf(
  shown: Shown,
  packs: PackEntry[],
  missing: string[],
  absent: MissingDataset[] = [],
): string[] {
  const all = new Set(LIMITATIONS);
  const add = (texts: unknown): void => {
    for (const text of (texts ?? []) as string[]) all.add(text);
  };
  add(missing.map((id) => `Dataset ${id} is currently unavailable; its records are not included.`));
  add(absentNotes(absent));
  for (const { id, meta } of packs) {
    const own = shown.get(id);
    if (shown.size > 0 && !own) continue;
    if (own) add(meta['limitations']);
    const byIndicator = (meta['indicatorLimitations'] ?? {}) as Record<string, string[]>;
    for (const indicator of own?.indicators ?? []) add(byIndicator[indicator]);
    add(meta['staleNotes']);
  }
  return [...all];
}

/** How not to read an indicator, in one sentence: its first limitation in an edition, or else that of the dataset. */
export function boundaryIn(edition: PackEntry | undefined, indicator: string): string | undefined {
  const { limitations = [], indicatorLimitations = {} } = (edition?.meta ?? {}) as {
    limitations?: string[];
    indicatorLimitations?: Record<string, string[]>;
  };
  return indicatorLimitations[indicator]?.[0] ?? limitations[0];
}

/** The limitation that an edition is not the current one; none of that. */
export function earlierNotes(edition: PackEntry | undefined): string[] {
  if (!edition || edition.id === datasetOf(edition)) return [];
  return (edition.meta['staleNotes'] ?? []) as string[];
}

/** A sentence for each dataset that is not in the release. */
export function absentNotes(absent: readonly MissingDataset[]): string[] {
  return absent.map(({ id, reason }) => `Dataset ${id} is not in this release. ${reason}`);
}
