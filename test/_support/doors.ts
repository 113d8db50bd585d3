/** The doors a client can go through, as one interface: the same suite runs at each. */
import { type Report, call, readQuery } from '../../shim/core/call.ts';
import { written } from '../../shim/core/envelope.ts';
import { operationOf } from '../../shim/core/operations/all.ts';
import type { Context, JsonObject, Operation } from '../../shim/core/types.ts';
import { startServer } from '../../shim/node.ts';
import { type Service, createService } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';
import { TEST_SITE, builtStore, builtTree } from './tree.ts';

/** What a door answered. */
export interface Answered {
  status: number;
  text: string;
}

export interface Door {
  name: string;
  /** Asks for a path with query, such as `/api/v1/atlas?iso3=MEX`. */
  ask(target: string): Promise<Answered>;
  close(): Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

/** The context the tests answer with. */
export function testContext(root = builtTree()): Context {
  return { settings: { siteUrl: TEST_SITE }, release: builtStore(root), peers: {} };
}

/** The app over a tree, in process. An unexpected error fails the test that caused it. */
export function testApp(root = builtTree(), unexpected: (error: unknown) => void = () => undefined): Service {
  const settings = serverSettings({ SITE_URL: TEST_SITE });
  return createService({ root, settings, files: true, report: unexpected });
}

/** What `call` gives, as REST would write it. */
export async function restAnswer(
  operation: Operation,
  raw: Parameters<typeof call>[1],
  context: Context,
  report: Report = () => undefined,
): Promise<Answered & { next: string | null; body: JsonObject }> {
  const result = await call(operation, raw, context, report);
  const { status, body } = written(operation.name, result);
  const text = new TextDecoder().decode(body);
  return { status, text, body: JSON.parse(text) as JsonObject, next: result.ok ? result.next : null };
}

/** `core/call` itself. */
export function callDoor(): Door {
  const context = testContext();
  return {
    name: 'call',
    async ask(target) {
      const url = new URL(target, TEST_SITE);
      const operation = operationOf(url.pathname.slice('/api/v1/'.length));
      if (!operation) throw new Error(`no operation for ${target}`);
      const search = target.slice(url.pathname.length);
      const { status, text } = await restAnswer(operation, () => readQuery(operation, search), context);
      return { status, text };
    },
    close: nothing,
  };
}

function fetching(name: string, get: (target: string) => Promise<Response>, close = nothing): Door {
  const ask = async (target: string): Promise<Answered> => {
    const response = await get(target);
    return { status: response.status, text: await response.text() };
  };
  return { name, ask, close };
}

/** REST in process. */
export function restDoor(): Door {
  const app = testApp();
  return fetching('rest', (target) => app.fetch(new Request(`${TEST_SITE}${target}`)));
}

/** A self-hosted server on a port of its own. */
export async function portDoor(): Promise<Door> {
  const { url, close } = await startServer(builtTree(), { SITE_URL: TEST_SITE, PORT: '0' });
  return fetching('port', (target) => fetch(`${url.replace(/\/$/, '')}${target}`), close);
}
