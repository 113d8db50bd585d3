/** Calls the MCP handler in process: one message over HTTP, both generations, without a port. */
import type { JsonObject, JsonValue } from '../../shim/core/types.ts';
import { mcpHandler } from '../../shim/mcp/server.ts';
import { HOST, modern } from '../_support/mcp-request.ts';
import { testContext } from '../_support/doors.ts';

export { HOST, META, VERSION, modern, post } from '../_support/mcp-request.ts';

export type Handler = (request: Request) => Promise<Response>;

/** The handler over a context; what it reports is kept in `reports`. */
export function doorOf(context = testContext(), reports: unknown[] = []): Handler {
  return mcpHandler(context, {
    allowedHosts: [HOST],
    allowedOrigins: [HOST, 'localhost'],
    report: (error) => reports.push(error),
  });
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
  const body = text === '' ? {} : JSON.parse(text.startsWith('event:') ? lastEvent(text) : text);
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

/** The structured content of a call that succeeds. */
export async function dataOf(handler: Handler, name: string, args: JsonObject = {}): Promise<JsonObject> {
  const { structuredContent } = await callTool(handler, name, args);
  if (!structuredContent) throw new Error(`${name} gave no structured content`);
  return structuredContent;
}

function lastEvent(stream: string): string {
  return (stream.split('\n').findLast((line) => line.startsWith('data: ')) ?? '').slice(6);
}
