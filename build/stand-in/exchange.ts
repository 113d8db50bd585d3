/** One request to the stand-in producer, and the ways to answer it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { validAnswer, type Payload } from './payloads.ts';

export interface Exchange {
  url: URL;
  request: IncomingMessage;
  response: ServerResponse;
}

export type Behaviour = (exchange: Exchange) => void;

export const JSON_TYPE = { 'content-type': 'application/json' };

/** Answers with bytes; their length is declared unless the headers say `transfer-encoding`. */
export function answering(
  make: (url: URL) => Buffer | string,
  headers: Record<string, string> = {},
  code = 200,
): Behaviour {
  return ({ url, response }) => {
    const body = Buffer.from(make(url));
    const length: Record<string, number> =
      'transfer-encoding' in headers ? {} : { 'content-length': body.length };
    response.writeHead(code, { ...JSON_TYPE, ...length, ...headers });
    response.end(body);
  };
}

/** Answers with the valid payload after a change in place, or with what the change returns. */
export function changed(change: (payload: Payload) => unknown, code = 200): Behaviour {
  return answering(
    (url) => {
      const payload = validAnswer(url) ?? {};
      return JSON.stringify(change(payload) ?? payload);
    },
    {},
    code,
  );
}

/** Answers with the text of the valid payload after a change. */
export function rewritten(change: (valid: string) => string): Behaviour {
  return answering((url) => change(whole(url)));
}

/** Answers with a status and headers. */
export function coded(code: number, headers: Record<string, string> = {}, body = '{}'): Behaviour {
  return answering(() => body, headers, code);
}

/** Writes exactly this to the connection, then ends it unless told to hold it open. */
export function raw(make: (url: URL) => string | Buffer, hold = false): Behaviour {
  return ({ url, response }) => {
    const { socket } = response;
    const written = Buffer.from(make(url));
    if (written.length === 0) socket?.end();
    else socket?.write(written, () => (hold ? undefined : socket.end()));
  };
}

/** The valid answer as text. */
export function whole(url: URL): string {
  return JSON.stringify(validAnswer(url) ?? {});
}

/** The valid answer filled up with spaces to so many bytes. */
export function padded(url: URL, size: number): Buffer {
  const valid = Buffer.from(whole(url));
  return Buffer.concat([valid, Buffer.alloc(Math.max(0, size - valid.length), ' ')]);
}
