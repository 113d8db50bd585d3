import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answered, doorOf, HOST, META, modern, post, VERSION } from './asking.ts';
import { TEST_SITE } from '../_support/tree.ts';

const door = doorOf();
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const { [VERSION_KEY]: _version, ...NO_VERSION } = META;
const { [CAPABILITIES_KEY]: _capabilities, ...NO_CAPABILITIES } = META;
const CALL = { name: 'get_atlas', arguments: { limit: 1 } };
const HEADERS = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'get_atlas' };

function message(method: string, params: unknown): object {
  return { jsonrpc: '2.0', id: 7, method, params };
}

const call = (meta: unknown, headers: Record<string, string | null> = {}, params: object = CALL): Request =>
  post(message('tools/call', meta === undefined ? params : { ...params, _meta: meta }), {
    ...HEADERS,
    ...headers,
  });

const LEGACY_HEADERS = { 'mcp-method': 'tools/call', 'mcp-name': 'get_atlas' };

const legacy = (headers: Record<string, string>): Request =>
  post(message('tools/call', CALL), { 'mcp-protocol-version': '2025-06-18', ...headers });

const initialize = (headers: Record<string, string>): Request =>
  post(
    message('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }),
    headers,
  );

type Row = [what: string, request: () => Request, status: number, code: number | null];

const ROWS: Row[] = [
  ['everything in place', () => call(META), 200, null],
  [
    'header names with other capitals and space around values',
    () => call(META, { 'mcp-method': ' tools/call ' }),
    200,
    null,
  ],
  ['MCP-Protocol-Version missing', () => call(META, { 'mcp-protocol-version': null }), 400, -32020],
  ['MCP-Protocol-Version malformed', () => call(META, { 'mcp-protocol-version': 'yesterday' }), 400, -32020],
  [
    'MCP-Protocol-Version of another revision',
    () => call(META, { 'mcp-protocol-version': '2025-11-25' }),
    400,
    -32020,
  ],
  ['Mcp-Method missing', () => call(META, { 'mcp-method': null }), 400, -32020],
  ['Mcp-Method malformed', () => call(META, { 'mcp-method': 'tools call' }), 400, -32020],
  ['Mcp-Method of another method', () => call(META, { 'mcp-method': 'tools/list' }), 400, -32020],
  ['Mcp-Name missing', () => call(META, { 'mcp-name': null }), 400, -32020],
  ['Mcp-Name malformed', () => call(META, { 'mcp-name': '=?base64?***?=' }), 400, -32020],
  ['Mcp-Name of another tool', () => call(META, { 'mcp-name': 'get_entities' }), 400, -32020],
  ['_meta missing', () => call(undefined), 400, -32602],
  ['_meta empty', () => call({}), 400, -32602],
  ['_meta no object', () => call('2026-07-28'), 400, -32602],
  ['_meta null', () => call(null), 400, -32602],
  [
    'clientInfo malformed in _meta',
    () => call({ ...META, 'io.modelcontextprotocol/clientInfo': 'me' }),
    400,
    -32602,
  ],
  ['protocolVersion missing in _meta', () => call(NO_VERSION), 400, -32602],
  ['protocolVersion malformed in _meta', () => call({ ...META, [VERSION_KEY]: 20260728 }), 400, -32602],
  ['protocolVersion unlike the header', () => call({ ...META, [VERSION_KEY]: '2027-01-01' }), 400, -32020],
  ['clientCapabilities missing in _meta', () => call(NO_CAPABILITIES), 400, -32602],
  ['clientCapabilities malformed in _meta', () => call({ ...META, [CAPABILITIES_KEY]: 'none' }), 400, -32602],
  [
    'unknown version in header and _meta',
    () => call({ ...META, [VERSION_KEY]: '2099-01-01' }, { 'mcp-protocol-version': '2099-01-01' }),
    400,
    -32022,
  ],
  ['neither header nor _meta', () => post(message('tools/list', {})), 400, -32602],
  ['server/discover without _meta', () => post(message('server/discover', {})), 400, -32602],
  ['a legacy request without its version', () => post(message('tools/call', CALL)), 400, -32602],
  [
    'a legacy request with a version never negotiated here',
    () => post(message('tools/list', {}), { 'mcp-protocol-version': '2024-11-05' }),
    400,
    -32022,
  ],
  [
    'a legacy request with its version',
    () => post(message('tools/list', {}), { 'mcp-protocol-version': '2025-06-18' }),
    200,
    null,
  ],
  ['legacy headers that agree', () => legacy(LEGACY_HEADERS), 200, null],
  ['a legacy Mcp-Name in base64', () => legacy({ 'mcp-name': '=?base64?Z2V0X2F0bGFz?=' }), 200, null],
  ['a legacy Mcp-Method of another method', () => legacy({ 'mcp-method': 'tools/list' }), 400, -32020],
  ['a legacy Mcp-Name of another tool', () => legacy({ 'mcp-name': 'get_entities' }), 400, -32020],
  ['a legacy Mcp-Name that is no base64', () => legacy({ 'mcp-name': '=?base64?***?=' }), 400, -32020],
  [
    'a legacy Mcp-Name of another resource',
    () =>
      post(message('resources/read', { uri: 'svc://catalog' }), {
        'mcp-protocol-version': '2025-06-18',
        'mcp-name': 'svc://capabilities',
      }),
    400,
    -32020,
  ],
  [
    'a legacy notification of another method',
    () =>
      post(
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { 'mcp-method': 'notifications/cancelled' },
      ),
    400,
    -32020,
  ],
  ['initialize of another method', () => initialize({ 'mcp-method': 'tools/list' }), 400, -32020],
  ['initialize of another version', () => initialize({ 'mcp-protocol-version': '2024-11-05' }), 400, -32020],
  [
    'initialize with headers that agree',
    () => initialize({ 'mcp-method': 'initialize', 'mcp-protocol-version': '2025-06-18' }),
    200,
    null,
  ],
  ['unknown method', () => modern('tools/burn'), 404, -32601],
  ['a method that 2026-07-28 removed', () => modern('ping'), 404, -32601],
  ['unknown tool', () => modern('tools/call', { name: 'get_everything', arguments: {} }), 200, -32602],
  [
    'a tool named like a member of every object',
    () => modern('tools/call', { name: 'constructor' }),
    200,
    -32602,
  ],
  [
    'tool arguments that are no object',
    () => modern('tools/call', { name: 'get_atlas', arguments: [1] }),
    200,
    null,
  ],
  [
    'a legacy request without both Accept types',
    () =>
      post(message('tools/list', {}), { 'mcp-protocol-version': '2025-06-18', accept: 'application/json' }),
    406,
    -32000,
  ],
  [
    'an unknown legacy method',
    () => post(message('tools/burn', {}), { 'mcp-protocol-version': '2025-06-18' }),
    200,
    -32601,
  ],
  ['a list asked for with a cursor', () => modern('tools/list', { cursor: 'next' }), 200, -32602],
  ['a batch', () => post([message('tools/list', {})], { 'mcp-protocol-version': '2025-06-18' }), 400, -32600],
  ['an empty batch', () => post([]), 400, -32600],
  ['a response', () => post({ jsonrpc: '2.0', id: 7, result: {} }), 400, -32600],
  ['no JSON-RPC message', () => post({ hello: 'there' }), 400, -32600],
  ['no JSON', () => post('{"jsonrpc"'), 400, -32700],
  ['nothing', () => post(''), 400, -32700],
  [
    'another content type',
    () => post(message('tools/list', {}), { 'content-type': 'text/plain' }),
    415,
    -32000,
  ],
  ['no content type', () => post(message('tools/list', {}), { 'content-type': null }), 415, -32000],
  ['a body over 64 KiB', () => post(`${' '.repeat(65_536)}{}`), 413, -32000],
  ['no Host', () => call(META, { host: null }), 403, -32000],
  ['another Host', () => call(META, { host: 'evil.example' }), 403, -32000],
  ['a Host with credentials', () => call(META, { host: `user@${HOST}` }), 403, -32000],
  ['a Host with a port', () => call(META, { host: `${HOST}:8443` }), 200, null],
  ['another Origin', () => call(META, { origin: 'https://evil.example' }), 403, -32000],
  [
    'an Origin that only begins well',
    () => call(META, { origin: `https://${HOST}.evil.example` }),
    403,
    -32000,
  ],
  ['Origin null', () => call(META, { origin: 'null' }), 403, -32000],
  ['an allowed Origin', () => call(META, { origin: `https://${HOST}` }), 200, null],
];

describe('[MCP-ROUTING] routing matrix', () => {
  it.each(ROWS)('%s', async (_what, request, status, code) => {
    const { status: got, error } = await answered(door, request());
    expect([got, error?.code ?? null]).toEqual([status, code]);
  });

  it('[MCP-DOCS] docs/mcp.md tells every status and code of it, and no others', () => {
    const page = readFileSync('docs/mcp.md', 'utf8');
    const told = [...page.matchAll(/^\| .+ \| (\d{3}) \| (-\d+) \|$/gm)].map((row) => `${row[1]} ${row[2]}`);
    const seen = ROWS.flatMap(([, , status, code]) => (code === null ? [] : [`${status} ${code}`]));
    // Another method than POST has rows of its own below.
    expect(new Set(told)).toEqual(new Set([...seen, '405 -32000']));
  });

  it('echoes the id of a request it refuses', async () => {
    for (const request of [
      post(message('tools/list', {})),
      call(META, { 'mcp-name': null }),
      modern('tools/burn'),
    ])
      expect((await answered(door, request)).id).toBe(7);
  });

  it('takes a body of exactly 64 KiB', async () => {
    const body = JSON.stringify(message('tools/call', { ...CALL, _meta: META })).padEnd(65_536);
    expect((await answered(door, post(body, HEADERS))).status).toBe(200);
  });

  it('stops reading a body that has no length', async () => {
    let read = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        read += 1;
        controller.enqueue(new Uint8Array(16_384).fill(32));
      },
    });
    const headers = { host: HOST, 'content-type': 'application/json' };
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half', headers };
    expect((await answered(door, new Request(`${TEST_SITE}/mcp`, init))).status).toBe(413);
    expect(read).toBeLessThan(10);
  });

  it('refuses bytes that are no UTF-8', async () => {
    const body = new Uint8Array([...new TextEncoder().encode('{"a":"'), 0xff, 0x22, 0x7d]);
    const init = { method: 'POST', body, headers: { host: HOST, 'content-type': 'application/json' } };
    expect((await answered(door, new Request(`${TEST_SITE}/mcp`, init))).error?.code).toBe(-32700);
  });

  it('accepts a notification and answers nothing', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    for (const headers of [
      {},
      { 'mcp-protocol-version': '2025-06-18' },
      { 'mcp-protocol-version': VERSION },
    ]) {
      const response = await door(post(notification, headers));
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'])('%s is not allowed', async (method) => {
    const response = await door(new Request(`${TEST_SITE}/mcp`, { method, headers: { host: HOST } }));
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
  });

  it('answers a preflight of an allowed page, with the headers the protocol needs', async () => {
    const headers = { host: HOST, origin: `https://${HOST}`, 'access-control-request-method': 'POST' };
    const response = await door(new Request(`${TEST_SITE}/mcp`, { method: 'OPTIONS', headers }));
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(`https://${HOST}`);
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining(['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']),
    );
  });

  it('lets an allowed page read answers and refusals, and no other page', async () => {
    const origin = 'http://localhost:5173';
    for (const request of [
      call(META, { origin }),
      call(META, { origin, 'mcp-name': null }),
      post('', { origin }),
    ]) {
      const { headers } = await door(request);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('vary')).toBe('Origin');
    }
    const refused = await door(call(META, { origin: 'https://evil.example' }));
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    expect((await door(call(META))).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('[MCP-LEGACY] initialize', () => {
  it.each([
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ])('asked for %s negotiates %s', async (asked, given) => {
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const { status, result } = await answered(door, post(message('initialize', params)));
    expect([status, result['protocolVersion']]).toEqual([200, given]);
    expect(result['serverInfo']).toMatchObject({ name: 'public-evidence-api', version: '1.6.0' });
  });

  it('is refused with the header of the revision that has no initialize', async () => {
    const request = post(message('initialize', { protocolVersion: VERSION }), {
      'mcp-protocol-version': VERSION,
    });
    expect((await answered(door, request)).error?.code).toBe(-32020);
  });

  it('opens no session', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    expect((await door(post(message('initialize', params)))).headers.get('mcp-session-id')).toBeNull();
  });
});

it('[MCP-DISCOVER] server/discover names the version, the capabilities and itself', async () => {
  const { result } = await answered(door, modern('server/discover'));
  expect(result).toMatchObject({
    resultType: 'complete',
    supportedVersions: [VERSION],
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    ttlMs: 3_600_000,
    cacheScope: 'public',
  });
  expect(result['instructions']).toContain('not proof of guilt');
});
