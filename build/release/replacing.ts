/**
 * What a build replaces only when that is meant: a published site by an empty one, by a much smaller one, or a signed one by
 * an unsigned one. Each is an accident far more often than an intention, so each has a flag of its own. And what stays when a
 * release is built again.
 */
import { jsonIn } from '../../shim/core/json.ts';
import { PACK_MANIFEST, RELEASE, isUnlistedPath } from '../../shim/core/paths.ts';
import type { MissingDataset, PackManifest } from '../../shim/core/types.ts';
import { type Artifact, type Tree } from '../lib/tree.ts';
import type { BuildEffects } from '../lib/effects.ts';
import type { Release } from './manifest.ts';

/** What a caller of the build means to do. */
export interface Meant {
  allowEmpty?: boolean;
  allowSmaller?: boolean;
  allowUnsigned?: boolean;
}

/** The share of its records or files that a release may lose without a word. */
const TENTH = 0.1;

/** Nothing was written, since it may not be what was meant; the message says what to pass if it was. */
export class NotReplaced extends Error {
  override name = 'NotReplaced';
}

/** Refuses a folder without any dataset that can be published. Throws NotReplaced. */
export function refuseEmpty(folder: string, kept: readonly unknown[], { allowEmpty = false }: Meant): void {
  if (kept.length === 0 && !allowEmpty)
    throw new NotReplaced(
      `${folder} holds no dataset that can be published; nothing was written. ` +
        'Look for a typing error in --datasets or --rights. To publish a site without data, add --allow-empty.',
    );
}

/** Refuses an unsigned release in place of a signed one. Throws NotReplaced. */
export function refuseUnsigned(
  out: string,
  signed: boolean,
  effects: BuildEffects,
  { allowUnsigned = false }: Meant,
): void {
  const last = published<Release>(effects, `${out}/${RELEASE}`);
  if (last?.signature && !signed && !allowUnsigned)
    throw new NotReplaced(
      `The release in ${out} is signed and SIGNING_KEY is not set; nothing was written. ` +
        'Set SIGNING_KEY. To replace it by an unsigned release, add --allow-unsigned.',
    );
}

/**
 * Refuses a release that loses more than a tenth of the records of a dataset, or of all files. Datasets left out for their
 * rights were named by the caller and do not count. Throws NotReplaced with one line for each loss.
 */
export function refuseSmaller(
  out: string,
  next: { tree: Tree; manifest: PackManifest; leftOut: readonly MissingDataset[] },
  effects: BuildEffects,
  { allowSmaller = false }: Meant,
): void {
  if (allowSmaller) return;
  const rows = new Map(next.manifest.packs.map((pack) => [pack.id, pack.rows]));
  const meant = new Set(next.leftOut.map(({ id }) => id));
  const packs = published<PackManifest>(effects, `${out}/${PACK_MANIFEST}`)?.packs ?? [];
  const counts = packs
    .filter(({ id }) => !meant.has(id))
    .map((pack) => ({ what: `records of ${pack.id}`, before: pack.rows, after: rows.get(pack.id) ?? 0 }));
  const files = published<Release>(effects, `${out}/${RELEASE}`)?.files.length ?? 0;
  // Only published files: sidecars and the manifest describe them.
  const after = next.tree.size;
  if (meant.size === 0) counts.push({ what: 'files', before: files, after });
  const lost = counts.filter((count) => count.after < count.before * (1 - TENTH));
  if (lost.length === 0) return;
  const lines = lost.map((count) => `  ${count.what}: ${count.before} before, ${count.after} now`);
  throw new NotReplaced(
    `The new release would lose more than a tenth of what ${out} holds; nothing was written.\n` +
      `${lines.join('\n')}\nTo publish it all the same, add --allow-smaller.`,
  );
}

/**
 * What is published about the release in place without being in its list: deltas, the statement of provenance, their sidecars. Of a tree
 * that is the same release, which it is about too; nothing where it is another.
 */
export function* publishedAbout(out: string, tree: Tree, effects: BuildEffects): Generator<Artifact> {
  if (!effects.read(`${out}/${RELEASE}`)?.equals(tree.read(RELEASE))) return;
  for (const path of effects.files(out)) {
    if (tree.has(path) || !isUnlistedPath(path.replace(/\.sha256$/, ''))) continue;
    const bytes = effects.read(`${out}/${path}`);
    if (bytes) yield { path, bytes };
  }
}

/** A document of the release in place; null where there is none, or none that can be read: the build restores it. */
function published<Document>(effects: BuildEffects, path: string): Document | null {
  return (jsonIn(String(effects.read(path) ?? '')) ?? null) as Document | null;
}
