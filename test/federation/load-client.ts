/**
 * A process of its own that asks all lanes many times at once with the product's own effects and bounds, and prints what it
 * cost. Arguments: origin, rounds, how many
 * at once in each. It trusts the stand-in by NODE_EXTRA_CA_CERTS alone.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { federationPeer, processEffects } from '../../shim/federation/peer.ts';
import { documentStore } from '../_support/documents.ts';

const [origin = '', rounds = '1', atOnce = '1'] = process.argv.slice(2);
const peer = federationPeer(
  { siteUrl: 'https://evidence.example', producersBaseUrl: origin },
  documentStore(new Map()),
  processEffects(),
);

// Once before measuring, so that code and schemas are loaded.
await peer.lanes('all');
const before = process.memoryUsage.rss();
let peak = before;
const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10);
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const started = performance.now();
const cpu = process.cpuUsage();
const codes: Record<string, number> = {};
for (let round = 0; round < Number(rounds); round += 1) {
  const answers = await Promise.all(Array.from({ length: Number(atOnce) }, () => peer.lanes('all')));
  for (const { error } of answers.flatMap(({ lanes }) => lanes)) {
    const failed = typeof error === 'object' && error !== null && !Array.isArray(error);
    const code = failed ? String(error['code']) : 'none';
    codes[code] = (codes[code] ?? 0) + 1;
  }
}
clearInterval(sampler);
const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
console.log(
  JSON.stringify({
    codes,
    seconds: Math.round((performance.now() - started) / 100) / 10,
    cpuSeconds:
      Math.round(Object.values(process.cpuUsage(cpu)).reduce((sum, part) => sum + part, 0) / 1e5) / 10,
    grownBy: megabytes(peak - before),
    rss: megabytes(peak),
    delay: Math.round(delay.percentile(99) / 1e6),
  }),
);
