/** Drives one installed client against the service: what it sends is recorded, what it gives is compared with the data. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { toNodeHandler } from 'srvx/node';
import { SERVER_OPTIONS } from '../../shim/core/limits.ts';
import { listen, type WebListener } from '../../shim/http/node-listener.ts';
import type { Service } from '../../shim/service.ts';
import { listening } from '../_support/free-port.ts';

type Handler = (request: Request) => Promise<Response>;

/** What every client is to list, to get from each tool and to read. */
export interface Expected {
  /** Arguments and structured content of one call for each tool. */
  calls: { name: string; args: Record<string, unknown>; data: unknown }[];
  uri: string;
  text: string;
}

/** What came of a client. */
export interface Outcome {
  /** The version of the protocol it negotiated or sent; null where it sent none. */
  protocol: string | null;
  /** How its requests name that version. */
  named: 'header' | 'session id' | '`_meta`' | null;
  /** Numbers of tools it listed and of calls with the right data; null where it has no such request. */
  tools: number | null;
  calls: number | null;
  /** Whether it read the resource; null where it has no such request. */
  resource: boolean | null;
  /** What went wrong, one sentence each. */
  wrong: string[];
}

/** What run.mjs prints, on a line of its own. */
interface Printed {
  tools: string[] | null;
  texts: Record<string, string | null>;
  resource: string | null;
  failure: string | null;
}

/** How that line begins. */
const OUTCOME = 'outcome ';
/** Some start a process for each request. */
const CLIENT_MS = 300_000;

/** Runs the client installed in `home` and judges what came of it. */
export async function drive(home: string, service: Service, expected: Expected): Promise<Outcome> {
  const seen = new Recorder();
  const server = createServer(SERVER_OPTIONS);
  const recorded = (request: Request): Promise<Response> => seen.record(request, service.fetch);
  listen(server, service.routes, async () => toNodeHandler(recorded) as WebListener);
  const printed = await run(home, `http://127.0.0.1:${await listening(server)}/mcp`, expected);
  server.closeAllConnections();
  server.close();
  return judged(printed, seen, expected);
}

/** Remembers how requests name the protocol version, and which were refused. */
class Recorder {
  protocol: string | null = null;
  named: Outcome['named'] = null;
  readonly refused: string[] = [];

  async record(request: Request, handler: Handler): Promise<Response> {
    const { method, url, headers } = request;
    const body = method === 'POST' ? await request.text() : '';
    const again = body === '' ? request : new Request(url, { method, headers, body });
    const response = await handler(again);
    const version = headers.get('mcp-protocol-version');
    const session = response.headers.get('mcp-session-id');
    if (session !== null) this.protocol = session.slice(2);
    else if (body.includes('"io.modelcontextprotocol/protocolVersion"')) this.see(version, '`_meta`');
    else if (version !== null) this.see(version, 'header');
    else if (headers.has('mcp-session-id')) this.see(this.protocol, 'session id');
    // A GET for a stream and a DELETE of the session are refused by contract, and clients know it.
    if (method === 'POST' && !response.ok)
      this.refused.push(`${response.status} ${(await response.clone().text()).slice(0, 200)}`);
    return response;
  }

  private see(protocol: string | null, named: Outcome['named']): void {
    this.protocol = protocol;
    this.named = named;
  }
}

async function run(home: string, url: string, { calls, uri }: Expected): Promise<Printed> {
  const task = JSON.stringify({ url, calls: calls.map(({ name, args }) => [name, args]), uri });
  const env = { ...process.env, HOME: home, NODE_OPTIONS: '', CI: '1' };
  const child = spawn(process.execPath, ['run.mjs', task], { cwd: home, env, timeout: CLIENT_MS });
  let out = '';
  let errors = '';
  child.stdout.on('data', (bytes) => (out += String(bytes)));
  child.stderr.on('data', (bytes) => (errors += String(bytes)));
  await once(child, 'close');
  const printed = out.split('\n').find((line) => line.startsWith(OUTCOME)) ?? '';
  try {
    return JSON.parse(printed.slice(OUTCOME.length)) as Printed;
  } catch {
    return { tools: [], texts: {}, resource: null, failure: `No outcome: ${`${out}${errors}`.slice(-1000)}` };
  }
}

function judged({ tools, texts, resource, failure }: Printed, seen: Recorder, expected: Expected): Outcome {
  const { protocol, named, refused } = seen;
  const wrong = refused.map((what) => `A request was refused: ${what}`);
  if (failure !== null) wrong.push(failure);
  const names = expected.calls.map(({ name }) => name);
  if (tools !== null && !isDeepStrictEqual(tools.toSorted(), names.toSorted()))
    wrong.push(`It lists ${tools.length} of ${names.length} tools: ${tools.join(', ')}`);
  const called = expected.calls.filter(({ name }) => typeof texts[name] === 'string');
  const right = called.filter(({ name, data }) =>
    isDeepStrictEqual(withoutClock(parsed(texts[name] ?? '')), withoutClock(data)),
  );
  for (const { name } of called.filter((call) => !right.includes(call)))
    wrong.push(`${name} gives ${(texts[name] ?? '').slice(0, 200)}`);
  if (resource !== null && resource !== expected.text)
    wrong.push(`The resource is ${resource.slice(0, 200)}`);
  return {
    protocol,
    named,
    tools: tools === null ? null : tools.length,
    calls: tools === null ? null : right.length,
    resource: resource === null ? null : resource === expected.text,
    wrong:
      tools !== null && called.length < names.length && failure === null
        ? [...wrong, `${names.length - called.length} calls gave no text`]
        : wrong,
  };
}

/** The federation says when it answered. */
function withoutClock(data: unknown): unknown {
  return typeof data === 'object' && data !== null ? { ...data, retrieved_at: null } : data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
