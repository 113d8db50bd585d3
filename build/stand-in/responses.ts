/** The valid responses of the stand-in producer, and the ways it can respond, from valid to broken at every layer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import payloads from './payloads.json' with { type: 'json' };

/** One request to the stand-in, and where its response goes. */
export interface Exchange {
  url: URL;
  request: IncomingMessage;
  response: ServerResponse;
}

/** What the stand-in does with a request. */
export type Behaviour = (exchange: Exchange) => void;

/** A fresh payload that a caller may change. */
export type Payload = Record<string, unknown>;

const SECTIONS = ['summary', 'money_markets', 'capital_markets'] as const;

/** The start of a response of its own making. */
export const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

const JSON_TYPE = { 'content-type': 'application/json' };

/** A valid world-markets response of one section; figures are invented and small. */
export function worldMarkets(section: (typeof SECTIONS)[number], rows = 3): Payload {
  const payload = structuredClone(payloads.worldMarkets);
  payload.citation.canonical_url += section;
  return { ...payload, selection: { section }, [section]: { rows: rowsOf(rows) } };
}

/** A valid response of the money-markets atlas. */
export function moneyMarkets(rows = 3): Payload {
  return { ...structuredClone(payloads.moneyMarkets), markets: rowsOf(rows) };
}

/** The valid payload of a path and query of the producer, of few rows unless stated; null where it has none. */
export function validPayload(url: URL, rows?: number): Payload | null {
  if (url.pathname === '/api/v2/money-markets' && url.search === '') return moneyMarkets(rows);
  if (url.pathname !== '/api/v2/world-markets') return null;
  const section = SECTIONS.find((name) => name === url.searchParams.get('section'));
  return section ? worldMarkets(section, rows) : null;
}

/** Null is unavailable, 0 an observed zero. */
function rowsOf(count: number): Payload[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `instrument_${index}`,
    value: index === 0 ? 0 : index === 1 ? null : index + 0.25,
    unit: 'percent',
  }));
}

/** Responds with bytes; their length is declared unless the headers say `transfer-encoding`. */
export function sending(
  make: (url: URL) => Buffer | string,
  headers: Record<string, string> = {},
  code = 200,
): Behaviour {
  return ({ url, response }) => {
    const body = Buffer.from(make(url));
    const length = 'transfer-encoding' in headers ? {} : { 'content-length': body.length };
    response.writeHead(code, { ...JSON_TYPE, ...length, ...headers }).end(body);
  };
}

/** Responds with a status and nothing else. */
export function bare(code: number): Behaviour {
  return ({ response }) => void response.writeHead(code).end();
}

/** Responds with what a change makes of the valid payload. */
export function changed(change: (payload: Payload) => unknown, code = 200): Behaviour {
  return sending((url) => JSON.stringify(change(validPayload(url) ?? {})), {}, code);
}

/** Responds with the valid payload after members, named by their paths, got other values; undefined removes one. */
export function having(members: Record<string, unknown>, code = 200): Behaviour {
  return changed((payload) => {
    for (const [path, value] of Object.entries(members)) {
      const [name = '', inner] = path.split('.');
      if (inner === undefined) payload[name] = value;
      else payload[name] = { ...(payload[name] as Payload | undefined), [inner]: value };
    }
    return payload;
  }, code);
}

/** Writes exactly this to the connection, then ends it. */
export function raw(make: (url: URL) => string | Buffer): Behaviour {
  return ({ url, response }) => void response.socket?.end(make(url));
}

/** Writes exactly this to the connection and holds it open. */
export function held(make: (url: URL) => string | Buffer): Behaviour {
  return ({ url, response }) => void response.socket?.write(make(url));
}

/** The valid response of the path, 404 where it has none. */
export function valid({ url, response }: Exchange): void {
  const payload = validPayload(url);
  response.writeHead(payload ? 200 : 404, JSON_TYPE);
  response.end(JSON.stringify(payload ?? { ok: false, error: 'not_found' }));
}

/** A sound head, then one byte of the body per second. */
export function byteBySecond({ url, response }: Exchange): void {
  const body = Buffer.from(whole(url));
  response.writeHead(200, { ...JSON_TYPE, 'content-length': body.length });
  let at = 0;
  const timer = setInterval(() => response.write(body.subarray(at, (at += 1))), 1000);
  response.on('close', () => clearInterval(timer));
}

/** Interim responses without end. */
export function interim({ response }: Exchange): void {
  const timer = setInterval(() => response.writeProcessing(), 20);
  response.on('close', () => clearInterval(timer));
}

/** A body without end, as fast as it is read. */
export function endless({ response }: Exchange): void {
  response.writeHead(200, JSON_TYPE);
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
  };
  response.on('drain', more);
  more();
}

/** Thirty megabytes of one byte, compressed: small on the wire. */
export function bomb(compress: (data: Buffer) => Buffer): () => Buffer {
  let made: Buffer | undefined;
  return () => (made ??= compress(Buffer.alloc(30_000_000, ' ')));
}

/** Two megabytes and more of gzip that decode to nothing: stored blocks without a byte. */
export function emptyBlocks(): Buffer {
  const [head, block] = [gzipSync('').subarray(0, 10), Buffer.from([0, 0, 0, 255, 255])];
  return Buffer.concat([head, Buffer.alloc(2_200_000, block)]);
}

/** Fast brotli. */
export function brotli(data: Buffer): Buffer {
  return brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}

/** A response whose gzip body breaks off; it has no length unless a header line says so. */
export function cutGzip(url: URL, lengthLine = ''): Buffer {
  const head = `${HEAD}${lengthLine}content-encoding: gzip\r\nconnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), gzipSync(whole(url)).subarray(0, 50)]);
}

/** The valid response as text. */
export function whole(url: URL): string {
  return JSON.stringify(validPayload(url) ?? {});
}

/** A text with the valid response at the mark `<valid>`, without its last brace at `<open>`, without five characters at `<cut>`. */
export function filled(text: string): (url: URL) => string {
  return (url) =>
    text.replaceAll(/<(valid|open|cut)>/g, (_, mark: string) =>
      whole(url).slice(0, { open: -1, cut: -5 }[mark]),
    );
}

/** The valid response filled up with spaces to so many bytes. */
export function padded(url: URL, size: number): Buffer {
  return Buffer.from(whole(url).padEnd(size, ' '));
}
