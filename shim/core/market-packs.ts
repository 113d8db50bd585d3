/** The packs of the market catalog as queries need them, made once for a release. */
import { datasetOf, editionsOf } from './editions.ts';
import { collectionOf, type Collection } from './pagination.ts';
import type { JsonObject, MissingDataset, PackEntry, Release } from './types.ts';

/** The market catalog as queries need it: its packs as a collection, and the datasets that the release does not hold. */
export interface MarketPacks extends Collection {
  unavailable: MissingDataset[];
  /** Each pack as responses list it, by its id. */
  listed: Map<string, JsonObject>;
  /** The indicators of each pack, those of other editions of its dataset included. */
  indicators: Map<string, Set<string>>;
  /** Each source as responses name it, by the ids of its dataset and its own. */
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
  return {
    ...collectionOf('market-observations', packs, release),
    unavailable: release.manifest().unavailable.filter(({ kind }) => kind === 'observations'),
    listed: new Map(
      packs.map((pack) => {
        const { id, sha256, bytes, path } = pack;
        return [id, { id: datasetOf(pack), sha256, bytes, path: `/${path}` }];
      }),
    ),
    indicators: new Map(
      packs.map((pack) => [
        pack.id,
        new Set(editionsOf(release.manifest(), datasetOf(pack)).flatMap(indicatorsOf)),
      ]),
    ),
    cited: new Map(
      packs.flatMap(({ id, meta }) =>
        ((meta['sources'] ?? []) as JsonObject[]).map((source) => [`${id} ${String(source['id'])}`, source]),
      ),
    ),
  };
}

/** Markets of earlier editions by the ids of their packs: there are at most as many as editions and datasets. */
const pastMarkets = (_release: Release): Map<string, MarketPacks> => new Map();

/** The market of the packs of another time. */
export function pastMarket(packs: PackEntry[], release: Release): MarketPacks {
  const known = release.derive(pastMarkets);
  const key = packs.map(({ id }) => id).join(' ');
  const market = known.get(key) ?? marketOf(packs, release);
  known.set(key, market);
  return market;
}

/** Ids of the indicators of a pack. */
export function indicatorsOf(pack: PackEntry): string[] {
  return (pack.meta['indicators'] ?? []) as string[];
}
