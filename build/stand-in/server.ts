/** The stand-in producer: an https server on loopback that answers validly or as badly as told, and counts requests. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { behaviourOf } from './behaviours.ts';
import type { Behaviour } from './exchange.ts';

const TLS = new URL('./tls/', import.meta.url);

/** PEM of the authority that signed the stand-in's certificate. */
export const AUTHORITY = readFileSync(new URL('authority.pem', TLS), 'utf8');
/** File to name in NODE_EXTRA_CA_CERTS. */
export const AUTHORITY_FILE = new URL('authority.pem', TLS);

export interface Upstream {
  /** https origin. */
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
  const server: Server = createServer(
    {
      key: readFileSync(new URL(`${certificate}.key.pem`, TLS)),
      cert: readFileSync(new URL(`${certificate}.pem`, TLS)),
    },
    (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url ?? '/';
      requests.push(`${request.method} ${path}`);
      const behaviour = behaviours.get(path) ?? behaviours.get('*') ?? behaviourOf('valid');
      behaviour({ url: new URL(path, 'https://localhost'), request, response });
    },
  );
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
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
