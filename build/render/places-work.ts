/** The pages of places and of their rows: taken from the cache, or made by the thread that does the work. */
import type { PackEntry } from '../../shim/core/types.ts';
import { addTaken, type BuildCache } from '../lib/cache.ts';
import { sha256, type Tree } from '../lib/tree.ts';
import type { BuildEffects } from '../lib/effects.ts';
import type { SiteFacts } from './facts.ts';
import type { Evidence, Filter } from './site/evidence.ts';
import { awaitedLater } from './packs.ts';
import { placeInput, type PlaceInput } from './site/place-group.ts';
import { placesCommon } from './site/coverage.ts';
import type { Work } from './work.ts';

/** Places that are rendered in one task: enough to be worth handing over, few enough to finish soon. */
const TOGETHER = 8;

/** Adds the pages of all places to the tree: those in the cache, then those that are made now. */
export async function addPlaces(
  tree: Tree,
  facts: Pick<SiteFacts, 'evidence' | 'manifest'>,
  work: Work,
  { cache, turn }: Pick<BuildEffects, 'cache' | 'turn'>,
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
  const { evidence, manifest } = facts;
  const all = [...manifest.packs, ...(manifest.revisions ? [manifest.revisions] : [])];
  const hashes = new Map(all.map((entry) => [entry.id, textHashes(entry, evidence, cache)]));
  const added: Promise<void>[] = [];
  let missing: { key: string; input: PlaceInput }[] = [];
  for (const place of evidence.places.values()) {
    await turn();
    const hashed = placeInput(place, facts, (pack, filter) => hashes.get(pack)?.hashOf(filter) ?? '');
    const key = cache.key('place', shared, JSON.stringify(hashed));
    if (!addTaken(tree, cache, key)) missing.push({ key, input: placeInput(place, facts, evidence.text) });
    if (missing.length < TOGETHER) continue;
    added.push(awaitedLater(add(missing)));
    missing = [];
  }
  if (missing.length > 0) added.push(awaitedLater(add(missing)));
  for (const { keep } of hashes.values()) keep();
  await Promise.all(added);
}

/** The hashes of texts of a pack, kept in the cache so that most packs need not be read. */
function textHashes(
  { id, sha256: hash, index }: PackEntry,
  evidence: Evidence,
  cache: BuildCache,
): { hashOf(filter: Filter): string; keep(): void } {
  const key = cache.key('texts', hash, index.sha256);
  // Only `keep` below writes under this key, so the facts are hashes.
  const kept = cache.take(key)?.facts as Record<string, string> | undefined;
  const made: Record<string, string> = {};
  return {
    hashOf(filter) {
      const name = JSON.stringify(filter);
      return kept?.[name] ?? (made[name] ??= sha256(evidence.text(id, filter)));
    },
    keep: () => cache.keep(key, [], made),
  };
}
