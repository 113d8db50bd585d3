/** The stand-in producer: an https server on loopback that responds well or badly, as set, and records its requests. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { LANES } from '../../shim/core/lanes.ts';
import { UsageError } from '../lib/command-line.ts';
import { behaviourOf, BEHAVIOURS } from './behaviours.ts';
import { valid, type Behaviour } from './responses.ts';

const TLS = new URL('./tls/', import.meta.url);

/** PEM of the authority that signed the stand-in's certificate. */
export const AUTHORITY = readFileSync(new URL('authority.pem', TLS), 'utf8');
/** File to name in NODE_EXTRA_CA_CERTS. */
export const AUTHORITY_FILE = new URL('authority.pem', TLS);

export interface Upstream {
  /** The https origin that answers. */
  origin: string;
  /** Method and path of every request, in order. */
  requests: string[];
  /** Behaviour by path and query, `*` for the rest; `valid` by default. */
  behave(on: string, behaviour: Behaviour): void;
  /** Connections open now. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts it; `certificate` is a file name in build/stand-in/tls without ending. */
export async function startUpstream(port = 0, certificate = 'loopback'): Promise<Upstream> {
  const behaviours = new Map<string, Behaviour>();
  const requests: string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer(
    {
      key: readFileSync(new URL(`${certificate}.key.pem`, TLS)),
      cert: readFileSync(new URL(`${certificate}.pem`, TLS)),
    },
    (request, response) => {
      const path = request.url ?? '/';
      requests.push(`${request.method} ${path}`);
      const behaviour = behaviours.get(path) ?? behaviours.get('*') ?? valid;
      behaviour({ url: new URL(path, 'https://localhost'), request, response });
    },
  );
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    requests,
    behave: (on, behaviour) => behaviours.set(on, behaviour),
    connections: () => sockets.size,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** `npm run upstream`: serves until interrupted, or lists the behaviours. `lane` holds `<lane id or *>=<behaviour>`. */
export async function runStandIn(options: { port: number; lane: string[]; list?: boolean }): Promise<void> {
  if (options.list) return console.log([...BEHAVIOURS.keys()].join('\n'));
  const chosen = options.lane.map((given) => {
    const [id = '', name = ''] = given.split(/=(.*)/s);
    return [pathOf(id), behaviourOf(name)] as const;
  });
  const upstream = await startUpstream(options.port);
  for (const [on, behaviour] of chosen) upstream.behave(on, behaviour);
  const settings = `PRODUCERS_BASE_URL=${upstream.origin} NODE_EXTRA_CA_CERTS=${fileURLToPath(AUTHORITY_FILE)}`;
  console.log(
    `The stand-in producer listens on ${upstream.origin}. Start the server with\n${settings} npm start`,
  );
}

function pathOf(id: string): string {
  const live = LANES.flatMap((lane) => (lane.kind === 'live' ? [lane] : []));
  const path = id === '*' ? id : live.find((lane) => lane.id === id)?.path;
  if (path === undefined)
    throw new UsageError(`Unknown lane "${id}". Lanes: *, ${live.map((lane) => lane.id).join(', ')}.`);
  return path;
}
