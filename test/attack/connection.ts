/** Connections of clients that do not behave: bytes are written as they are, and read fully, slowly or not at all. */
import { connect, type Socket } from 'node:net';

/** One connection. */
export interface Connection {
  socket: Socket;
  /** What arrived, as Latin-1. */
  text(): string;
  /** Milliseconds until the server closed it; null where it did not in time. */
  closed(withinMs: number): Promise<number | null>;
}

/** Opens a connection and writes to it; with `read` false nothing is taken from the network. */
export async function opened(port: number, bytes: string, read = true): Promise<Connection> {
  const began = performance.now();
  const socket = connect({ port, host: '127.0.0.1' });
  const chunks: Buffer[] = [];
  let closedAt: number | null = null;
  const gone = new Promise<void>((done) => {
    socket.once('close', () => {
      closedAt = performance.now() - began;
      done();
    });
  });
  socket.on('error', () => undefined);
  socket.once('end', () => socket.end());
  if (read) socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  else socket.pause();
  await new Promise<void>((done) => {
    socket.once('connect', () => socket.write(bytes, 'latin1', () => done()));
    socket.once('close', () => done());
  });
  return {
    socket,
    text: () => Buffer.concat(chunks).toString('latin1'),
    async closed(withinMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((done) => (timer = setTimeout(done, withinMs)));
      await Promise.race([gone, late]);
      clearTimeout(timer);
      return closedAt;
    },
  };
}

/** Many connections at once, at most some hundred being opened at a time. */
export async function openedAll(
  count: number,
  port: number,
  bytes: (number: number) => string,
  read = true,
): Promise<Connection[]> {
  const all: Connection[] = [];
  for (let first = 0; first < count; first += 200) {
    const numbers = Array.from({ length: Math.min(200, count - first) }, (_, at) => first + at);
    all.push(...(await Promise.all(numbers.map((number) => opened(port, bytes(number), read)))));
  }
  return all;
}

/** A GET on a connection that is kept. */
export function get(target: string, headers = ''): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
}

/** The head of a POST to a path. */
export function post(target: string, headers: string): string {
  return `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${headers}\r\n`;
}

/** A POST of one MCP request. */
export function mcpCall(method: string, params: Record<string, unknown>, headers = ''): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
  const name = typeof params['name'] === 'string' ? `Mcp-Name: ${params['name']}\r\n` : '';
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const version = `MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ${method}\r\n`;
  return post('/mcp', `${version}${name}${length}${headers}`) + body;
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((next) => setTimeout(next, ms));
}
