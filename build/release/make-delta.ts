/** The delta between two whole releases. */
import { PACK_MANIFEST } from '../../shim/core/paths.ts';
import type { PackManifest } from '../../shim/core/types.ts';
import { sha256 } from '../lib/hash.ts';
import type { Delta, PackDelta } from './delta.ts';
import { MANIFEST } from '../lib/tree.ts';
import { dictionaryOf, encodeParts } from './parts.ts';
import { editionsOf, packDelta } from './record-delta.ts';
import type { WholeRelease } from './whole-release.ts';

/** Makes the delta from one release to the next. Throws an Error when their serials do not tell them apart. */
export function makeDelta(from: WholeRelease, to: WholeRelease): Delta {
  if (from.release.serial >= to.release.serial)
    throw new Error(
      `a delta leads from an older to a newer release, not from ${from.release.serial} to ${to.release.serial}; npm run release gives serials`,
    );
  const files = changedFiles(from, to);
  const records = changedPacks(from, to);
  return {
    schema: 'svc.delta.v1',
    from: { serial: from.release.serial, treeSha256: from.release.treeSha256 },
    to: {
      serial: to.release.serial,
      treeSha256: to.release.treeSha256,
      manifestSha256: sha256(to.describing.get(MANIFEST) ?? new Uint8Array()),
    },
    files,
    records,
    ...contentOf(from, to, files, records),
  };
}

function changedFiles(from: WholeRelease, to: WholeRelease): Delta['files'] {
  const was = new Map(from.release.files.map((file) => [file.path, file.sha256]));
  const is = new Map(to.release.files.map((file) => [file.path, file]));
  const files: Delta['files'] = { added: [], changed: [], removed: [], unchanged: 0 };
  for (const { path, bytes, sha256: hash } of is.values()) {
    const old = was.get(path);
    if (old === undefined) files.added.push({ path, bytes, sha256: hash });
    else if (old === hash) files.unchanged += 1;
    else files.changed.push({ path, bytes, sha256: hash, was: old });
  }
  for (const [path, hash] of was) if (!is.has(path)) files.removed.push({ path, was: hash });
  return files;
}

function changedPacks(from: WholeRelease, to: WholeRelease): PackDelta[] {
  const editions = { from: editionsOf(from.files), to: editionsOf(to.files) };
  const paths = new Map([...packsOf(from), ...packsOf(to)]);
  return [...paths]
    .map(([path, dataset]) => {
      const sides = [from.files.get(path), to.files.get(path)] as const;
      if (sides[0] && sides[1] && Buffer.compare(sides[0], sides[1]) === 0) return null;
      const [old, fresh] = sides;
      return packDelta(
        dataset,
        path,
        { bytes: old, editions: editions.from },
        { bytes: fresh, editions: editions.to },
      );
    })
    .filter((delta) => delta !== null);
}

/** Every other changed file as parts of: itself as it was, the file before it in the same folder, the new packs. */
function contentOf(
  from: WholeRelease,
  to: WholeRelease,
  files: Delta['files'],
  records: PackDelta[],
): Pick<Delta, 'sources' | 'content'> {
  const sources: Delta['sources'] = [];
  const numbered = (release: 'from' | 'to', path: string): number => {
    const known = sources.findIndex((source) => source.release === release && source.path === path);
    return known === -1 ? sources.push({ release, path }) - 1 : known;
  };
  const packs = [...packsOf(to).keys()].filter((path) => to.files.has(path));
  const shared = dictionaryOf(
    new Map(packs.map((path) => [numbered('to', path), to.files.get(path) ?? new Uint8Array()])),
  );
  const rebuilt = new Set(records.map(({ path }) => path));
  const paths = [...files.added, ...files.changed]
    .map(({ path }) => path)
    .filter((path) => !rebuilt.has(path));
  let last = '';
  const content = [...paths.sort(), ...to.describing.keys()].map((path) => {
    const own = new Map<number, Uint8Array>();
    const old = from.files.get(path) ?? from.describing.get(path);
    if (old) own.set(numbered('from', path), old);
    const before = to.files.get(last);
    if (before && folderOf(last) === folderOf(path)) own.set(numbered('to', last), before);
    last = path;
    const target = to.files.get(path) ?? to.describing.get(path) ?? new Uint8Array();
    return { path, parts: encodeParts(target, [dictionaryOf(own), shared]) };
  });
  return { sources, content };
}

function packsOf({ files }: WholeRelease): Map<string, string> {
  const bytes = files.get(PACK_MANIFEST);
  if (!bytes) return new Map();
  const { packs } = JSON.parse(new TextDecoder().decode(bytes)) as PackManifest;
  return new Map(packs.map(({ path, id }) => [path, id]));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
