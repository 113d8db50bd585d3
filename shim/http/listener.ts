/**
 * What node's listener answers by itself before the app sees a request (a broken request, one whose target or header fields
 * are too large, no Host, CONNECT): the same JSON errors as everywhere, instead of bare status lines. It also knows which
 * connections wait for an answer, so that a server that stops hangs up the others.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody } from '../core/envelope.ts';
import { Fault, FAULTS } from '../core/faults.ts';
import { MOST_URL_BYTES } from '../core/paths.ts';
import type { Listener } from './direct.ts';
import { ALLOWED_METHODS, linkHeader, SHARED } from '../core/headers.ts';

/** Options of the listener: room for a URL that is refused as too long by us, and Host checked by us. */
export const LISTENER_OPTIONS = { maxHeaderSize: 32 * 1024, requireHostHeader: false };

/** How long a refused connection is still read: closing it at once could lose the answer on its way. */
const LINGER_MS = 500;

/** An answer to something that is no request: a status line of HTTP's own where the table of faults has none. */
interface Refusal {
  fault: Fault;
  status: number;
}

/** What is known of the connections of a server. */
export interface Connections {
  /** Ends every connection that waits for no answer. */
  hangUp(): void;
}

/** Takes over the refusals of node's HTTP server. Requests in order go to `listener`. */
export function takeOver(server: Server, siteUrl: string, listener: Listener): Connections {
  const connections = new Set<Duplex>();
  /** The last response of a connection: answers leave in order, so it is the last to finish. */
  const answering = new WeakMap<Duplex, ServerResponse>();
  const broken = new WeakSet<Duplex>();
  const link = linkHeader(siteUrl, null);
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    answering.set(request.socket, response);
    const fault = faultOf(request);
    if (fault === null) listener(request, response);
    else {
      const { status, headers, body } = written({ fault, status: FAULTS[fault.code].status }, link);
      response.writeHead(status, headers).end(body);
    }
  };
  server.on('request', receive);
  // An expectation we do not know may be ignored (RFC 9110, 10.1.1): the request is answered all the same.
  server.on('checkExpectation', receive);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const fault = new Fault('method_not_allowed', `Nothing is tunnelled here: use ${ALLOWED_METHODS}.`);
    socket.on('error', () => socket.destroy());
    end(socket, { fault, status: 405 }, link);
  });
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    // What follows on a broken connection is broken too and says nothing new.
    if (broken.has(socket) || !socket.writable) return;
    broken.add(socket);
    const refuse = (): void => end(socket, refusalOf(error), link);
    const pending = answering.get(socket);
    // Answers to the requests before come first, and nothing is written into the middle of one.
    if (isUnderWay(pending)) pending.once('finish', refuse);
    else refuse();
  });
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return {
    hangUp() {
      for (const socket of connections) if (!isUnderWay(answering.get(socket))) socket.destroy();
    },
  };
}

function isUnderWay(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && !response.writableFinished && !response.destroyed;
}

function faultOf({ headers, httpVersion, rawHeaders, url = '' }: IncomingMessage): Fault | null {
  if (headers.host === undefined && httpVersion === '1.1')
    return new Fault('invalid_request', 'The request has no Host header; HTTP/1.1 demands one.');
  if (isTwiceNamed(rawHeaders, 'host'))
    return new Fault('invalid_request', 'The request has more than one Host header.');
  if (!url.startsWith('/') && url !== '*' && !(/^https?:\/\/[^/?#]/i.test(url) && URL.canParse(url)))
    return new Fault('invalid_request', 'The request target must be a path or an http or https address.');
  return null;
}

/** Names stand at even places. */
function isTwiceNamed(rawHeaders: string[], name: string): boolean {
  let named = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const each = rawHeaders[at] ?? '';
    if (each.length === name.length && each.toLowerCase() === name) named += 1;
  }
  return named > 1;
}

/** A request line with any token as its method (RFC 9110, 9.1): node knows a list of them. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** What node says of a request it cannot read; `bytesParsed` of the packet were in order. */
type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number };

/** The packet from the line that broke it on. */
function brokenLine({ rawPacket, bytesParsed = 0 }: ParserError): string {
  const text = rawPacket?.toString('latin1') ?? '';
  return text.slice(bytesParsed === 0 ? 0 : text.lastIndexOf('\n', bytesParsed - 1) + 1);
}

function refusalOf(error: ParserError): Refusal {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const [line = ''] = (error.rawPacket?.toString('latin1') ?? '').split('\n', 1);
    return line.length > MOST_URL_BYTES
      ? { fault: new Fault('uri_too_long', `The URL is longer than ${MOST_URL_BYTES} bytes.`), status: 414 }
      : refused(`The header fields are larger than ${LISTENER_OPTIONS.maxHeaderSize} bytes.`);
  }
  if (error.code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(brokenLine(error))) {
    const fault = new Fault('method_not_allowed', `This method is not known here: use ${ALLOWED_METHODS}.`);
    return { fault, status: 405 };
  }
  // 408 also closes connections that browsers open ahead and never use: they know it, a 400 would be shown.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return refused('The request did not arrive in time.', 408);
  return refused('This is not a well-formed HTTP request.');
}

function refused(message: string, status = 400): Refusal {
  return { fault: new Fault('invalid_request', message), status };
}

function written(
  { fault, status }: Refusal,
  link: string,
): { status: number; headers: Record<string, string>; body: Uint8Array } {
  const body = errorBody(fault);
  return {
    status,
    headers: {
      ...SHARED,
      link,
      'content-type': 'application/json',
      'content-length': String(body.length),
      'cache-control': FAULTS[fault.code].cache,
      ...(fault.code === 'method_not_allowed' ? { allow: ALLOWED_METHODS } : {}),
      connection: 'close',
    },
    body,
  };
}

function end(socket: Duplex, refusal: Refusal, link: string): void {
  const { status, headers, body } = written(refusal, link);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} \r\n${lines.join('')}\r\n`);
  socket.end(body);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
