/** MCP requests as clients send them, for tests and benches. */
const SITE = 'https://evidence.example';
export const HOST = new URL(SITE).host;
export const VERSION = '2026-07-28';

/** `_meta` of a self-contained request. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A POST with these headers; `null` leaves one out. */
export function post(body: unknown, headers: Record<string, string | null> = {}): Request {
  const all: Record<string, string | null> = {
    host: HOST,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const sent = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request(`${SITE}/mcp`, { method: 'POST', headers: Object.fromEntries(sent), body: text });
}

/** A well-formed modern request. */
export function modern(method: string, params: Record<string, unknown> = {}, id = 7): Request {
  const name = params['name'] ?? params['uri'];
  return post(
    { jsonrpc: '2.0', id, method, params: { ...params, _meta: META } },
    {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      'mcp-name': typeof name === 'string' ? name : null,
    },
  );
}
