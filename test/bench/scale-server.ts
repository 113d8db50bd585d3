/** Answers the queries of the scale table over one tree, in a process of its own, so that its memory is the service's. */
import { call, readQuery } from '../../shim/core/call.ts';
import { written } from '../../shim/core/envelope.ts';
import { marketObservations } from '../../shim/core/operations/market-observations.ts';
import type { Context } from '../../shim/core/types.ts';
import { openReleases } from '../../shim/store/release.ts';
import { median, rounded } from './figures.ts';
import { scaleQueries } from './scale-queries.ts';

const [root = ''] = process.argv.slice(2);
const context: Context = {
  settings: { siteUrl: 'https://evidence.example' },
  release: openReleases(root, () => performance.now()).current(),
};
let resident = 0;
const queries = [];
for (const { name, selective, asks } of scaleQueries(context)) {
  const warm = asks.length / 5;
  for (const ask of asks.slice(0, warm)) await timed(ask);
  const times: number[] = [];
  for (const ask of asks.slice(warm)) times.push(await timed(ask));
  resident = Math.max(resident, process.memoryUsage.rss());
  queries.push({ name, selective, p50_ms: rounded(median(times), 3) });
}
process.stdout.write(JSON.stringify({ rss_mb: rounded(resident / 1024 / 1024, 1), queries }));

/** Milliseconds one answer took, from query string to bytes. */
async function timed(ask: string): Promise<number> {
  const began = performance.now();
  const pending = call(
    marketObservations,
    () => readQuery(marketObservations, ask),
    context,
    (error) => {
      throw error;
    },
  );
  const answer = pending instanceof Promise ? await pending : pending;
  written(marketObservations.name, answer);
  const took = performance.now() - began;
  if (!answer.ok) throw answer.fault;
  return took;
}
