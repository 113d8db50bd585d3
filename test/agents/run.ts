/** Asks an agent every question through the MCP endpoint of a tree, and counts its calls and the bytes it receives. */
import type { JsonObject } from '../../shim/core/types.ts';
import { mcpHandler } from '../../shim/mcp/server.ts';
import { openReleases } from '../../shim/store/release.ts';
import { HOST, modern } from '../_support/mcp-request.ts';
import type { Question } from './questions.ts';
import { failureOf, type Outcome } from './score.ts';

/** A tool as tools/list describes it. */
export interface ListedTool {
  name: string;
  description: string;
  inputSchema: JsonObject;
}

/** A response of a tool: its text, and the same as data where it is no refusal. */
export interface Reply {
  isError: boolean;
  text: string;
  data: JsonObject | null;
}

/** What an agent has: the tools, and a way to call them. */
export interface Tools {
  listed: readonly ListedTool[];
  call(name: string, args: JsonObject): Promise<Reply>;
}

/** An agent: from the question and the tools to an answer, of any form. Scripts that must know more take it from elsewhere. */
export type Agent = (question: { id: string; text: string }, tools: Tools) => Promise<unknown>;

/** The tools of a published tree, in process. */
export async function toolsOf(tree: string): Promise<Tools> {
  const context = {
    settings: { siteUrl: 'https://evidence.example' },
    release: openReleases(tree, () => performance.now()).current(),
  };
  const failures: unknown[] = [];
  const handler = mcpHandler(context, {
    allowedHosts: [HOST],
    allowedOrigins: [HOST],
    report: (error) => failures.push(error),
  });
  const ask = async (method: string, params: JsonObject): Promise<JsonObject> => {
    const body = (await (await handler(modern(method, params))).json()) as {
      result?: JsonObject;
      error?: { message: string };
    };
    return body.result ?? { isError: true, content: [{ type: 'text', text: body.error?.message ?? '' }] };
  };
  const { tools } = await ask('tools/list', {});
  return {
    listed: tools as unknown as ListedTool[],
    async call(name, args) {
      const { isError, content, structuredContent } = await ask('tools/call', { name, arguments: args });
      const [block] = content as { text: string }[];
      return {
        isError: isError === true,
        text: block?.text ?? '',
        data: (structuredContent ?? null) as JsonObject | null,
      };
    },
  };
}

/** Asks the questions one after the other. */
export async function run(questions: readonly Question[], agent: Agent, tools: Tools): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const question of questions) {
    let calls = 0;
    let bytes = 0;
    const counted: Tools = {
      listed: tools.listed,
      async call(name, args) {
        calls += 1;
        const reply = await tools.call(name, args);
        bytes = Math.max(bytes, Buffer.byteLength(reply.text));
        return reply;
      },
    };
    const answer = await agent({ id: question.id, text: question.text }, counted);
    outcomes.push({ question, answer, failure: failureOf(question, answer), calls, bytes });
  }
  return outcomes;
}
