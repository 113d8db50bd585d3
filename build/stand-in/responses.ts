/** Ways the stand-in producer can respond, from valid to broken at every layer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants } from 'node:zlib';
import { validAnswer, type Payload } from './payloads.ts';

/** One request to the stand-in, and where its response goes. */
export interface Exchange {
  url: URL;
  request: IncomingMessage;
  response: ServerResponse;
}

export type Behaviour = (exchange: Exchange) => void;

const JSON_TYPE = { 'content-type': 'application/json' };

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

/** Responds with a status, headers and a short body. */
export function status(code: number, headers: Record<string, string> = {}, body = '{}'): Behaviour {
  return sending(() => body, headers, code);
}

/** Responds with a status and nothing else. */
export function bare(code: number): Behaviour {
  return ({ response }) => void response.writeHead(code).end();
}

/** Responds with what a change makes of the valid payload. */
export function changed(change: (payload: Payload) => unknown, code = 200): Behaviour {
  return sending((url) => JSON.stringify(change(validAnswer(url) ?? {})), {}, code);
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

/** Responds without one member of the valid payload. */
export function lacking(path: string): Behaviour {
  return having({ [path]: undefined });
}

/** Responds with the text of the valid payload after a change. */
export function rewritten(change: (valid: string) => string): Behaviour {
  return sending((url) => change(whole(url)));
}

/** Responds with the valid text, one part of it replaced. */
export function replaced(part: string, by: string): Behaviour {
  return rewritten((text) => text.replace(part, by));
}

/** Responds with the valid text and a further member `x` of this JSON. */
export function extended(json: string): Behaviour {
  return rewritten((text) => `${text.slice(0, -1)},"x":${json}}`);
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
  const payload = validAnswer(url);
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

/** Fast brotli. */
export function brotli(data: Buffer): Buffer {
  return brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}

/** The valid response as text. */
export function whole(url: URL): string {
  return JSON.stringify(validAnswer(url) ?? {});
}

/** The valid response filled up with spaces to so many bytes. */
export function padded(url: URL, size: number): Buffer {
  return Buffer.from(whole(url).padEnd(size, ' '));
}

/** Head of a response; null or no length means that the body ends with its connection. */
export function head(
  length: number | string | null = null,
  type: string | null = 'application/json',
  line = '200 OK',
): string {
  const fields = [
    type === null ? null : `content-type: ${type}`,
    length === null ? null : `content-length: ${length}`,
    'connection: close',
  ];
  return `HTTP/1.1 ${line}\r\n${fields.filter((field) => field !== null).join('\r\n')}\r\n\r\n`;
}

/** A whole response without declared length, with more header lines. */
export function withHeaders(lines: string, url: URL): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${lines}\r\n${whole(url)}`;
}
