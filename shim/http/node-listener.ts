/**
 * The listener of node's HTTP server. Replies are written straight to node's response: no Request, Response or Headers is made
 * for what needs none (MCP does). What node rejects by itself (a broken request, a target or header fields too large, no Host,
 * CONNECT) gets the same JSON errors as everywhere. It also knows which connections wait for a reply, so that a server that
 * stops closes the others.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { pipeline, Readable, type Duplex } from 'node:stream';
import { Fault } from '../core/faults.ts';
import { ALLOWED_METHODS } from '../core/headers.ts';
import { MOST_URL_BYTES } from '../core/paths.ts';
import { requestOf, type HttpRequest, type Reply, type WholeReply } from './content.ts';
import { isForMcp, type Routes } from './routes.ts';

/**
 * Options of the server: room for a URL that is our own 414, Host checked here, and how long a request may take to arrive with
 * its whole body. Node looks for late ones at the interval; together they are less than a stopping server waits.
 */
export const SERVER_OPTIONS = {
  maxHeaderSize: 32 * 1024,
  requireHostHeader: false,
  headersTimeout: 12_000,
  requestTimeout: 12_000,
  connectionsCheckingInterval: 1000,
  // Clients of agents think between two calls; a connection closed at the moment it is used again loses a POST.
  keepAliveTimeout: 20_000,
};
/** How long a connection may make no progress at all. Longer than the federation (15 s) and a listen stream (20 s) are silent. */
const NO_PROGRESS_MS = 30_000;

/** Answers a request through Request and Response, or fails. */
export type WebListener = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** How long a refused connection is still read: closing it at once could lose the reply on its way. */
const LINGER_MS = 500;
/** Stands for a request that could not be read: its errors are those of the API. */
const UNREADABLE = requestOf('GET', '/api', () => null);

/** Serves `routes` and, for MCP, what `web` loads. Returns a function that ends every connection that waits for no reply. */
export function listen(server: Server, routes: Routes, web: () => Promise<WebListener>): () => void {
  const connections = new Set<Duplex>();
  /** The last response of a connection: replies leave in order, so it is the last to finish. */
  const answering = new WeakMap<Duplex, ServerResponse>();
  const broken = new WeakSet<Duplex>();
  const refuse = (fault: Fault, status?: number): WholeReply =>
    closing(routes.failed(fault, UNREADABLE), status);
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const before = answering.get(request.socket);
    answering.set(request.socket, response);
    // A server that stops takes no further request on a connection.
    response.shouldKeepAlive &&= server.listening;
    const fault = faultOf(request);
    if (fault) write(response, refuse(fault));
    else void answer(request, response, routes, web, before);
  };
  server.on('request', receive);
  // An unknown expectation may be ignored (RFC 9110, 10.1.1): the request is answered all the same.
  server.on('checkExpectation', receive);
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    end(socket, refuse(new Fault('method_not_allowed', `CONNECT is not supported. Use ${ALLOWED_METHODS}.`)));
  });
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    // What follows on a broken connection is broken too and says nothing new.
    if (broken.has(socket) || !socket.writable) return;
    broken.add(socket);
    const pending = answering.get(socket);
    const reply = refuse(...faultOfParser(error));
    // Replies to the requests before come first, and nothing is written into the middle of one.
    const after = (then: () => void): void =>
      isUnderWay(pending) ? void pending.once('finish', then) : then();
    // What is broken or late may be the body of a request: this is its reply, unless it has one already.
    if (!pending || pending.req.complete) after(() => end(socket, reply));
    else if (pending.headersSent) after(() => socket.destroy());
    else write(pending, reply);
  });
  server.setTimeout(NO_PROGRESS_MS);
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return () => {
    for (const socket of connections) if (!isUnderWay(answering.get(socket))) socket.destroy();
  };
}

function isUnderWay(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && !response.writableFinished && !response.destroyed;
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  routes: Routes,
  web: () => Promise<WebListener>,
  before: ServerResponse | undefined,
): Promise<void> {
  const { method = 'GET', headers } = incoming;
  const target = pathOf(incoming.url ?? '/');
  const request: HttpRequest = requestOf(method, target, (name) => headers[name]?.toString() ?? null);
  try {
    if (isForMcp(target)) {
      const listener = await web();
      await listener(incoming, response);
    } else {
      // Most replies need no upstream and are written at once.
      const reply = routes.reply(request);
      write(response, reply instanceof Promise ? await reply : reply, before);
    }
  } catch (error) {
    if (response.headersSent) response.destroy();
    else write(response, routes.failed(error, request));
  }
}

/** Path and query of a target in any form that faultOf admits. */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target;
  if (target === '*') return '/*';
  const path = target.slice(target.indexOf('//') + 2).replace(/^[^/?#]*/, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Writes a reply. What is not in memory is read only once the response before it on the connection has left. */
function write(response: ServerResponse, { status, headers, body }: Reply, before?: ServerResponse): void {
  response.writeHead(status, headers as string[]);
  if (body === null || body instanceof Uint8Array) return void response.end(body);
  response.flushHeaders();
  // A failure ends the connection: a reader sees that something is missing.
  const stream = (): void => {
    if (!response.req.socket.destroyed)
      pipeline(Readable.from(body, { highWaterMark: 1 }), response, () => undefined);
  };
  if (isUnderWay(before)) before.once('close', stream);
  else stream();
}

function faultOf({ headers, httpVersion, rawHeaders, url = '' }: IncomingMessage): Fault | null {
  if (headers.host === undefined && httpVersion === '1.1')
    return new Fault('invalid_request', 'The request has no Host header; HTTP/1.1 requires one.');
  if (rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && /^host$/i.test(name)).length > 1)
    return new Fault('invalid_request', 'The request has more than one Host header.');
  if (!url.startsWith('/') && url !== '*' && !(/^https?:\/\/[^/?#]/i.test(url) && URL.canParse(url)))
    return new Fault('invalid_request', 'The request target must be a path or an http or https address.');
  return null;
}

/** A request line with any token as its method (RFC 9110, 9.1): node knows a list of them. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** What node says of a request it cannot read; `bytesParsed` of the packet were in order. */
type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number };

/** The fault of a request node cannot read, and its status where HTTP has a better one than the table of faults. */
function faultOfParser({ code, rawPacket, bytesParsed = 0 }: ParserError): [fault: Fault, status?: number] {
  const text = rawPacket?.toString('latin1') ?? '';
  if (code === 'HPE_HEADER_OVERFLOW')
    return text.search(/\n|$/) > MOST_URL_BYTES
      ? [new Fault('uri_too_long', `The URL is longer than ${MOST_URL_BYTES} bytes.`)]
      : [new Fault('invalid_request', `The headers are larger than ${SERVER_OPTIONS.maxHeaderSize} bytes.`)];
  const brokenLine = text.slice(bytesParsed === 0 ? 0 : text.lastIndexOf('\n', bytesParsed - 1) + 1);
  if (code === 'HPE_INVALID_METHOD' && REQUEST_LINE.test(brokenLine))
    return [new Fault('method_not_allowed', `Unknown method. Use ${ALLOWED_METHODS}.`)];
  // 408 also closes connections that browsers open ahead and never use: they know it, a 400 would be shown.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [new Fault('invalid_request', 'The request did not arrive in time.'), 408];
  return [new Fault('invalid_request', 'This is not a well-formed HTTP request.')];
}

/** The reply, and the connection's last. */
function closing({ headers, body, ...reply }: WholeReply, status = reply.status): WholeReply {
  return { status, headers: [...headers, 'connection', 'close'], body };
}

function end(socket: Duplex, { status, headers, body }: WholeReply): void {
  let head = `HTTP/1.1 ${status} \r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  socket.write(`${head}\r\n`);
  socket.end(body);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
