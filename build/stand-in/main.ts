/**
 * `npm run upstream`: the stand-in of the money and capital-markets producer, TLS on loopback.
 * Options: --port 8443, --lane <lane id>=<behaviour> (repeatable; `*` for every lane), --list.
 */
import { fileURLToPath } from 'node:url';
import { LANES } from '../../shim/core/lanes.ts';
import { BEHAVIOURS, behaviourOf } from './behaviours.ts';
import { AUTHORITY_FILE, startUpstream } from './server.ts';
import { flags } from '../lib/flags.ts';

const { values } = flags({
  options: {
    port: { type: 'string', default: '8443' },
    lane: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
  },
});

if (values.list) console.log([...BEHAVIOURS.keys()].join('\n'));
else await run(Number(values.port), values.lane);

async function run(port: number, lanes: string[]): Promise<void> {
  const behaviours = lanes.map((given) => {
    const [lane = '', name = ''] = given.split(/=(.*)/s);
    return { on: pathOf(lane), behaviour: behaviourOf(name) };
  });
  const upstream = await startUpstream(port);
  for (const { on, behaviour } of behaviours) upstream.behave(on, behaviour);
  console.log(`The stand-in producer answers on ${upstream.origin}. Start the server with`);
  console.log(
    `PRODUCERS_BASE_URL=${upstream.origin} NODE_EXTRA_CA_CERTS=${fileURLToPath(AUTHORITY_FILE)} npm start`,
  );
}

function pathOf(lane: string): string {
  if (lane === '*') return lane;
  const live = LANES.flatMap((entry) => (entry.kind === 'live' ? [entry] : []));
  const found = live.find(({ id }) => id === lane);
  if (!found)
    throw new Error(`no lane ${JSON.stringify(lane)}; there are: *, ${live.map(({ id }) => id).join(', ')}`);
  return found.path;
}
