/** A server that starts answers before its packs are checked whole: of each it gives what is checked, and none once it is found damaged. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openReleases, type Releases } from '../../shim/store/release.ts';
import { copyOfTree, treeFile, flipBit } from '../_support/tree.ts';

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
