/** `npm run upstream`: the stand-in of the money and capital-markets producer, TLS on loopback, as well or badly behaved as asked. */
import { fileURLToPath } from 'node:url';
import { LANES } from '../../shim/core/lanes.ts';
import { UsageError } from '../lib/command-line.ts';
import { BEHAVIOURS } from './behaviours.ts';
import type { Behaviour } from './exchange.ts';
import { AUTHORITY_FILE, startUpstream } from './server.ts';

/** Serves until interrupted, or lists the behaviours. `lane` holds `<lane id>=<behaviour>`, `*` for every lane. */
export async function runStandIn({
  port,
  lane,
  list = false,
}: {
  port: number;
  lane: string[];
  list?: boolean;
}): Promise<void> {
  if (list) return console.log([...BEHAVIOURS.keys()].join('\n'));
  const behaviours = lane.map((given) => {
    const [id = '', name = ''] = given.split(/=(.*)/s);
    return [pathOf(id), behaviourNamed(name)] as const;
  });
  const upstream = await startUpstream(port);
  for (const [on, behaviour] of behaviours) upstream.behave(on, behaviour);
  console.log(`The stand-in producer listens on ${upstream.origin}. Start the server with`);
  console.log(
    `PRODUCERS_BASE_URL=${upstream.origin} NODE_EXTRA_CA_CERTS=${fileURLToPath(AUTHORITY_FILE)} npm start`,
  );
}

function behaviourNamed(name: string): Behaviour {
  const behaviour = BEHAVIOURS.get(name);
  if (!behaviour) throw new UsageError(`Unknown behaviour "${name}": --list prints all.`);
  return behaviour;
}

function pathOf(id: string): string {
  if (id === '*') return id;
  const live = LANES.flatMap((entry) => (entry.kind === 'live' ? [entry] : []));
  const found = live.find((entry) => entry.id === id);
  if (!found)
    throw new UsageError(`Unknown lane "${id}". Lanes: *, ${live.map((entry) => entry.id).join(', ')}.`);
  return found.path;
}
