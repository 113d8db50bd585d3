/** Checks of /mcp: that it answers, and refuses what it must. */
import { expect, type Asked, type Check, type Site } from './site.ts';

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const MCP_CHECKS: Check[] = [
  ['MCP: server/discover names the version', discovers],
  ['MCP: seven tools, and one of them answers', callsTool],
  ['MCP: legacy initialize', initializes],
  ['MCP: missing routing metadata is refused', refusesUnrouted],
  ['MCP: a foreign origin is refused', refusesForeign],
];

async function discovers(site: Site): Promise<void> {
  const answer = await post(site, 'server/discover', {});
  expect('status', answer.status, 200);
  expect('the answer', answer.text, new RegExp(VERSION));
}

async function callsTool(site: Site): Promise<void> {
  const { result } = messageOf(await post(site, 'tools/list', {})) as {
    result: { tools: { name: string }[] };
  };
  expect('tools', result.tools.length, 7);
  const called = await post(site, 'tools/call', { name: 'get_atlas', arguments: { limit: 1 } });
  expect('status', called.status, 200);
  expect('the answer', called.text, /svc\.api\.atlas\.v1/);
}

async function initializes(site: Site): Promise<void> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'smoke', version: '1' },
  };
  const answer = await send(site, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, {});
  expect('status', answer.status, 200);
  expect('the answer', answer.text, /"protocolVersion":"2025-06-18"/);
}

async function refusesUnrouted(site: Site): Promise<void> {
  const answer = await send(site, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, {});
  expect('status', answer.status, 400);
}

async function refusesForeign(site: Site): Promise<void> {
  const answer = await post(site, 'server/discover', {}, { origin: 'https://foreign.invalid' });
  expect('status', answer.status, 403);
}

function post(
  site: Site,
  method: string,
  params: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Asked> {
  return send(
    site,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } },
    {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
      ...headers,
    },
  );
}

function send(site: Site, body: unknown, headers: Record<string, string>): Promise<Asked> {
  return site.ask('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

/** The message of a JSON answer, or of the one event of a stream. */
function messageOf({ text }: Asked): unknown {
  const line = text.split('\n').find((candidate) => candidate.startsWith('data:'));
  return JSON.parse(line === undefined ? text : line.slice('data:'.length));
}
