/** Work of which results of earlier builds are taken, and kept for later ones: packs, their bulk forms, their differences, the database. */
import { basename, dirname, join } from 'node:path';
import { asJson, type KeptFile } from '../lib/cache.ts';
import { sha256, sha256OfPieces, type NextTree, type TreeFile } from '../lib/tree.ts';
import type { BuildEffects } from '../lib/effects.ts';
import type { Kind, Tasks, Work } from '../render/work.ts';
import type { JsonValue } from '../../shim/core/types.ts';

type Written = Pick<TreeFile, 'path' | 'sha256'>;

/** Whoever does the work, with a cache before it. */
export function cachedWork(work: Work, effects: BuildEffects, next: NextTree): Work {
  const { cache } = effects;
  return {
    close: () => work.close(),
    async do<K extends Kind>(kind: K, task: Tasks[K]['takes']): Promise<Tasks[K]['gives']> {
      const keys: { [Each in Kind]?: (given: Tasks[Each]['takes']) => string } = {
        // All that an edition is read from: its own files, and the lists of its dataset; wherever they are.
        edition: ({ folder, ...given }) =>
          cache.key('edition', basename(folder), asJson(given), inputsOf(folder, effects)),
        forms: (given) => cache.key('forms', asJson(given)),
        // An edition that is no longer the newest has the same pack elsewhere.
        compare: ({ dataset, older, newer }) =>
          cache.key(
            'compare',
            dataset,
            ...[older, newer].map(({ file, ...said }) => asJson([said, file.sha256])),
          ),
        revisions: (given) => cache.key('revisions', asJson(given)),
        // The hashes of the packs and the documents say what is in it.
        database: ({ siteUrl, manifest, documents }) =>
          cache.key('database', siteUrl, asJson([manifest, ...documents])),
      };
      await effects.turn();
      const key = keys[kind]?.(task);
      if (key === undefined) return work.do(kind, task);
      // What must be done begins before the rest is read.
      if (cache.has(key)) await effects.turn();
      const known = cache.take(key, (file) => next.has(file));
      if (known) {
        for (const file of known.files) next.place(file);
        // The border: what was kept under this key is what the task gave.
        return known.facts as unknown as Tasks[K]['gives'];
      }
      const gives = await work.do(kind, task);
      const files = writtenBy(kind, gives)?.map(({ path, sha256: hash }): KeptFile => {
        return { path, sha256: hash, file: join(next.root, path) };
      });
      if (files) cache.keep(key, files, asJson(gives));
      return gives;
    },
  };
}

/** The files that a task wrote; null where its result is not for later builds. */
function writtenBy<K extends Kind>(kind: K, given: Tasks[K]['gives']): readonly Written[] | null {
  const files: { [Each in Kind]?: (gives: Tasks[Each]['gives']) => readonly Written[] | null } = {
    edition: ({ packed }) =>
      packed && [packed.entry, packed.entry.index, ...(packed.short ? [packed.short] : [])],
    forms: (forms) => forms,
    compare: ({ part }) => [part],
    revisions: ({ entry }) => [entry, entry.index],
    database: (made) => made,
  };
  return files[kind]?.(given) ?? null;
}

/** Names and hashes of the files in a folder, and of those next to it. */
function inputsOf(folder: string, effects: BuildEffects): JsonValue {
  const hashed = (from: string, names: readonly string[]): JsonValue =>
    names.map((name) => [name, hashOf(`${from}/${name}`, effects)]);
  const parent = dirname(folder);
  const shared = effects.files(parent).filter((name) => !name.includes('/'));
  return [hashed(folder, effects.files(folder)), hashed(parent, shared)];
}

function hashOf(path: string, { read, pieces }: BuildEffects): string {
  const parts = pieces?.(path) ?? null;
  return parts === null ? sha256(read(path) ?? '') : sha256OfPieces(parts);
}
