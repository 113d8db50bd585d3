/**
 * The work that takes longest and needs nothing of the rest of the build: bulk forms of packs, and the pages of places and rows.
 * It is done here and now, or by a second thread (build/write/second-thread.ts): the bytes are the same.
 */
import type { BuildCache } from '../lib/cache.ts';
import { sha256, type Artifact, type Tree } from '../lib/tree.ts';
import type { PackedOf } from '../pack/pack.ts';
import type { Packed } from '../pack/pack-file.ts';
import { formsOf, type Forms } from './bulk/bulk.ts';
import type { SiteFacts } from './facts.ts';
import { pagesOfPlace, placeInput, placeKey, placesCommon } from './site/place-group.ts';
import type { PlaceInput, PlacesCommon } from './site/place-group.ts';

/** Who does that work. */
export interface Work {
  /** The bulk forms of a pack. */
  bulk(of: PackedOf, pack: Packed): Promise<Forms>;
  /** The pages of each of these places, and of its rows. */
  places(inputs: readonly PlaceInput[], common: PlacesCommon): Promise<Artifact[][]>;
  close(): void;
}

/** Does it here and now. */
export const ownWork: Work = {
  bulk: async (of, pack) => formsOf(of, pack),
  places: async (inputs, common) => inputs.map((input) => pagesOfPlace(input, common)),
  close: () => undefined,
};

/** Places that are rendered together: enough to be worth handing over, few enough to be soon done. */
const TOGETHER = 8;

/** Adds the pages of all places to the tree: those in the cache, then those that are made now. */
export async function addPlaces(
  tree: Tree,
  facts: Pick<SiteFacts, 'evidence' | 'manifest'>,
  work: Work,
  cache: BuildCache,
): Promise<void> {
  const common = placesCommon(facts);
  const shared = sha256(JSON.stringify(common));
  const add = async (missing: readonly { key: string; input: PlaceInput }[]): Promise<void> => {
    const inputs = missing.map(({ input }) => input);
    for (const [at, pages] of (await work.places(inputs, common)).entries()) {
      tree.add(pages);
      cache.keep(missing[at]?.key ?? '', pages);
    }
  };
  const added: Promise<void>[] = [];
  let missing: { key: string; input: PlaceInput }[] = [];
  for (const place of facts.evidence.places.values()) {
    const input = placeInput(place, facts);
    const key = placeKey(cache, shared, input);
    const known = cache.take(key);
    if (known) tree.add(known.files.map((file) => ({ ...file, bytes: file.bytes() })));
    else missing.push({ key, input });
    if (missing.length < TOGETHER) continue;
    added.push(add(missing));
    missing = [];
  }
  if (missing.length > 0) added.push(add(missing));
  await Promise.all(added);
}
