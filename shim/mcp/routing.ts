/** Routing of one message by its generation: what the SDK's own classification leaves open is decided here. */
import { classifyInboundRequest, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { InboundClassificationOutcome } from '@modelcontextprotocol/server';
import { member, unlikeBody } from './mirrored-headers.ts';
import { refusal } from './refusal.ts';
import { LEGACY_VERSIONS, MODERN_VERSION } from './versions.ts';

/** The protocol's code for headers unlike the body. */
const HEADER_MISMATCH = -32_020;

/** Which generation a message speaks, as the SDK judges it. */
export function classify(request: Request, body: unknown): InboundClassificationOutcome {
  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
  const version = header('mcp-protocol-version');
  const method = header('mcp-method');
  const name = header('mcp-name');
  return classifyInboundRequest({
    httpMethod: request.method,
    body,
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(method === undefined ? {} : { mcpMethodHeader: method }),
    ...(name === undefined ? {} : { mcpNameHeader: name }),
  });
}

/** What the SDK would serve as legacy traffic, or refuse with another code, and this service does not. */
export function refusedHere(
  outcome: InboundClassificationOutcome,
  request: Request,
  body: unknown,
): Response | null {
  if (outcome.kind === 'reject' && hasBrokenMeta(body))
    return refusal(400, ProtocolErrorCode.InvalidParams, 'params._meta must be an object.', { body });
  if (outcome.kind !== 'legacy') return null;
  if (outcome.reason === 'batch')
    return refusal(
      400,
      ProtocolErrorCode.InvalidRequest,
      'Batches are not served: POST one JSON-RPC message.',
    );
  if (outcome.reason === 'response')
    return refusal(
      400,
      ProtocolErrorCode.InvalidRequest,
      'This server asks clients nothing, so it takes no responses.',
    );
  const unlike = unlikeBody(request, body);
  if (unlike !== null) return refusal(400, HEADER_MISMATCH, unlike, { body });
  if (outcome.reason !== 'no-claim') return null;
  const { requestedVersion } = outcome;
  if (requestedVersion !== undefined && LEGACY_VERSIONS.includes(requestedVersion)) return null;
  if (requestedVersion !== undefined) {
    return refusal(
      400,
      ProtocolErrorCode.UnsupportedProtocolVersion,
      `Unsupported protocol version: ${requestedVersion}`,
      {
        body,
        data: { supported: [MODERN_VERSION, ...LEGACY_VERSIONS], requested: requestedVersion },
      },
    );
  }
  const missing = ['io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/clientCapabilities'];
  return refusal(
    400,
    ProtocolErrorCode.InvalidParams,
    `Routing metadata is missing: send params._meta with ${missing.join(' and ')} and the headers MCP-Protocol-Version and Mcp-Method, or initialize first and send the negotiated MCP-Protocol-Version.`,
    { body, data: { envelope: { missing } } },
  );
}

/** Whether a message opens a listen stream. */
export function isListen(outcome: InboundClassificationOutcome): boolean {
  return (
    outcome.kind === 'modern' &&
    outcome.messageKind === 'request' &&
    outcome.message.method === 'subscriptions/listen'
  );
}

/** A `_meta` of another type: the SDK sees no JSON-RPC message in it, but what is wrong is the routing metadata. */
function hasBrokenMeta(body: unknown): boolean {
  const meta = member(member(body, 'params'), '_meta');
  return meta !== undefined && (typeof meta !== 'object' || meta === null || Array.isArray(meta));
}
