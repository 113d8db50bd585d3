/**
 * The two generations of the protocol: which versions are served, which generation a message uses, and which messages are refused
 * before any server sees them. Most of this is the SDK's classification; this file adds what it leaves open.
 */
import {
  classifyInboundRequest,
  isInitializeRequest,
  preloadSchemas,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import type { InboundClassificationOutcome } from '@modelcontextprotocol/server';
import { MCP_VERSIONS } from '../core/operations/all.ts';
import type { Steps } from '../core/steps.ts';

/** Every version served. */
export const SERVED_VERSIONS = [MCP_VERSIONS.current, ...MCP_VERSIONS.legacy];

/** The header that names the version of a request. */
const VERSION_HEADER = 'mcp-protocol-version';
/** The header in which clients repeat the session id of the response to `initialize`. */
export const SESSION_HEADER = 'Mcp-Session-Id';
/** A session id only names the negotiated version, so no session is kept. */
const SESSION = /^v-(.+)$/;

/** The protocol's code for headers that do not match the body. */
const HEADER_MISMATCH = -32_020;
/** Members of `_meta` that a self-contained request carries. */
const ROUTING_META = [
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientCapabilities',
];

/** A JSON-RPC error as an HTTP response, without a server; the id of the request is echoed when `body` has one. */
export function refusal(
  status: number,
  code: number,
  message: string,
  { body, data, headers = {} }: { body?: unknown; data?: unknown; headers?: Record<string, string> } = {},
): Response {
  const id = member(body, 'id');
  return Response.json(
    {
      jsonrpc: '2.0',
      error: { code, message, ...(data === undefined ? {} : { data }) },
      id: typeof id === 'string' || typeof id === 'number' ? id : null,
    },
    { status, headers },
  );
}

/** The protocol error -32602 with a message that says what is accepted. */
export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/**
 * The session id in the response to `initialize`; null for any other message. Many clients repeat it and leave the version
 * header out. A version that is not served is answered with the newest.
 */
export function sessionOf(body: unknown): string | null {
  if (!isInitializeRequest(body)) return null;
  const { protocolVersion: requested } = body.params;
  const { legacy } = MCP_VERSIONS;
  return `v-${legacy.includes(requested) ? requested : legacy[0]}`;
}

/** The request with the version header that its session id stands for; the request itself where it needs or has none. */
export function withVersion(request: Request, body: unknown): Request {
  const version = SESSION.exec(request.headers.get(SESSION_HEADER) ?? '')?.[1] ?? '';
  const isNamed = request.headers.has(VERSION_HEADER) || member(body, 'method') === 'initialize';
  if (isNamed || !MCP_VERSIONS.legacy.includes(version)) return request;
  const headers = new Headers(request.headers);
  headers.set(VERSION_HEADER, version);
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}

/** Whether a client accepts links in results: several clients that negotiate 2025-06-18 or older refuse the whole result. */
export function takesLinks({ headers }: Request): boolean {
  return (headers.get(VERSION_HEADER) ?? '') >= '2025-11-25';
}

/** Makes the schemas of the SDK, in steps: else the first message makes them, which takes longer than that message. */
export function* messageSchemas(): Steps<void> {
  const params = { _meta: { [PROTOCOL_VERSION_META_KEY]: MCP_VERSIONS.current } };
  classifyInboundRequest({ httpMethod: 'POST', body: { jsonrpc: '2.0', id: 1, method: 'none', params } });
  yield;
  preloadSchemas();
}

/** The SDK's judgement of which generation a message uses. */
export function classify({ method, headers }: Request, body: unknown): InboundClassificationOutcome {
  const sent = (option: string, name: string): Record<string, string> => {
    const value = headers.get(name);
    return value === null ? {} : { [option]: value };
  };
  return classifyInboundRequest({
    httpMethod: method,
    body,
    ...sent('protocolVersionHeader', VERSION_HEADER),
    ...sent('mcpMethodHeader', 'mcp-method'),
    ...sent('mcpNameHeader', 'mcp-name'),
  });
}

/** The refusal of a message that the SDK would serve as legacy traffic or refuse with another code; null for any other message. */
export function refusedMessage(
  outcome: InboundClassificationOutcome,
  request: Request,
  body: unknown,
): Response | null {
  if (outcome.kind === 'reject' && hasBrokenMeta(body))
    return refusal(
      400,
      ProtocolErrorCode.InvalidParams,
      'params._meta must be an object, its progressToken a string or an integer.',
      { body },
    );
  const surplus = surplusName(request, body);
  if (surplus !== null) return refusal(400, HEADER_MISMATCH, surplus, { body });
  if (outcome.kind !== 'legacy') return null;
  if (outcome.reason === 'batch') return invalidRequest('Batches are not served: POST one JSON-RPC message.');
  if (outcome.reason === 'response')
    return invalidRequest('This server sends no requests, so it accepts no responses.');
  const mismatch = headerMismatch(request, body);
  if (mismatch !== null) return refusal(400, HEADER_MISMATCH, mismatch, { body });
  if (outcome.reason !== 'no-claim') return null;
  const { requestedVersion: requested } = outcome;
  if (requested === undefined)
    return refusal(
      400,
      ProtocolErrorCode.InvalidParams,
      `Routing metadata is missing: send params._meta with ${ROUTING_META.join(' and ')} and the headers MCP-Protocol-Version and Mcp-Method, or initialize first and send the negotiated MCP-Protocol-Version or the Mcp-Session-Id of that response.`,
      { body, data: { envelope: { missing: ROUTING_META } } },
    );
  if (MCP_VERSIONS.legacy.includes(requested)) return null;
  return refusal(
    400,
    ProtocolErrorCode.UnsupportedProtocolVersion,
    `Unsupported protocol version: ${requested}`,
    { body, data: { supported: SERVED_VERSIONS, requested } },
  );
}

/** Whether a message opens a listen stream. */
export function isListen(outcome: InboundClassificationOutcome): boolean {
  return (
    outcome.kind === 'modern' &&
    outcome.messageKind === 'request' &&
    outcome.message.method === 'subscriptions/listen'
  );
}

function invalidRequest(message: string): Response {
  return refusal(400, ProtocolErrorCode.InvalidRequest, message);
}

/** Whether `_meta` or its progress token has a wrong type: the SDK would say that the message is not JSON-RPC at all. */
function hasBrokenMeta(body: unknown): boolean {
  const meta = member(member(body, 'params'), '_meta');
  if (meta === undefined) return false;
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) return true;
  const token = member(meta, 'progressToken');
  return token !== undefined && typeof token !== 'string' && !Number.isInteger(token);
}

/** Which member of params the header Mcp-Name repeats, by method. */
const NAMES = new Map<unknown, string>([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** A sentence about a header Mcp-Name that repeats nothing in the body; null where there is none. Tasks are named by an id. */
function surplusName({ headers }: Request, body: unknown): string | null {
  const method = member(body, 'method');
  if (!headers.has('mcp-name') || typeof method !== 'string' || method.startsWith('tasks/')) return null;
  const name = NAMES.get(method);
  if (name === undefined) return `Header Mcp-Name does not match the body: ${method} has no name.`;
  if (typeof member(member(body, 'params'), name) === 'string') return null;
  return `Header Mcp-Name does not match the body: params.${name} is not a string.`;
}

/**
 * A sentence about the first routing header that does not match the body; null where all that are sent match. Older clients
 * need not send them, but a proxy that routes by headers and this server must not see different requests.
 */
function headerMismatch({ headers }: Request, body: unknown): string | null {
  const method = member(body, 'method');
  const params = member(body, 'params');
  const name = NAMES.get(method);
  const version = method === 'initialize' ? member(params, 'protocolVersion') : undefined;
  const pairs: [header: string, sent: string | null, path: string, inBody: unknown][] = [
    ['Mcp-Method', headers.get('mcp-method'), 'method', method],
    ['Mcp-Name', decoded(headers.get('mcp-name')), `params.${name}`, name && member(params, name)],
    ['MCP-Protocol-Version', headers.get(VERSION_HEADER), 'params.protocolVersion', version],
  ];
  // Members that are missing or not text are refused as such elsewhere.
  const wrong = pairs.find(
    ([, sent, , inBody]) => sent !== null && typeof inBody === 'string' && sent !== inBody,
  );
  return wrong ? `Header ${wrong[0]} does not match ${wrong[2]} in the body.` : null;
}

/** A header's value; names that are not plain ASCII travel as `=?base64?…?=`. What cannot be decoded matches no name. */
function decoded(value: string | null): string | null {
  const base64 = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? '')?.[1];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}

/** An own member of a JSON object. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** The levels of lists and objects that a message is read to. No method takes more, and no text of a refusal shows more. */
export const MAX_LEVELS = 128;

/** A string, closed or not, with the colon after it where it is the name of a member. */
const STRING = /("[^"\\]*(?:\\[^][^"\\]*)*"?)([ \n\r\t]*:)?/y;

/**
 * A message as JSON.parse reads it, with null for what lies below 128 levels: tens of thousands of lists would be built and collected
 * as garbage for a refusal. With it the first member name that occurs twice in one object, where JSON.parse keeps the last; null
 * where there is none. Throws what JSON.parse throws.
 */
export function readMessage(text: string): { body: unknown; twice: string | null } {
  /** The names in each container around a character, down to the last level that is read. */
  const open: Set<string>[] = [];
  let depth = 0;
  let twice: string | null = null;
  let shallow = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') {
      depth += 1;
      if (depth <= MAX_LEVELS) open.push(new Set());
      else if (depth === MAX_LEVELS + 1) shallow += `${text.slice(from, at)}null`;
    } else if (character === '}' || character === ']') {
      if (depth <= MAX_LEVELS) open.pop();
      else if (depth === MAX_LEVELS + 1) from = at + 1;
      depth -= 1;
    } else if (character === '"') {
      STRING.lastIndex = at;
      const [whole, string = '', colon] = STRING.exec(text) ?? [character];
      if (colon !== undefined && depth <= MAX_LEVELS) {
        const names = open.at(-1);
        const name = JSON.parse(string) as string;
        if (names?.has(name)) twice ??= name;
        names?.add(name);
      }
      at += whole.length - 1;
    }
  }
  // What is never closed stays so: null is not followed by the brackets above it.
  return { body: JSON.parse(depth > MAX_LEVELS ? shallow : shallow + text.slice(from)), twice };
}
