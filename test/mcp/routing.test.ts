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

const initialize = (headers: Record<string, string>, protocolVersion = '2025-06-18'): Request =>
  post(
    message('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }),
    headers,
  );

type Row = [what: string, request: () => Request, status: number, code: number | null];

/** Requests that all end in the same status and JSON-RPC code. */
function rows(status: number, code: number | null, requests: Record<string, () => Request>): Row[] {
  return Object.entries(requests).map(([what, request]) => [what, request, status, code]);
}

const NEGOTIATED = { 'mcp-protocol-version': '2025-06-18' };
const listing = message('tools/list', {});
const SESSION = { 'mcp-session-id': 'v-2025-06-18' };
const meta = (changes: object): Request => call({ ...META, ...changes });

const ROWS: Row[] = [
  ...rows(200, null, {
    'everything in place': () => call(META),
    'spaces around a header value': () => call(META, { 'mcp-method': ' tools/call ' }),
    'a legacy request with its version': () => post(listing, NEGOTIATED),
    'a legacy request with the session id of initialize': () => post(listing, SESSION),
    'a session id beside the version': () =>
      post(listing, { ...NEGOTIATED, 'mcp-session-id': 'v-2025-11-25' }),
    'a session id of another server beside the version': () =>
      post(listing, { ...NEGOTIATED, 'mcp-session-id': '0b9c' }),
    'initialize with an earlier session id': () => initialize(SESSION, '2025-11-25'),
    'a current request with a session id': () => call(META, SESSION),
    'legacy headers that match': () => legacy(LEGACY_HEADERS),
    'a legacy Mcp-Name in base64': () => legacy({ 'mcp-name': '=?base64?Z2V0X2F0bGFz?=' }),
    'initialize with headers that match': () => initialize({ 'mcp-method': 'initialize', ...NEGOTIATED }),
    'tool arguments that are not an object': () =>
      modern('tools/call', { name: 'get_atlas', arguments: [1] }),
    'a Host with a port': () => call(META, { host: `${HOST}:8443` }),
    'an allowed Origin': () => call(META, { origin: `https://${HOST}` }),
  }),
  ...rows(400, -32020, {
    'MCP-Protocol-Version missing': () => call(META, { 'mcp-protocol-version': null }),
    'MCP-Protocol-Version malformed': () => call(META, { 'mcp-protocol-version': 'yesterday' }),
    'MCP-Protocol-Version of another revision': () => call(META, { 'mcp-protocol-version': '2025-11-25' }),
    'Mcp-Method missing': () => call(META, { 'mcp-method': null }),
    'Mcp-Method malformed': () => call(META, { 'mcp-method': 'tools call' }),
    'Mcp-Method of another method': () => call(META, { 'mcp-method': 'tools/list' }),
    'Mcp-Name missing': () => call(META, { 'mcp-name': null }),
    'Mcp-Name malformed': () => call(META, { 'mcp-name': '=?base64?***?=' }),
    'Mcp-Name of another tool': () => call(META, { 'mcp-name': 'get_entities' }),
    'Mcp-Name without a name in the body': () => call(META, {}, { arguments: {} }),
    'Mcp-Name beside a name that is not a string': () => call(META, {}, { name: 1 }),
    'a superfluous Mcp-Name': () =>
      post(message('server/discover', { _meta: META }), {
        'mcp-protocol-version': VERSION,
        'mcp-method': 'server/discover',
        'mcp-name': 'get_atlas',
      }),
    'MCP-Protocol-Version missing beside a session id': () =>
      call(META, { 'mcp-protocol-version': null, ...SESSION }),
    'a session id with an Mcp-Method of another method': () =>
      post(listing, { ...SESSION, 'mcp-method': 'tools/call' }),
    'a superfluous legacy Mcp-Name': () => post(listing, { ...NEGOTIATED, 'mcp-name': 'get_atlas' }),
    'protocolVersion different from the header': () => meta({ [VERSION_KEY]: '2027-01-01' }),
    'a legacy Mcp-Method of another method': () => legacy({ 'mcp-method': 'tools/list' }),
    'a legacy Mcp-Name without a name in the body': () =>
      post(message('tools/call', { arguments: {} }), { ...NEGOTIATED, 'mcp-name': 'get_atlas' }),
    'a legacy Mcp-Name of another tool': () => legacy({ 'mcp-name': 'get_entities' }),
    'a legacy Mcp-Name that is not base64': () => legacy({ 'mcp-name': '=?base64?***?=' }),
    'a legacy Mcp-Name of another resource': () =>
      post(message('resources/read', { uri: 'svc://catalog' }), {
        ...NEGOTIATED,
        'mcp-name': 'svc://capabilities',
      }),
    'a legacy notification of another method': () =>
      post(
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { 'mcp-method': 'notifications/cancelled' },
      ),
    'initialize of another method': () => initialize({ 'mcp-method': 'tools/list' }),
    'initialize of another version': () => initialize({ 'mcp-protocol-version': '2024-11-05' }),
  }),
  ...rows(400, -32602, {
    '_meta missing': () => call(undefined),
    '_meta empty': () => call({}),
    '_meta not an object': () => call('2026-07-28'),
    '_meta null': () => call(null),
    'progressToken malformed in _meta': () => meta({ progressToken: {} }),
    'clientInfo malformed in _meta': () => meta({ 'io.modelcontextprotocol/clientInfo': 'me' }),
    'protocolVersion missing in _meta': () => call(NO_VERSION),
    'protocolVersion malformed in _meta': () => meta({ [VERSION_KEY]: 20260728 }),
    'clientCapabilities missing in _meta': () => call(NO_CAPABILITIES),
    'clientCapabilities malformed in _meta': () => meta({ [CAPABILITIES_KEY]: 'none' }),
    'neither header nor _meta': () => post(listing),
    'server/discover without _meta': () => post(message('server/discover', {})),
    'a session id that this server never gives': () => post(listing, { 'mcp-session-id': '0b9c' }),
    'a session id of a version that is never negotiated': () =>
      post(listing, { 'mcp-session-id': 'v-2024-10-07' }),
    'a session id of the version without a handshake': () =>
      post(listing, { 'mcp-session-id': `v-${VERSION}` }),
    'a legacy request without its version': () => post(message('tools/call', CALL)),
  }),
  ...rows(400, -32022, {
    'unknown version in header and _meta': () =>
      call({ ...META, [VERSION_KEY]: '2099-01-01' }, { 'mcp-protocol-version': '2099-01-01' }),
    'a legacy request with a version never negotiated here': () =>
      post(listing, { 'mcp-protocol-version': '2024-10-07' }),
  }),
  ...rows(404, -32601, {
    'unknown method': () => modern('tools/burn'),
    'a method that 2026-07-28 removed': () => modern('ping'),
  }),
  ...rows(200, -32601, { 'an unknown legacy method': () => post(message('tools/burn', {}), NEGOTIATED) }),
  ...rows(200, -32602, {
    'unknown tool': () => modern('tools/call', { name: 'get_everything', arguments: {} }),
    'a tool with the name of a built-in member': () => modern('tools/call', { name: 'constructor' }),
    'a list with a cursor': () => modern('tools/list', { cursor: 'next' }),
  }),
  ...rows(406, -32000, {
    'a legacy request without both Accept types': () =>
      post(listing, { ...NEGOTIATED, accept: 'application/json' }),
  }),
  ...rows(400, -32600, {
    'a batch': () => post([listing], NEGOTIATED),
    'an empty batch': () => post([]),
    'a response': () => post({ jsonrpc: '2.0', id: 7, result: {} }),
    'not a JSON-RPC message': () => post({ hello: 'there' }),
  }),
  ...rows(400, -32700, { 'not JSON': () => post('{"jsonrpc"'), nothing: () => post('') }),
  ...rows(415, -32000, {
    'another content type': () => post(listing, { 'content-type': 'text/plain' }),
    'no content type': () => post(listing, { 'content-type': null }),
  }),
  ...rows(413, -32000, { 'a body over 64 KiB': () => post(`${' '.repeat(65_536)}{}`) }),
  ...rows(403, -32000, {
    'no Host': () => call(META, { host: null }),
    'another Host': () => call(META, { host: 'evil.example' }),
    'a Host with credentials': () => call(META, { host: `user@${HOST}` }),
    'another Origin': () => call(META, { origin: 'https://evil.example' }),
    'an Origin that only begins well': () => call(META, { origin: `https://${HOST}.evil.example` }),
    'Origin null': () => call(META, { origin: 'null' }),
  }),
];

describe('[MCP-ROUTING] routing matrix', () => {
  it.each(ROWS)('%s', async (_what, request, status, code) => {
    const { status: got, error, headers } = await answered(door, request());
    expect([got, error?.code ?? null]).toEqual([status, code]);
    expect([headers.get('vary'), headers.get('x-content-type-options')]).toEqual(['Origin', 'nosniff']);
    if (status >= 400) expect(headers.get('cache-control')).toBe('no-store');
  });

  it('[MCP-DOCS] docs/mcp.md lists every status and code of it, and no others', () => {
    const page = readFileSync('docs/mcp.md', 'utf8');
    const listed = [...page.matchAll(/^\| .+ \| (\d{3}) \| (-\d+) \|$/gm)].map(
      (row) => `${row[1]} ${row[2]}`,
    );
    const seen = ROWS.flatMap(([, , status, code]) => (code === null ? [] : [`${status} ${code}`]));
    // A method other than POST is tested below.
    expect(new Set(listed)).toEqual(new Set([...seen, '405 -32000']));
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

  it('refuses bytes that are not UTF-8', async () => {
    const body = new Uint8Array([...new TextEncoder().encode('{"a":"'), 0xff, 0x22, 0x7d]);
    const init = { method: 'POST', body, headers: { host: HOST, 'content-type': 'application/json' } };
    expect((await answered(door, new Request(`${TEST_SITE}/mcp`, init))).error?.code).toBe(-32700);
  });

  it('accepts a notification and sends nothing back', async () => {
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

  it('answers the preflight of an allowed page, with the headers the protocol needs', async () => {
    const headers = { host: HOST, origin: `https://${HOST}`, 'access-control-request-method': 'POST' };
    const response = await door(new Request(`${TEST_SITE}/mcp`, { method: 'OPTIONS', headers }));
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(`https://${HOST}`);
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    expect(allowed).toEqual(
      expect.arrayContaining(['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']),
    );
  });

  it('lets an allowed page read responses and refusals, and no other page', async () => {
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
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2024-10-07', '2025-11-25'],
    ['1.0', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ])('%s negotiates %s, and the session id names it', async (requested, given) => {
    const { status, result, headers } = await answered(door, initialize({}, requested));
    expect([status, result['protocolVersion']]).toEqual([200, given]);
    const session = headers.get('mcp-session-id') ?? '';
    expect(session).toBe(`v-${given}`);
    const later = await answered(door, post(message('tools/list', {}), { 'mcp-session-id': session }));
    expect(later.result['tools']).toHaveLength(9);
    expect(result['serverInfo']).toMatchObject({ name: 'public-evidence-api', version: '1.6.0' });
  });

  it('is refused with the header of the revision that has no initialize', async () => {
    const request = post(message('initialize', { protocolVersion: VERSION }), {
      'mcp-protocol-version': VERSION,
    });
    expect((await answered(door, request)).error?.code).toBe(-32020);
  });

  it('opens no session: only its response has an id, nothing ends one, and none is needed', async () => {
    const wrong = post(message('initialize', { protocolVersion: '2025-06-18' }));
    for (const request of [wrong, call(META), post(listing, NEGOTIATED), post(listing, SESSION)])
      expect((await door(request)).headers.get('mcp-session-id')).toBeNull();
    const ended = new Request(`${TEST_SITE}/mcp`, { method: 'DELETE', headers: { host: HOST, ...SESSION } });
    expect((await door(ended)).status).toBe(405);
    expect((await answered(door, post(listing, SESSION))).status).toBe(200);
  });

  it('lets an allowed page read the session id', async () => {
    const { headers } = await door(initialize({ origin: `https://${HOST}` }));
    expect(headers.get('access-control-expose-headers')).toContain('Mcp-Session-Id');
  });

  it.each([
    [{ 'mcp-protocol-version': '2025-11-25' }, true],
    [{ 'mcp-protocol-version': '2025-06-18' }, false],
    [{ 'mcp-protocol-version': '2025-03-26' }, false],
    [{ 'mcp-session-id': 'v-2025-11-25' }, true],
    [{ 'mcp-session-id': 'v-2025-06-18' }, false],
    [{ 'mcp-session-id': 'v-2024-11-05' }, false],
  ])('a result for %j has links: %j', async (headers, linked) => {
    const { result } = await answered(door, post(message('tools/call', CALL), headers));
    const types = (result['content'] as { type: string }[]).map(({ type }) => type);
    expect(types.slice(0, 1)).toEqual(['text']);
    expect(types.includes('resource_link')).toBe(linked);
    expect(result['structuredContent']).toMatchObject({ schema: 'svc.api.atlas.v1' });
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
