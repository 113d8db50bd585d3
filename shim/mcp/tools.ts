/**
 * The tools: every operation that has one. Input schema, output schema, description and answer are the operation's own;
 * nothing here decides what a resource says.
 */
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { inputSchema, type RawInput } from '../core/arguments.ts';
import { call, type Report } from '../core/call.ts';
import { payloadBytes } from '../core/envelope.ts';
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
  const result = await call(operation, raw, context, report);
  if (result.ok) {
    const text = new TextDecoder().decode(payloadBytes(result.payload));
    return evidence(operation, JSON.parse(text) as JsonObject, text);
  }
  const { code, message } = result.fault;
  if (code === 'unavailable')
    return evidence(operation, result.data ?? { status: 'unavailable', error: { code, message } });
  return { content: [{ type: 'text', text: message }], isError: true };
}

function evidence(operation: Operation, data: JsonObject, text = JSON.stringify(data)): CallToolResult {
  return {
    content: [{ type: 'text', text }, ...linksOf(operation.name, data)],
    structuredContent: data,
    isError: false,
  };
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
