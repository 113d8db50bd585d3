/** A failure of the moment, such as too many open files, says nothing of the evidence: a moment later all is there. */
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unlessFault } from '../../shim/core/faults.ts';
import type { Release } from '../../shim/core/types.ts';
import { openReleases } from '../../shim/store/release.ts';
import { copyOfTree } from '../_support/tree.ts';

test('nothing is kept that was made while a file could not be opened for a moment', async () => {
  const file = 'data/designations.ndjson';
  const root = copyOfTree(file);
  const good = readFileSync(join(root, file));
  // Nothing looks at files on its own here.
  const releases = openReleases(root, () => 0);
  const isThere = ({ pack }: Release): { value: boolean } => ({
    value: unlessFault(() => pack('designations').index !== undefined, false),
  });
  // To open a socket fails as too many open files do: it says nothing of the evidence.
  rmSync(join(root, file));
  const socket = createServer().listen(join(root, file));
  await once(socket, 'listening');
  expect(releases.current().derive(isThere)).toEqual({ value: false });
  socket.close();
  rmSync(join(root, file), { force: true });
  writeFileSync(join(root, file), good);
  expect(releases.current().derive(isThere)).toEqual({ value: true });
});
