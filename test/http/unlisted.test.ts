/** What is served without being listed in SHA256SUMS: deltas and the provenance, each by its own sidecar, and nothing that only looks like them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requestsTo, testApp } from '../_support/doors.ts';
import { treeOf } from '../_support/made-tree.ts';
import { writeWithSidecar } from '../_support/tree.ts';

const root = treeOf({ 'listed.json': '{}' });
for (const folder of ['deltas', 'old/deltas']) mkdirSync(join(root, folder), { recursive: true });
const ask = requestsTo(testApp(root));

test.each([
  ['listed.json', 200],
  ['deltas/1..2.json', 200],
  ['deltas/10..12.json', 200],
  ['release.intoto.json', 200],
  ['release.intoto.json.minisig', 200],
  ['extra.json', 404],
  ['old/deltas/1..2.json', 404],
  ['deltas/1..2.json.old', 404],
  ['deltas/1..2xjson', 404],
  ['deltas/1x.2.json', 404],
  ['deltas/..2.json', 404],
  ['deltas/1...json', 404],
  ['deltas/1..2a.json', 404],
  ['old/release.intoto.json', 404],
  ['release.intoto.json.old', 404],
])('%s: %i', async (path, status) => {
  writeWithSidecar(root, path, '{}');
  expect([(await ask(path)).status, (await ask(`${path}.sha256`)).status]).toEqual([status, status]);
});
