/**
 * The HTTP side of /mcp: who may ask (Host, Origin, CORS), what is a request (POST, JSON, 64 KiB), which generation it
 * speaks, and how long a listen stream lasts. It knows no tool: the factory brings those, so a test fixture can be mounted
 * on the very same transport. Routing metadata against the body is the SDK's check; this file adds what the SDK leaves open.
 */
import {
  createMcpHandler,
  isJsonContentType,
  ProtocolErrorCode,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import type { Report } from '../core/call.ts';
import { hostCheck, originCheck } from '../core/hosts.ts';
import { readBody } from './body.ts';
import { preflight, withCors } from './cors.ts';
import { refusal } from './refusal.ts';
import { classify, isListen, refusedHere } from './routing.ts';

/** Who may ask, and where masked errors go. */
export interface DoorOptions {
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
const TRANSPORT_ERROR = -32_000;

/** Serves `factory` over stateless Streamable HTTP, both generations. The handler it gives never throws. */
export function mcpDoor(
  factory: McpServerFactory,
  { allowedHosts, allowedOrigins, report, listenMs = LISTEN_MS }: DoorOptions,
): (request: Request) => Promise<Response> {
  const isHost = hostCheck(allowedHosts);
  const isOrigin = originCheck(allowedOrigins);
  // What the SDK reports are refusals of what clients sent: answered already, and no news to the log.
  const serve = createMcpHandler(factory, { legacy: 'stateless' });

  const answer = async (request: Request): Promise<Response> => {
    if (request.method === 'OPTIONS') return preflight();
    if (request.method !== 'POST') return notAllowed(request.method);
    if (!isJsonContentType(request.headers.get('content-type')))
      return refusal(415, TRANSPORT_ERROR, 'Content-Type must be application/json.');
    const read = await readBody(request, MAX_BODY_BYTES);
    if (read === 'too large')
      return refusal(413, TRANSPORT_ERROR, `The body may hold ${MAX_BODY_BYTES} bytes at most.`);
    if (read === 'not json')
      return refusal(400, ProtocolErrorCode.ParseError, 'The body is not valid UTF-8 JSON.');
    const { body } = read;
    const outcome = classify(request, body);
    const refused = refusedHere(outcome, request, body);
    if (refused) return refused;
    if (!isListen(outcome)) return serve.fetch(request, { parsedBody: body });
    return listen(factory, request, body, listenMs);
  };

  return async (request) => {
    try {
      const { headers } = request;
      if (!isHost(headers.get('host'))) return notAdmitted('Host');
      if (!isOrigin(headers.get('origin'))) return notAdmitted('Origin');
      return withCors(request, await answer(request));
    } catch (error) {
      report(error);
      return refusal(500, ProtocolErrorCode.InternalError, 'Internal error.');
    }
  };
}

function notAdmitted(header: string): Response {
  return refusal(403, TRANSPORT_ERROR, `This ${header} may not ask here; the operator sets which may.`);
}

function notAllowed(method: string): Response {
  const message = `${method} is not served here: POST one JSON-RPC message.`;
  return refusal(405, TRANSPORT_ERROR, message, { headers: { allow: 'POST, OPTIONS' } });
}

/** A handler of its own for each listen stream: closing it is how the SDK ends a stream with a proper last result. */
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
