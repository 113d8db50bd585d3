/** Asks the MCP door in process: one message over HTTP, both generations, without a port. */
import type { Context, JsonObject, JsonValue, Peers } from '../../shim/core/types.ts';
import { mcpHandler } from '../../shim/mcp/server.ts';
import { builtStore, builtTree, TEST_SITE } from '../_support/tree.ts';

export const HOST = new URL(TEST_SITE).host;
export const VERSION = '2026-07-28';

export type Handler = (request: Request) => Promise<Response>;

/** `_meta` of a self-contained request. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The context of the built tree, or of a copy a test damaged. */
export function contextOf(root = builtTree(), peers: Peers = {}): Context {
  return { settings: { siteUrl: TEST_SITE }, release: builtStore(root), peers };
}

/** The door over a context; what it reports is kept in `reports`. */
export function doorOf(context = contextOf(), reports: unknown[] = []): Handler {
  return mcpHandler(context, {
    allowedHosts: [HOST],
    allowedOrigins: [HOST, 'localhost'],
    report: (error) => reports.push(error),
  });
}

/** A POST with these headers; `null` leaves one out. */
export function post(body: unknown, headers: Record<string, string | null> = {}): Request {
  const all: Record<string, string | null> = {
    host: HOST,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const sent = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request(`${TEST_SITE}/mcp`, { method: 'POST', headers: Object.fromEntries(sent), body: text });
}

/** A well-formed modern request. */
export function modern(method: string, params: Record<string, unknown> = {}, id = 7): Request {
  const name = params['name'] ?? params['uri'];
  return post(
    { jsonrpc: '2.0', id, method, params: { ...params, _meta: META } },
    {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      'mcp-name': typeof name === 'string' ? name : null,
    },
  );
}

/** A JSON-RPC answer as tests look at it. */
export interface Answered {
  status: number;
  headers: Headers;
  result: JsonObject;
  error: { code: number; message: string; data?: JsonValue } | undefined;
  id: unknown;
}

/** Sends a request and reads its JSON body. */
export async function answered(handler: Handler, request: Request): Promise<Answered> {
  const response = await handler(request);
  const text = await response.text();
  const body = text === '' ? {} : JSON.parse(text.startsWith('event:') ? dataOf(text) : text);
  return {
    status: response.status,
    headers: response.headers,
    result: body.result,
    error: body.error,
    id: body.id,
  };
}

/** A tool's result as the protocol defines it. */
export interface ToolResult {
  content: { type: string; text?: string; uri?: string }[];
  structuredContent?: JsonObject;
  isError?: boolean;
}

/** Calls a tool; gives its result. */
export async function callTool(
  handler: Handler,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolResult> {
  const { result, error } = await answered(handler, modern('tools/call', { name, arguments: args }));
  if (error) throw new Error(`${name}: ${error.code} ${error.message}`);
  return result as unknown as ToolResult;
}

function dataOf(stream: string): string {
  return (stream.split('\n').findLast((line) => line.startsWith('data: ')) ?? '').slice(6);
}
