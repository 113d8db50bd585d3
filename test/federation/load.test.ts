/** Many requests at once, from a process of its own that trusts the stand-in by NODE_EXTRA_CA_CERTS alone. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { bundled } from '../_support/child.ts';
import { peerOf } from '../_support/federation.ts';
import { behaviourOf } from '../../build/stand-in/behaviours.ts';
import { AUTHORITY_FILE, startUpstream } from '../../build/stand-in/server.ts';

const upstream = await startUpstream();
afterAll(() => upstream.close());
const CLIENT = bundled(`import './test/federation/load-client.ts';`);

interface Cost {
  codes: Record<string, number>;
  grownBy: number;
}

async function cost(rounds: number, atOnce: number): Promise<Cost> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [await CLIENT, upstream.origin, String(rounds), String(atOnce)],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: fileURLToPath(AUTHORITY_FILE) } },
  );
  return JSON.parse(stdout) as Cost;
}

test.each(['limit + 1 chunked', 'brotli bomb'])(
  '200 times %s grows the process by less than 200 MB',
  async (name) => {
    upstream.behave('*', behaviourOf(name));
    const { codes, grownBy } = await cost(20, 10);
    expect(codes).toEqual({ pinned_artifact_unavailable: 400, response_too_large: 800 });
    expect(grownBy).toBeLessThan(200);
  },
);

test('[FED-DEADLINE] 50 at once against a hanging upstream end at the deadline and leave the process free', async () => {
  upstream.behave('*', behaviourOf('hang before headers'));
  const peer = peerOf(upstream.origin, { limits: { deadlineMs: 800 } });
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 10);
  const before = upstream.requests.length;
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: 50 }, () => peer.lanes('all')));
  clearInterval(ticking);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(turns).toBeGreaterThan(20);
  // Those who ask at the same time share one call per lane.
  expect(upstream.requests.length - before).toBe(4);
  for (const { lanes } of answers) expect(lanes[5]?.code).toBe('upstream_timeout');
});
