/**
 * The MCP door: the same operations, validators and schemas as REST, offered to agents as seven tools, with read-only
 * resources, one prompt and completions of ids. Stateless: every request is served by a server made for it from parts
 * made once. Both generations of the protocol see the same content.
 */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { RawInput } from '../core/arguments.ts';
import type { Report } from '../core/call.ts';
import { Fault, internalFault } from '../core/faults.ts';
import { BOUNDARIES, INTERFACE_VERSION } from '../core/operations/capabilities.ts';
import type { Context } from '../core/types.ts';
import { CheckedServer, givenArguments } from './checked-server.ts';
import { complete } from './completion.ts';
import { mcpDoor, type DoorOptions } from './door.ts';
import { CITE_PROMPT, getPrompt } from './prompt.ts';
import { listResources, readResource, RESOURCE_TEMPLATES } from './resources.ts';
import { remembered, type Caller } from './remembered.ts';
import { callTool, operationOfTool, TOOLS } from './tools.ts';
import { LEGACY_VERSIONS, MODERN_VERSION } from './versions.ts';

export interface McpOptions extends DoorOptions {
  /** Grows when the data changes; without it no result is remembered. */
  generation?: () => number;
}

/** Answers requests to /mcp, any method. Never throws. */
export function mcpHandler(context: Context, options: McpOptions): (request: Request) => Promise<Response> {
  const { report, generation } = options;
  const answer: Caller = (operation, raw) => callTool(operation, raw, context, report);
  const caller = generation ? remembered(answer, generation) : answer;
  return mcpDoor(evidenceServer(context, caller, report), options);
}

const INSTRUCTIONS = [
  'Public evidence on illicit economies, read-only. Start with get_market_catalog: query_market_observations takes its ids. Page with page.next_cursor until has_more is false. Cite the source, locator and sha256 that each record carries.',
  ...BOUNDARIES,
].join('\n');

/** Lists change with a release of the code, documents with a release of the data. */
const WITH_CODE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const WITH_DATA = { ttlMs: 300_000, cacheScope: 'public' } as const;

/** Nothing is asked of clients, so nothing of theirs is ever validated; the SDK would build a validator per request. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error('this server asks clients nothing');
  },
};

/** No `listChanged` and no `subscribe`: content changes with a release only, and nothing is pushed. */
const OPTIONS = {
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  supportedProtocolVersions: [MODERN_VERSION, ...LEGACY_VERSIONS],
  instructions: INSTRUCTIONS,
  jsonSchemaValidator: NO_VALIDATOR,
  cacheHints: {
    'tools/list': WITH_CODE,
    'prompts/list': WITH_CODE,
    'resources/templates/list': WITH_CODE,
    'server/discover': WITH_CODE,
    'resources/list': WITH_DATA,
    'resources/read': WITH_DATA,
  },
};

function evidenceServer(context: Context, answer: Caller, report: Report): McpServerFactory {
  const { siteUrl } = context.settings;
  const identity = {
    name: 'public-evidence-api',
    title: 'Public Evidence API',
    version: INTERFACE_VERSION,
    websiteUrl: siteUrl,
  };
  const masked = maskedBy(report);
  return () => {
    // The low-level server takes JSON Schemas and results as they are; McpServer would compile and validate them again.
    const server = new CheckedServer(identity, OPTIONS);
    server.setRequestHandler('tools/list', ({ params }) =>
      masked(() => ({ tools: whole(params?.cursor, TOOLS) })),
    );
    server.setRequestHandler('tools/call', ({ params }) =>
      masked(() => {
        const operation = operationOfTool(params.name);
        // Whatever was given: what it must be, the operation says, as it does to REST.
        if (operation) return answer(operation, givenArguments(params) as RawInput);
        const names = TOOLS.map(({ name }) => name).join(', ');
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no such tool; there are ${names}.`,
        );
      }),
    );
    server.setRequestHandler('resources/list', ({ params }) =>
      masked(() => ({ resources: whole(params?.cursor, listResources(context)) })),
    );
    server.setRequestHandler('resources/templates/list', ({ params }) =>
      masked(() => ({ resourceTemplates: whole(params?.cursor, RESOURCE_TEMPLATES) })),
    );
    server.setRequestHandler('resources/read', ({ params }) =>
      masked(() => readResource(params.uri, context)),
    );
    server.setRequestHandler('prompts/list', ({ params }) =>
      masked(() => ({ prompts: whole(params?.cursor, [CITE_PROMPT]) })),
    );
    server.setRequestHandler('prompts/get', ({ params }) =>
      masked(() => getPrompt(params.name, params.arguments, context)),
    );
    server.setRequestHandler('completion/complete', ({ params }) => masked(() => complete(params, context)));
    return server;
  };
}

/** Lists are short and come whole, so any cursor is one this server never gave. */
function whole<Item>(cursor: string | undefined, items: Item[]): Item[] {
  if (cursor === undefined) return items;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'This list has one page; ask for it without a cursor.',
  );
}

/** The SDK sends the message of whatever is thrown: only protocol errors and faults keep theirs. */
function maskedBy(report: Report): <Result>(run: () => Result | Promise<Result>) => Promise<Result> {
  return async (run) => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      report(error);
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        (error instanceof Fault ? error : internalFault()).message,
      );
    }
  };
}
