/** CORS of /mcp: an allowed Origin is echoed, never `*`, because the same Origin was checked before. */

const PREFLIGHT = {
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers':
    'Accept, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
  'access-control-max-age': '86400',
};

/** The answer to OPTIONS. */
export function preflight(): Response {
  return new Response(null, { status: 204, headers: { ...PREFLIGHT, allow: 'POST, OPTIONS' } });
}

/** The same response, readable by the page that asked. */
export function withCors(request: Request, response: Response): Response {
  const { headers } = response;
  const origin = request.headers.get('origin');
  headers.set('vary', 'Origin');
  headers.set('x-content-type-options', 'nosniff');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  if (origin) {
    headers.set('access-control-allow-origin', origin);
    headers.set('access-control-expose-headers', 'MCP-Protocol-Version, Retry-After');
  }
  return response;
}
