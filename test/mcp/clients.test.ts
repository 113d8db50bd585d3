import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { TEST_SITE } from '../_support/tree.ts';
import { restAnswer, testContext } from '../_support/doors.ts';
import { doorOf, HOST, VERSION } from './asking.ts';

const context = testContext();
const door = doorOf(context);
const ADDRESS = new URL(`${TEST_SITE}/mcp`);
const INFO = { name: 'test', version: '1.0.0' };

/** The parts of a client this test needs; all three generations have them. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<{ messages: unknown[] }>;
  close(): Promise<void>;
}

/** `fetch` as a client uses it, answered in process. */
async function inProcess(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('host', HOST);
  return door(new Request(address, { ...init, headers }));
}

async function current(pin: string | null): Promise<{ client: AnyClient; version: string | undefined }> {
  const client = new CurrentClient(INFO, pin === null ? {} : { versionNegotiation: { mode: { pin } } });
  await client.connect(new CurrentTransport(ADDRESS, { fetch: inProcess }));
  return { client, version: client.getNegotiatedProtocolVersion() };
}

async function legacy(transport: LegacyTransport): Promise<AnyClient> {
  const client = new LegacyClient(INFO);
  // The package's own types do not agree with exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

/** A transport as several hosts wrap it: the version that the client sets on it after the handshake gets lost. */
class WrappedTransport extends LegacyTransport {
  override setProtocolVersion(): void {}
}

const plain = new LegacyTransport(ADDRESS, { fetch: inProcess });
const wrapped = new WrappedTransport(new URL(`${ADDRESS.href}/`), { fetch: inProcess });
const GENERATIONS = [
  { name: 'client 2 pinned to 2026-07-28', ...(await current(VERSION)), speaks: VERSION },
  { name: 'client 2 by default', ...(await current(null)), speaks: '2025-11-25' },
  { name: 'sdk 1', client: await legacy(plain), version: plain.protocolVersion, speaks: '2025-11-25' },
  {
    name: 'sdk 1 in a wrapper, at /mcp/',
    client: await legacy(wrapped),
    version: wrapped.sessionId?.slice(2),
    speaks: '2025-11-25',
  },
];
afterAll(async () => {
  for (const { client } of GENERATIONS) await client.close();
});

const TOOLS = OPERATIONS.filter(({ tool }) => tool !== null);
const ARGUMENTS: Record<string, JsonObject> = { federation: { lane: 'producerp-newswire-rights' } };

describe.each(GENERATIONS)('$name', ({ client, version, speaks }) => {
  it('[MCP-LEGACY] [MCP-DISCOVER] negotiates its version', () => {
    expect(version).toBe(speaks);
  });

  it('lists the tools', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ tool }) => tool));
  });

  it.each(TOOLS.map((operation) => [operation.tool ?? '', operation] as const))(
    'calls %s, equal to REST',
    async (name, operation) => {
      // Listing first makes a client load every output schema and validate results against it.
      await client.listTools();
      const args = ARGUMENTS[operation.name] ?? {};
      const result = await client.callTool({ name, arguments: args });
      const { data } = (await restAnswer(operation, { ...operation.agents, ...args }, context)).body;
      expect(result).toMatchObject({ isError: false, structuredContent: data });
    },
  );

  it('gets the message about an invalid argument', async () => {
    expect(await client.callTool({ name: 'get_atlas', arguments: { iso3: 'mex' } })).toMatchObject({
      isError: true,
      content: [
        {
          text: 'Invalid value "mex" for parameter "iso3": expected three capital letters, such as MEX; closest: MEX.',
        },
      ],
    });
  });

  it('reads every resource and gets the prompt', async () => {
    const { resources } = await client.listResources();
    for (const { uri } of resources) expect((await client.readResource({ uri })).contents).toHaveLength(1);
    const { messages } = await client.getPrompt({
      name: 'cite_evidence',
      arguments: { dataset: 'arms' },
    });
    expect(messages).toHaveLength(2);
  });
});
