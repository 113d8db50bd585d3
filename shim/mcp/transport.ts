/**
 * The HTTP side of /mcp: who may send (Host, Origin, CORS), what is a request (POST, JSON, 64 KiB), which generation it
 * speaks, and how long a listen stream lasts. It knows no tool: the factory brings those, so a test fixture can be mounted
 * on the very same transport.
 */
import { createMcpHandler, isJsonContentType, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { Report } from '../core/call.ts';
import { quoted } from '../core/faults.ts';
import { hostCheck, originCheck } from '../core/hosts.ts';
import { LIMITS } from '../core/limits.ts';
import {
  classify,
  isListen,
  readMessage,
  refusal,
  refusedMessage,
  SESSION_HEADER,
  sessionOf,
  withVersion,
} from './protocol.ts';

/** Who may send requests, and where masked errors go. */
export interface TransportOptions {
  /** Entries of MCP_ALLOWED_HOSTS: what is accepted in `Host`. */
  allowedHosts: string[];
  /** Entries of MCP_ALLOWED_ORIGINS: what is accepted in `Origin`. */
  allowedOrigins: string[];
  report: Report;
  /** How long a listen stream may last, in milliseconds: 20,000 unless a test says otherwise. */
  listenMs?: number;
}

/** Largest body in bytes. */
export const MAX_BODY_BYTES = 65_536;
const LISTEN_MS = 20_000;
/** Seconds after which a message that was refused under load may be sent again. */
const RETRY_SECONDS = '5';
/** The JSON-RPC error code of refusals at the level of HTTP. */
const TRANSPORT_ERROR = -32_000;

const ALLOW = 'POST, OPTIONS';
const PREFLIGHT = {
  allow: ALLOW,
  'access-control-allow-methods': ALLOW,
  'access-control-allow-headers':
    'Accept, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
  'access-control-max-age': '86400',
};

/** Serves `factory` over stateless Streamable HTTP, both generations. The handler it gives never throws. */
export function mcpTransport(
  factory: McpServerFactory,
  { allowedHosts, allowedOrigins, report, listenMs = LISTEN_MS }: TransportOptions,
  turn: Turn = turns(),
): (request: Request) => Promise<Response> {
  const isHost = hostCheck(allowedHosts);
  const isOrigin = originCheck(allowedOrigins);
  // The SDK would only report refused messages, which their responses explain: nothing of it is logged.
  const handler = createMcpHandler(factory, { legacy: 'stateless' });

  const respond = async (sent: Request): Promise<Response> => {
    const { method, headers } = sent;
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers: PREFLIGHT });
    if (method !== 'POST')
      return refused(405, `${method} is not served here: POST one JSON-RPC message.`, { allow: ALLOW });
    if (!isJsonContentType(headers.get('content-type')))
      return refused(415, 'Content-Type must be application/json.');
    const bytes = await readBytes(sent);
    if (bytes === null)
      return refused(413, `Request body exceeds ${MAX_BODY_BYTES.toLocaleString('en')} bytes.`);
    if (!(await turn()))
      return refused(503, 'Too many messages at once. Try again later.', { 'retry-after': RETRY_SECONDS });
    let body: unknown;
    let twice: string | null;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      ({ body, twice } = readMessage(text));
    } catch {
      return refusal(400, ProtocolErrorCode.ParseError, 'The body is not valid UTF-8 JSON.');
    }
    if (twice !== null)
      return refusal(
        400,
        ProtocolErrorCode.InvalidRequest,
        `The body has the member ${quoted(twice)} twice in one object: send one value.`,
        { body },
      );
    const request = withVersion(sent, body);
    const outcome = classify(request, body);
    const refusedBefore = refusedMessage(outcome, request, body);
    if (refusedBefore !== null) return refusedBefore;
    if (isListen(outcome)) return listen(factory, request, body, listenMs);
    const response = await handler.fetch(request, { parsedBody: body });
    const session = outcome.kind === 'legacy' ? sessionOf(body) : null;
    if (session !== null && response.ok) response.headers.set(SESSION_HEADER, session);
    return response;
  };

  const admitted = async (request: Request): Promise<Response> => {
    const { headers } = request;
    if (!isHost(headers.get('host')))
      return refused(
        403,
        'Host not allowed. The operator of this service lists accepted hosts in MCP_ALLOWED_HOSTS.',
      );
    if (!isOrigin(headers.get('origin')))
      return refused(
        403,
        'Origin not allowed. The operator of this service lists accepted origins in MCP_ALLOWED_ORIGINS.',
      );
    return withCors(request, await respond(request));
  };
  return async (request) => {
    try {
      return marked(await admitted(request));
    } catch (error) {
      // A client that left in the middle of its request is not a failure of the service.
      if (!request.signal.aborted) report(error);
      return marked(refusal(500, ProtocolErrorCode.InternalError, 'Internal error.'));
    }
  };
}

function refused(status: number, message: string, headers: Record<string, string> = {}): Response {
  return refusal(status, TRANSPORT_ERROR, message, { headers });
}

/** The bytes of a body; null when there are too many. Reading stops at the limit, whatever Content-Length said. */
async function readBytes(request: Request): Promise<Uint8Array | null> {
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** The same response with the fields of every one. */
function marked(response: Response): Response {
  const { headers } = response;
  headers.set('vary', 'Origin');
  headers.set('x-content-type-options', 'nosniff');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  return response;
}

/** The same response, readable by the page that sent the request; its Origin was checked before, so it is echoed, never `*`. */
function withCors(request: Request, response: Response): Response {
  const { headers } = response;
  const origin = request.headers.get('origin');
  if (origin) {
    headers.set('access-control-allow-origin', origin);
    headers.set('access-control-expose-headers', 'MCP-Protocol-Version, Mcp-Session-Id, Retry-After');
  }
  return response;
}

/** Each listen stream has its own handler: closing that is how the SDK ends a stream with a proper last result. */
async function listen(
  factory: McpServerFactory,
  request: Request,
  body: unknown,
  listenMs: number,
): Promise<Response> {
  const own = createMcpHandler(factory);
  const response = await own.fetch(request, { parsedBody: body });
  if (response.body === null) return response;
  const timer = setTimeout(() => void own.close(), listenMs).unref();
  const ended = new TransformStream<Uint8Array, Uint8Array>({ flush: () => clearTimeout(timer) });
  return new Response(response.body.pipeThrough(ended), response);
}

/** Turns of the event loop after each turn of work: node accepts one new connection in each. */
const BETWEEN = 32;

/** Resolves to true when it is the caller's turn; to false at once where too many wait already. */
export type Turn = () => Promise<boolean>;

/** Gives turns of work one after the other, with time in between in which other requests are read and answered. */
export function turns(): Turn {
  const waiting: ((isTurn: boolean) => void)[] = [];
  let free = 0;
  const next = (): void => {
    free -= 1;
    if (free <= 0) {
      const done = waiting.shift();
      free = done ? BETWEEN : 0;
      done?.(true);
    }
    if (free > 0) setImmediate(next);
  };
  return () =>
    new Promise((done) => {
      if (waiting.length >= LIMITS.waitingMessages) return done(false);
      waiting.push(done);
      if (free <= 0) next();
    });
}
