/**
 * Routing headers of the older generation. They need not be sent there, but what is sent must agree with the body, or a
 * proxy that routes by headers and this server would see different requests. The SDK checks the newer generation alone.
 */

/** Which member of params the header Mcp-Name repeats, by method. */
const NAMES = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** A sentence about the first header that is unlike the body; null where all that are sent agree. */
export function unlikeBody({ headers }: Request, body: unknown): string | null {
  const method = member(body, 'method');
  const params = member(body, 'params');
  const name = typeof method === 'string' ? NAMES.get(method) : undefined;
  return (
    unlike('Mcp-Method', headers.get('mcp-method'), 'method', method) ??
    unlike('Mcp-Name', decoded(headers.get('mcp-name')), `params.${name}`, name && member(params, name)) ??
    (method === 'initialize'
      ? unlike(
          'MCP-Protocol-Version',
          headers.get('mcp-protocol-version'),
          'params.protocolVersion',
          member(params, 'protocolVersion'),
        )
      : null)
  );
}

/** Members that are no text are refused as such elsewhere. */
function unlike(header: string, sent: string | null, path: string, held: unknown): string | null {
  if (sent === null || typeof held !== 'string' || sent === held) return null;
  return `The header ${header} is unlike ${path} of the body; send what the body says, or leave the header out.`;
}

/** A header's value; names that are no plain ASCII travel as `=?base64?…?=`. What cannot be decoded agrees with no name. */
function decoded(value: string | null): string | null {
  const base64 = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? '')?.[1];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}

/** An own member of a JSON object. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
