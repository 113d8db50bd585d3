/** A stand-in publisher on loopback that sends files well or badly, as set, and records what it was sent. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './free-port.ts';

/** What the publisher does with a request. */
export type Sending = (request: IncomingMessage, response: ServerResponse) => void;

export interface Publisher {
  /** http origin. */
  origin: string;
  /** Path and headers of every request, in order. */
  requests: { path: string; headers: IncomingHttpHeaders }[];
  /** Sets what a path sends; 404 for every other path. */
  on(path: string, sending: Sending): void;
  close(): Promise<void>;
}

/** Starts it on a free port. */
export async function startPublisher(): Promise<Publisher> {
  const sendings = new Map<string, Sending>();
  const requests: Publisher['requests'] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    requests.push({ path, headers: request.headers });
    (sendings.get(path) ?? bare(404))(request, response);
  });
  const port = await listening(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    on: (path, sending) => void sendings.set(path, sending),
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** A status and nothing else. */
export function bare(status: number, headers: Record<string, string> = {}): Sending {
  return (_, response) => void response.writeHead(status, headers).end();
}

/** A file, with an ETag or a Last-Modified where given; 304 where the request names the ETag. */
export function file(bytes: Uint8Array | string, headers: Record<string, string> = {}): Sending {
  return (request, response) => {
    const isKnown = headers['etag'] !== undefined && request.headers['if-none-match'] === headers['etag'];
    if (isKnown) return void response.writeHead(304, headers).end();
    const body = Buffer.from(bytes);
    response
      .writeHead(200, { 'content-type': 'text/csv', 'content-length': body.length, ...headers })
      .end(body);
  };
}

/** A redirect. */
export function redirect(status: number, location: string): Sending {
  return bare(status, { location });
}

/** The first half of a file whose whole length is declared. */
export function cut(bytes: Uint8Array | string, headers: Record<string, string> = {}): Sending {
  const body = Buffer.from(bytes);
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-length': body.length, ...headers });
    response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy());
  };
}

/** A body without end. */
export function endless(byte = 'x'): Sending {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' });
    const more = (): void => {
      while (!response.destroyed && response.write(byte.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  };
}

/** A sound head, then one byte every 50 ms. */
export function trickle(bytes: Uint8Array | string): Sending {
  return (_, response) => {
    const body = Buffer.from(bytes);
    response.writeHead(200, { 'content-type': 'text/csv', 'content-length': body.length });
    let at = 0;
    const timer = setInterval(() => response.write(body.subarray(at, (at += 1))), 50);
    response.on('close', () => clearInterval(timer));
  };
}

/** No response at all. */
export function silence(): Sending {
  return () => undefined;
}

/** The connection ends before a response. */
export function hangUp(): Sending {
  return (request) => void request.socket.destroy();
}
