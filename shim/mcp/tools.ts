/**
 * The tools: every operation that has one. Input schema, output schema, description and answer are the operation's own;
 * nothing here decides what a resource says.
 */
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { inputSchema, readInput, type RawInput } from '../core/arguments.ts';
import { call, type Report } from '../core/call.ts';
import type { Operation } from '../core/operation.ts';
import { OPERATIONS } from '../core/operations/all.ts';
import type { Context, JsonObject } from '../core/types.ts';
import { linksOf } from './links.ts';
import { outputSchema } from './output-schema.ts';

/** An operation as a tool. */
interface OfferedTool {
  operation: Operation;
  tool: Tool;
}

const OFFERED: OfferedTool[] = OPERATIONS.flatMap((operation) =>
  operation.tool === null ? [] : [{ operation, tool: toolOf(operation, operation.tool) }],
);

/** Every tool, in the order of the operations. */
export const TOOLS: Tool[] = OFFERED.map(({ tool }) => tool);

/** The operation behind a tool's name. */
export function operationOfTool(name: string): Operation | undefined {
  return OFFERED.find(({ tool }) => tool.name === name)?.operation;
}

/**
 * Answers one tool call: structured content is the REST `data`, the text block the same JSON. Unavailable evidence is a
 * result, refused arguments an error with the REST message, anything unexpected a masked error.
 */
export async function callTool(
  operation: Operation,
  raw: RawInput,
  context: Context,
  report: Report,
): Promise<CallToolResult> {
  const answer = await call(operation, raw, context, report);
  const body = JSON.parse(new TextDecoder().decode(answer.body)) as { data?: JsonObject; message?: string };
  if (body.data) return evidence(operation, body.data);
  const message = body.message ?? '';
  if (answer.fault === 'unavailable')
    return evidence(operation, unavailableData(operation, raw, context, message, report));
  return { content: [{ type: 'text', text: message }], isError: true };
}

function evidence(operation: Operation, data: JsonObject): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(data) }, ...linksOf(operation.name, data)],
    structuredContent: data,
    isError: false,
  };
}

/** The payload that says unavailable where the resource has one, else the plain object its tool's output schema allows. */
function unavailableData(
  operation: Operation,
  raw: RawInput,
  context: Context,
  message: string,
  report: Report,
): JsonObject {
  try {
    const payload = operation.unavailable?.(readInput(operation, raw), context, message);
    if (payload) return payload;
  } catch (error) {
    report(error);
  }
  return { status: 'unavailable', error: { code: 'unavailable', message } };
}

function toolOf(operation: Operation, name: string): Tool {
  const { title } = operation.output;
  return {
    name,
    ...(typeof title === 'string' ? { title } : {}),
    description: operation.summary,
    inputSchema: { ...inputSchema(operation), type: 'object' },
    outputSchema: { ...outputSchema(operation), type: 'object' },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: operation.freshness === 'live',
    },
  };
}
