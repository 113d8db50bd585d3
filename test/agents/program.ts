/**
 * A program as an agent, over JSON lines on its standard input and output. It is sent `start` once (answer forms, tools), then one
 * `question` at a time; it sends `call` as often as it likes and gets a `result` for each, and ends the question with `answer`.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { JsonObject } from '../../shim/core/types.ts';
import type { Agent, ListedTool } from './run.ts';

/** What every agent is told. */
export const INSTRUCTIONS = [
  'Answer each question from the tools alone.',
  'One of: {"answer":"value","value":number,"unit":text,"id":record id,"edition":text,"sha256":text}, with what the question asks for;',
  '{"answer":"unavailable","reason":unavailableReason} for a record without a value;',
  '{"answer":"revised","from":number,"to":number,"unit":text} for two editions;',
  '{"answer":"absent"} where there is no record;',
  '{"answer":"refused"} where the tools say that the question must not be answered from this data.',
].join(' ');

/** An agent that is a program, and how to end it. Throws when the program ends or sends no JSON. */
export function programAgent(
  command: string,
  listed: readonly ListedTool[],
): { agent: Agent; close: () => void } {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] });
  // A program that ends before it reads: the end of its lines says so.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: JsonObject): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  send({
    type: 'start',
    instructions: INSTRUCTIONS,
    tools: listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  });
  const agent: Agent = async ({ id, text }, tools) => {
    send({ type: 'question', id, text });
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`The program ended before it answered ${id}.`);
      const { type, tool, arguments: args = {}, answer } = messageOf(value);
      if (type === 'answer') return answer;
      if (type !== 'call' || typeof tool !== 'string')
        throw new Error(`Expected a line of type "call" with "tool", or "answer"; received ${value}`);
      const { isError, text: content } = await tools.call(tool, args as JsonObject);
      send({ type: 'result', isError, text: content });
    }
  };
  return { agent, close: () => void child.kill() };
}

function messageOf(line: string): Record<string, unknown> {
  try {
    const message: unknown = JSON.parse(line);
    if (typeof message === 'object' && message !== null) return message as Record<string, unknown>;
  } catch {
    // Said below, as for any other line that is not an object.
  }
  throw new Error(`Expected one JSON object per line; received ${line}`);
}
