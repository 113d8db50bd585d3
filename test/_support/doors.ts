/** The doors a client can go through, as one interface: the same suite runs at each. */
import { afterAll } from 'vitest';
import { type Report, call, readQuery } from '../../shim/core/call.ts';
import { written } from '../../shim/core/envelope.ts';
import { operationOf } from '../../shim/core/operations/all.ts';
import type { ExploreAnswer } from '../../shim/core/explore-answer.ts';
import type { Context, FederationPeer, JsonObject, Operation, Release } from '../../shim/core/types.ts';
import { startServer } from '../../shim/node.ts';
import { remoteReleases } from '../../shim/remote/current.ts';
import { httpSource } from '../../shim/remote/source.ts';
import { type Service, createService } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';
import { fileFetch } from './file-server.ts';
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

/** The context the tests answer with: of the built tree, of another, or of a release. */
export function testContext(over: string | Release = builtTree(), federation?: FederationPeer): Context {
  const release = typeof over === 'string' ? builtStore(over) : over;
  return { settings: { siteUrl: TEST_SITE }, release, federation };
}

/** The operation of a resource. */
export function operationNamed(resource: string): Operation {
  const operation = operationOf(resource);
  if (!operation) throw new Error(`no resource ${resource}`);
  return operation;
}

/** The app over a tree, in process. An unexpected error fails the test that caused it. */
export function testApp(root = builtTree(), unexpected: (error: unknown) => void = () => undefined): Service {
  const settings = serverSettings({ SITE_URL: TEST_SITE });
  return createService({ root, settings, files: true, report: unexpected });
}

/** An app without data of its own, over the files of a tree. */
export function farApp(root = builtTree()): Service {
  const source = httpSource('https://mirror.example', { fetch: fileFetch(root).fetch });
  const report = (): void => undefined;
  const far = remoteReleases(source, null, () => performance.now(), report);
  return createService({
    root: '',
    settings: serverSettings({ SITE_URL: TEST_SITE }),
    files: true,
    report,
    far,
  });
}

/** Requests to an app by path, of that over the built tree unless stated; the slash before the path may be left out. */
export function requestsTo(app = testApp()): (path: string, init?: RequestInit) => Promise<Response> {
  return async (path, init) =>
    app.fetch(new Request(`${TEST_SITE}${path.startsWith('/') ? '' : '/'}${path}`, init));
}

/** A self-hosted server on a port of its own, closed after the tests of the file or of the `describe`; `url` ends without a slash. */
export async function onPort(
  root = builtTree(),
  options?: Parameters<typeof startServer>[2],
): Promise<{ url: string; port: number }> {
  const { url, close } = await startServer(root, { SITE_URL: TEST_SITE, PORT: '0' }, options);
  afterAll(close);
  return { url: url.replace(/\/$/, ''), port: Number(new URL(url).port) };
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
      const operation = operationNamed(url.pathname.slice('/api/v1/'.length));
      const search = target.slice(url.pathname.length);
      const { status, text } = await restAnswer(operation, () => readQuery(operation, search), context);
      return { status, text };
    },
    close: nothing,
  };
}

/** The data of a response. */
export async function dataAt<T>(door: Door, target: string): Promise<T> {
  return (JSON.parse((await door.ask(target)).text) as { data: T }).data;
}

/** The same of observations, with these filters. */
export async function observationsAt(door: Door, filters: Record<string, string>): Promise<ExploreAnswer> {
  return dataAt(door, `/api/v1/market-observations?${new URLSearchParams(filters)}`);
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
  return fetching('rest', requestsTo());
}

/** A self-hosted server. */
export async function portDoor(): Promise<Door> {
  const { url, close } = await startServer(builtTree(), { SITE_URL: TEST_SITE, PORT: '0' });
  return fetching('port', (target) => fetch(`${url.replace(/\/$/, '')}${target}`), close);
}
