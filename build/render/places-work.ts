/** The pages of places and of their rows: taken from the cache, or made by whoever does the work. */
import { filesOf, type BuildCache } from '../lib/cache.ts';
import { sha256, type Tree } from '../lib/tree.ts';
import type { SiteFacts } from './facts.ts';
import { placeInput, placeKey, placesCommon, type PlaceInput } from './site/place-group.ts';
import type { Work } from './work.ts';

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
    for (const [at, pages] of (await work.do('places', { inputs, common })).entries()) {
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
    if (known) tree.add(filesOf(known));
    else missing.push({ key, input });
    if (missing.length < TOGETHER) continue;
    added.push(add(missing));
    missing = [];
  }
  if (missing.length > 0) added.push(add(missing));
  await Promise.all(added);
}
