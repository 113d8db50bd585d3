/**
 * The listener of node's HTTP server. Replies are written straight to node's response: no Request, Response or Headers is made
 * for what needs none (MCP does). What node rejects by itself (a broken request, a target or header fields too large, no Host,
 * CONNECT) gets the same JSON errors as everywhere. It also knows which connections wait for a reply, so that a server that
 * stops closes the others.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Fault } from '../core/faults.ts';
import { ALLOWED_METHODS } from '../core/headers.ts';
import { MOST_URL_BYTES } from '../core/paths.ts';
import { LONG } from './answering.ts';
import { connectionsOf, isUnderWay, turnsOf } from './connections.ts';
import { requestOf, type HttpRequest, type Later, type Reply, type WholeReply } from './content.ts';
import { LIMITS, SERVER_OPTIONS } from '../core/limits.ts';
import { isForMcp, type Routes } from './routes.ts';
import { bodiesUnderWay, LARGE_BYTES, type Sending } from './sending.ts';

/** Answers a request through Request and Response, or fails. */
export type WebListener = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** How long a refused connection is still read: closing it at once could lose the reply on its way. */
const LINGER_MS = 500;
/** The most replies that are written together: more gain no more, and the first of them would wait for the last. */
const MOST_TOGETHER = 16;
/** A larger body is written at once, so that its turn counts the time: the system copies as much as it has room for. */
const ALONE_BYTES = 256 * 1024;
/** Reading a message of MCP takes so many milliseconds after its turn. */
const MCP_MS = 1;
/** Stands for a request that could not be read: its errors are those of the API. */
const UNREADABLE = requestOf('GET', '/api', () => null);
const BUSY = new Fault('unavailable', 'Too many requests at once. Try again later.');

/** Serves `routes` and, for MCP, what `web` loads. Returns a function that ends every connection that waits for no reply. */
export function listen(
  server: Server,
  routes: Routes,
  web: () => Promise<WebListener>,
  sending: Sending = bodiesUnderWay(),
): () => void {
  const connections = connectionsOf(server);
  /** Write the replies made in this turn. They leave together, so that a client that waits for several is woken once. */
  const made: (() => void)[] = [];
  const leave = (): void => made.splice(0).forEach((give) => give());
  const turns = turnsOf(server, leave);
  const refuse = (fault: Fault, status?: number): WholeReply =>
    closing(routes.failed(fault, UNREADABLE), status);
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    // The connection may have ended before this turn; and a request with a broken or late body has had its reply.
    if (response.socket === null || response.socket.destroyed || response.headersSent) return;
    // A server that stops takes no further request on a connection.
    response.shouldKeepAlive &&= server.listening;
    const fault = faultOf(request);
    if (fault) write(response, refuse(fault));
    else {
      const path = pathOf(request.url ?? '/');
      const isMcp = isForMcp(path);
      const job = (): void => void answer(request, response);
      if (!turns.begin(job, isMcp || LONG.test(path), isMcp ? MCP_MS : 0))
        write(response, routes.failed(BUSY, requestIn(request)));
    }
  };
  const fail = (response: ServerResponse, request: HttpRequest, error: unknown): void => {
    if (response.headersSent) response.destroy();
    else write(response, routes.failed(error, request));
  };
  /** Writes a reply. What the client does not take at once counts as unsent until the end, and has to fit the limit. */
  const give = (response: ServerResponse, reply: Reply, request: HttpRequest): void => {
    const { body, counted, taken } = reply;
    // The connection may have ended since; and a request with a broken or late body has had its reply.
    if (response.destroyed || response.headersSent) return taken?.();
    try {
      if (!counted || !(body instanceof Uint8Array)) return write(response, reply);
      if (body.length > LARGE_BYTES && !sending.fits(body)) throw BUSY;
      write(response, reply);
      if (response.writableLength === 0) return;
      if (sending.fits(body)) response.once('close', sending.begin(body));
      else response.destroy();
    } catch (error) {
      fail(response, request, error);
    }
  };
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, url = '/', socket } = incoming;
    // Where the target is a whole address, its host counts, whatever Host says (RFC 9112, 3.2.2).
    if (!url.startsWith('/') && url !== '*') headers.host = new URL(url).host;
    const request = requestIn(incoming, turns.goOn);
    try {
      if (isForMcp(pathOf(url))) {
        const { requests, bytes } = connections.mcp();
        if (requests >= LIMITS.mcpRequests || bytes > LIMITS.unsentMcpBytes) throw BUSY;
        connections.of(socket).isMcp = true;
        const listener = await web();
        await listener(incoming, response);
      } else {
        connections.of(socket).isMcp = false;
        const reply = routes.reply(request);
        const isLarge = ({ body }: Reply): boolean => body instanceof Uint8Array && body.length > ALONE_BYTES;
        const add = (whole: Reply): void => {
          if (made.push(() => give(response, whole, request)) >= MOST_TOGETHER || isLarge(whole)) leave();
        };
        // Most replies are made at once; late ones may come together, where many waited for the same.
        if (!(reply instanceof Promise)) return add(reply);
        const late = await reply;
        await turns.take(() => add(late), !isLarge(late));
      }
    } catch (error) {
      fail(response, request, error);
    }
  };
  /** One request of a connection at a time: the next waits until the reply before it has left, and nothing more is read. */
  const receive = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const connection = connections.of(socket);
    const before = connection.last;
    connection.last = response;
    // A response that has left is closed a moment later: only then may the next be written.
    if (!before || before.destroyed) return begin(request, response);
    if (!connections.wait(connection)) return void socket.destroy();
    socket.pause();
    before.once('close', () => {
      // In a turn of its own, so that the requests of one connection do not hold up those of others.
      setImmediate(() => {
        if (connections.wake(connection)) socket.resume();
        begin(request, response);
      });
    });
  };
  let ending = 0;
  /** Ends broken connections in turns; where thousands are broken at once, most get no reply. */
  const endInTurn = (socket: Duplex, reply: () => WholeReply): void => {
    const isAnswered = ending < LIMITS.brokenRequests;
    ending += 1;
    void turns.take(() => {
      ending -= 1;
      if (isAnswered) end(socket, reply());
      else socket.destroy();
    });
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
    // Replies that are made already are written before the error.
    leave();
    const connection = connections.of(socket);
    // What follows on a broken connection is broken too and says nothing new.
    if (connection.isBroken || !socket.writable) return;
    connection.isBroken = true;
    const pending = connection.last;
    // Made only for connections that get one: making an error takes longer than everything else here.
    const reply = (): WholeReply => refuse(...faultOfParser(error));
    // Replies to the requests before come first, and nothing is written into the middle of one.
    const after = (then: () => void): void =>
      isUnderWay(pending) ? void pending.once('finish', then) : then();
    if (!pending || pending.req.complete) return after(() => endInTurn(socket, reply));
    // It is the body of a request that is broken or late: this is its reply, unless it has one already, or its body does not matter.
    if (!pending.headersSent && isForMcp(pathOf(pending.req.url ?? '/'))) return write(pending, reply());
    pending.shouldKeepAlive = false;
    after(() => socket.destroy());
  });
  // A client that closes its sending side may still wait for responses: node would close the connection before they are made.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.setTimeout(LIMITS.noProgress);
  // One more than is accepted, so that a surplus field is noticed.
  server.maxHeadersCount = LIMITS.headerFields + 1;
  return connections.hangUp;
}

function requestIn({ method = 'GET', headers, url = '/' }: IncomingMessage, later?: Later): HttpRequest {
  return requestOf(method, pathOf(url), (name) => headers[name]?.toString() ?? null, later);
}

/** Path and query of a target in any form that faultOf admits. */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target;
  if (target === '*') return '/*';
  const path = target.slice(target.indexOf('//') + 2).replace(/^[^/?#]*/, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Writes a reply; what is not in memory is read while it is sent. */
function write(response: ServerResponse, { status, headers, body, taken }: Reply): void {
  response.writeHead(status, headers as string[]);
  if (body === null || body instanceof Uint8Array) {
    response.end(body);
    // The system has usually taken everything by now; if not, it does later, unless the connection breaks.
    if (taken && response.writableLength === 0) taken();
    else if (taken) response.once('finish', taken);
    return;
  }
  response.flushHeaders();
  void writeParts(response, body);
}

/** Writes parts as fast as the client takes them. A failure ends the connection, so that the client sees that something is missing. */
async function writeParts(response: ServerResponse, parts: AsyncIterable<Uint8Array>): Promise<void> {
  let goOn = (): void => undefined;
  response.on('drain', () => goOn()).on('close', () => goOn());
  try {
    for await (const part of parts) {
      if (!response.destroyed && !response.write(part)) await new Promise<void>((taken) => (goOn = taken));
      // Nothing more is read for a client that left.
      if (response.destroyed) return;
    }
    response.end();
  } catch {
    response.destroy();
  }
}

const TARGET_NOT_ASCII =
  'The request target must be ASCII without spaces: write other characters as percent-encoded UTF-8, such as %C3%A9 for é and %20 for a space.';

function faultOf({ headers, httpVersion, rawHeaders, url = '' }: IncomingMessage): Fault | null {
  if (headers.host === undefined && httpVersion === '1.1')
    return new Fault('invalid_request', 'The request has no Host header; HTTP/1.1 requires one.');
  if (rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && /^host$/i.test(name)).length > 1)
    return new Fault('invalid_request', 'The request has more than one Host header.');
  if (/[\s"#,/<>?@\\]/.test(headers.host ?? ''))
    return new Fault('invalid_request', 'The Host header must be a host name, with a port or without.');
  if (rawHeaders.length > 2 * LIMITS.headerFields)
    return new Fault('invalid_request', `The request has more than ${LIMITS.headerFields} header fields.`);
  // Older versions of node pass these on, read as Latin-1.
  if (/[^!-~]/.test(url)) return new Fault('invalid_request', TARGET_NOT_ASCII);
  if (!url.startsWith('/') && url !== '*' && !(/^https?:\/\/[^/?#]/i.test(url) && URL.canParse(url)))
    return new Fault('invalid_request', 'The request target must be a path or an http or https address.');
  return null;
}

/** A request line with any token as its method (RFC 9110, 9.1): node knows a list of them. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** A request line with anything as its target. */
const ANY_TARGET = /^[A-Z]+ (.*) HTTP\/1\.[01]\r?\n/;

/** Node's error for a request it cannot read; the first `bytesParsed` bytes of the packet were well-formed. */
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
  if (/[^!-~]/.test(ANY_TARGET.exec(brokenLine)?.[1] ?? ''))
    return [new Fault('invalid_request', TARGET_NOT_ASCII)];
  // 408 also closes connections that browsers open ahead and never use: they know it, a 400 would be shown.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [new Fault('invalid_request', 'The request did not arrive in time.'), 408];
  return [new Fault('invalid_request', 'This is not a well-formed HTTP request.')];
}

/** The reply, as the last one of its connection. */
function closing({ headers, body, ...reply }: WholeReply, status = reply.status): WholeReply {
  return { status, headers: [...headers, 'connection', 'close'], body };
}

function end(socket: Duplex, { status, headers, body }: WholeReply): void {
  let head = `HTTP/1.1 ${status} \r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  // In one packet: where the client is gone, writing a second one would fail.
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), body ?? Buffer.alloc(0)]));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
