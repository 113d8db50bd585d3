/** A server that starts answers before its packs are checked whole: of each it gives what is checked, and none once it is found damaged. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PACK_MANIFEST, sidecarPath, SUMS } from '../../shim/core/paths.ts';
import { openReleases, type Releases } from '../../shim/store/release.ts';
import { sumsOf, type Sums } from '../../shim/store/sums.ts';
import { builtTree, copyOfTree, treeFile, treeText, flipBit, writeWithSidecar } from '../_support/tree.ts';

describe('[RUNTIME] packs that are checked in steps while the server answers', () => {
  const file = 'data/border-drug-seizures.ndjson';
  const id = 'border-drug-seizures';
  const starting = (root: string): Releases => openReleases(root, () => 0, undefined, true);
  const original = treeFile(file);
  const firstLine = original.subarray(0, original.indexOf('\n')).toString();
  const firstRow = (releases: Releases): string =>
    Buffer.concat(releases.current().pack(id).copy(0, 1)).toString();

  test('are the ones that requests get', () => {
    const releases = starting(copyOfTree());
    expect(firstRow(releases)).toBe(firstLine);
    expect([...releases.check()].length).toBeGreaterThan(30);
    expect(firstRow(releases)).toBe(firstLine);
  });

  test.each([0, 12])('are not given where one was damaged after %i steps', (before) => {
    const root = copyOfTree(file);
    const releases = starting(root);
    const steps = releases.check();
    for (let step = 0; step < before; step += 1) steps.next();
    flipBit(join(root, file));
    expect([...steps].length).toBeGreaterThan(0);
    expect(() => releases.current().pack(id)).toThrow(`Dataset ${id}`);
    expect(() => releases.current().pack('arms')).not.toThrow();
  });

  test('give what is whole until they are checked, and nothing of one that is damaged after that', () => {
    const root = copyOfTree(file);
    flipBit(join(root, file));
    const releases = starting(root);
    const release = releases.current();
    expect(firstRow(releases)).toBe(firstLine);
    for (const _ of releases.check());
    // Whatever was made of it is dropped with the release that had it.
    expect(releases.current()).not.toBe(release);
    expect(() => releases.current().pack(id)).toThrow(`Dataset ${id}`);
    // What is opened from now on is checked whole.
    const other = copyOfTree(file);
    const checked = starting(other);
    for (const _ of checked.check());
    flipBit(join(other, file));
    expect(() => starting(other).current().pack(id).copy(0, 1)).not.toThrow();
    expect(() =>
      openReleases(other, () => 0)
        .current()
        .pack(id),
    ).toThrow(`Dataset ${id}`);
  });

  test('a row of a damaged block is never given', () => {
    const root = copyOfTree(file);
    flipBit(join(root, file), 10);
    const releases = starting(root);
    expect(() => releases.current().pack(id).copy(0, 1)).toThrow(`Dataset ${id}`);
    expect(() => releases.current().pack(id)).toThrow(`Dataset ${id}`);
  });

  test('one that another release replaces meanwhile is checked too', () => {
    const root = copyOfTree(file);
    let now = 0;
    const releases = openReleases(root, () => now, undefined, true);
    const steps = releases.check();
    steps.next();
    flipBit(join(root, file));
    now = 1000;
    expect(firstRow(releases)).toBe(firstLine);
    for (const _ of steps);
    expect(() => releases.current().pack(id)).toThrow(`Dataset ${id}`);
  });
});

describe('[RUNTIME] the list of hashes while the server starts', () => {
  const now = (): number => 0;
  const lines = treeText('SHA256SUMS').trimEnd().split('\n');
  /** Counts how often the whole list is read. */
  const counted = (root: string): [sums: Sums, reads: unknown[]] => {
    const sums = sumsOf(root, now, true);
    const reads: unknown[] = [];
    sums.watch((cause) => reads.push(cause));
    return [sums, reads];
  };

  test('gives the hash of every file from its line alone', () => {
    const [sums, reads] = counted(builtTree());
    expect(lines.length).toBeGreaterThan(3000);
    expect(lines.filter((line) => sums.hashOf(line.slice(66)) !== line.slice(0, 64))).toEqual([]);
    expect(reads).toEqual([]);
    // Checked, it has the same.
    expect([...sums.check()].length).toBeGreaterThan(0);
    expect(reads).toEqual([null]);
    const hashes = sums.hashes();
    expect(lines.filter((line) => hashes?.get(line.slice(66)) !== line.slice(0, 64))).toEqual([]);
    for (const path of ['', 'SHA256SUMS', 'zzz', `${lines[0]?.slice(66)}x`, lines.join('\n')])
      expect(hashes?.get(path)).toBeUndefined();
    // It is not read again while it is the same.
    for (const _ of sums.check());
    expect(sums.hashes()).toBe(hashes);
  });

  test('is read at once where it was replaced while it was checked, and says what is wrong with it', () => {
    const root = copyOfTree(SUMS);
    const [sums, reads] = counted(root);
    const steps = sums.check();
    steps.next();
    flipBit(join(root, SUMS));
    for (const _ of steps);
    expect(sums.hashes()).toBeNull();
    expect(String(reads)).toContain('SHA256SUMS does not match its sha256');
  });

  test.each(['data/packs.jso', 'data/packs.jsonl', '', 'zzz'])(
    'is read whole for %j, which it lacks',
    (path) => {
      const [sums, reads] = counted(builtTree());
      expect(() => sums.hashOf(path)).toThrow('ENOENT');
      expect(reads).toEqual([null]);
    },
  );

  test('refuses a file that was changed together with its sidecar', () => {
    const root = copyOfTree(PACK_MANIFEST, sidecarPath(PACK_MANIFEST));
    const changed = treeText(PACK_MANIFEST).replace('"generatedAt":"20', '"generatedAt":"19');
    writeWithSidecar(root, PACK_MANIFEST, changed);
    const releases = openReleases(root, now, sumsOf(root, now, true), true);
    expect(() => releases.current().manifest()).toThrow('The packaged data');
  });
});
