/** A short run of every attack: what it finds within seconds. `npm run attack` is the long one, with bounds on time. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledServer } from '../_support/bundled-server.ts';
import { builtTree, temporaryFolder } from '../_support/tree.ts';
import { attacked } from './attacked.ts';

test('[ATTACK] every attack in short, then random requests: the server stays, answers and stops', async () => {
  const options = { tree: builtTree(), seconds: 2, seed: 1, work: temporaryFolder(), share: 0.03 };
  cpSync(await bundledServer(), join(options.work, 'server'), { recursive: true });
  const rows = await attacked(options, process.env['ATTACK_SAYS'] ? console.log : () => undefined);
  expect(rows.filter(({ missed }) => missed.length > 0)).toEqual([]);
  expect(rows.find(({ attack }) => attack === 'random requests')?.requests).toBeGreaterThan(20);
});
