/**
 * The MCP endpoint: the same operations, validators and schemas as REST, offered to agents as seven tools, with read-only
 * resources, one prompt and completions of ids. Stateless: every request has its own server, made of parts made once. Both
 * generations of the protocol see the same content.
 */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { Report } from '../core/call.ts';
import { BOUNDARIES, INTERFACE_VERSION } from '../core/operations/capabilities.ts';
import type { Context } from '../core/types.ts';
import { CITE_PROMPT, complete, getPrompt } from './prompt.ts';
import { LEGACY_VERSIONS, MODERN_VERSION } from './protocol.ts';
import { listResources, readResource, RESOURCE_TEMPLATES } from './resources.ts';
import { givenArguments, invalidParams, StrictServer } from './strict-server.ts';
import { callTool, TOOLS } from './tools.ts';
import { mcpTransport, type TransportOptions } from './transport.ts';

/** Serves /mcp, any method. Never throws. */
export function mcpHandler(
  context: Context,
  options: TransportOptions,
): (request: Request) => Promise<Response> {
  return mcpTransport(evidenceServer(context, options.report), options);
}

const INSTRUCTIONS = [
  'Public evidence on illicit economies, read-only. Start with get_market_catalog: query_market_observations takes its ids. Page with page.next_cursor until has_more is false. With each value cite the record id and, where the record has it, its source locator; name, licence and sha256 of the source are in the dataset resource linked from the result.',
  ...BOUNDARIES,
].join('\n');

/** Lists change with a release of the code, documents with a release of the data. */
const WITH_CODE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const WITH_DATA = { ttlMs: 300_000, cacheScope: 'public' } as const;

/** No `listChanged` and no `subscribe`: content changes with a release only, and nothing is pushed. */
const OPTIONS = {
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  supportedProtocolVersions: [MODERN_VERSION, ...LEGACY_VERSIONS],
  instructions: INSTRUCTIONS,
  // Clients are sent no requests, so nothing of theirs is ever validated; the SDK would build a validator per request.
  jsonSchemaValidator: {
    getValidator(): never {
      throw new Error('this server sends clients no requests');
    },
  },
  cacheHints: {
    'tools/list': WITH_CODE,
    'prompts/list': WITH_CODE,
    'resources/templates/list': WITH_CODE,
    'server/discover': WITH_CODE,
    'resources/list': WITH_DATA,
    'resources/read': WITH_DATA,
  },
};

function evidenceServer(context: Context, report: Report): McpServerFactory {
  const identity = {
    name: 'public-evidence-api',
    title: 'Public Evidence API',
    version: INTERFACE_VERSION,
    websiteUrl: context.settings.siteUrl,
  };
  return () => {
    // The low-level server takes JSON Schemas and results as they are; McpServer would compile and validate them again.
    const server = new StrictServer(identity, OPTIONS, report);
    server.setRequestHandler('tools/list', ({ params }) => ({ tools: whole(params?.cursor, TOOLS) }));
    server.setRequestHandler('tools/call', ({ params }) =>
      callTool(params.name, givenArguments(params), context, report),
    );
    server.setRequestHandler('resources/list', ({ params }) => ({
      resources: whole(params?.cursor, listResources(context)),
    }));
    server.setRequestHandler('resources/templates/list', ({ params }) => ({
      resourceTemplates: whole(params?.cursor, RESOURCE_TEMPLATES),
    }));
    server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri, context));
    server.setRequestHandler('prompts/list', ({ params }) => ({
      prompts: whole(params?.cursor, [CITE_PROMPT]),
    }));
    server.setRequestHandler('prompts/get', ({ params }) =>
      getPrompt(params.name, params.arguments, context),
    );
    server.setRequestHandler('completion/complete', ({ params }) => complete(params, context));
    return server;
  };
}

/** Lists are short and returned whole, so any cursor is one this server never issued. */
function whole<Item>(cursor: string | undefined, items: Item[]): Item[] {
  if (cursor === undefined) return items;
  throw invalidParams('This list is not paged; omit the cursor.');
}
