/**
 * A process of its own that requests all lanes many times at once with the product's own effects and bounds, and prints the
 * lanes' error codes and by how many megabytes it grew. Arguments: origin, rounds, how many at once in each. It trusts the
 * stand-in by NODE_EXTRA_CA_CERTS alone.
 */
import { federationPeer, processEffects } from '../../shim/federation/peer.ts';
import { documentStore } from '../_support/documents.ts';

const [origin = '', rounds = '1', atOnce = '1'] = process.argv.slice(2);
const peer = federationPeer(
  { siteUrl: 'https://evidence.example', producersBaseUrl: origin },
  { release: documentStore(new Map()) },
  processEffects(),
);

// Once before measuring, so that code and schemas are loaded.
await peer.lanes('all');
const before = process.memoryUsage.rss();
let peak = before;
const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10);
const codes: Record<string, number> = {};
for (let round = 0; round < Number(rounds); round += 1) {
  const responses = await Promise.all(Array.from({ length: Number(atOnce) }, () => peer.lanes('all')));
  for (const { code } of responses.flatMap(({ lanes }) => lanes))
    codes[code ?? 'none'] = (codes[code ?? 'none'] ?? 0) + 1;
}
clearInterval(sampler);
console.log(JSON.stringify({ codes, grownBy: Math.round((peak - before) / 1e6) }));
