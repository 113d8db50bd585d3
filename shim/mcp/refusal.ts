/** JSON-RPC errors that the door answers before any server exists. */

/** The HTTP answer of a refused message; the id of the request is echoed when `body` holds one. */
export function refusal(
  status: number,
  code: number,
  message: string,
  { body, data, headers }: { body?: unknown; data?: unknown; headers?: Record<string, string> } = {},
): Response {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return Response.json({ jsonrpc: '2.0', error, id: idOf(body) }, { status, headers: { ...headers } });
}

function idOf(body: unknown): string | number | null {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
