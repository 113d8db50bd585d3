/**
 * The MCP endpoint: the same operations, validators and schemas as REST, offered to agents as tools, with read-only
 * resources, one prompt and completions of ids. Stateless: every request has its own server, made of shared parts. Both
 * generations of the protocol see the same content.
 */
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode, Server, specTypeSchemas } from '@modelcontextprotocol/server';
import type {
  Implementation,
  JSONRPCRequest,
  Result,
  ServerContext,
  ServerOptions,
  SpecTypeName,
} from '@modelcontextprotocol/server';
import { settled, type Report } from '../core/call.ts';
import { SERVICE } from '../core/cite.ts';
import { Fault, internalFault } from '../core/faults.ts';
import { BOUNDARIES, INTERFACE_VERSION, MCP_VERSIONS } from '../core/operations/all.ts';
import type { Context, JsonObject } from '../core/types.ts';
import { CITE_PROMPT, complete, getPrompt } from './prompt.ts';
import { invalidParams, SERVED_VERSIONS, takesLinks } from './protocol.ts';
import { listResources, readResource, TEMPLATE } from './resources.ts';
import { callTool, listTools, withoutLinks } from './tools.ts';
import { mcpTransport, turns, type TransportOptions, type Turn } from './transport.ts';

/** Serves /mcp, any method. Never throws. */
export function mcpHandler(
  context: Context,
  options: TransportOptions,
): (request: Request) => Promise<Response> {
  const turn = turns();
  return mcpTransport(evidenceServer(context, options.report, turn), options, turn);
}

/** Prepares what the first messages need, in steps, by answering a message of each generation of the protocol. */
export async function* firstSteps(context: Context): AsyncGenerator<unknown, void, undefined> {
  const open = { allowedHosts: ['localhost'], allowedOrigins: [], report: () => undefined };
  const handle = mcpHandler(context, open);
  const { current, legacy } = MCP_VERSIONS;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': current,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const client = { clientInfo: { name: 'warm', version: '1' }, capabilities: {} };
  const messages: [method: string, params: JsonObject, version: string][] = [
    ['tools/list', { _meta: meta }, current],
    ['initialize', { protocolVersion: legacy[0] ?? '', ...client }, legacy[0] ?? ''],
  ];
  for (const [method, params, version] of messages) {
    const headers = {
      host: 'localhost',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-method': method,
      'mcp-protocol-version': version,
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body });
    yield request;
    yield (await handle(request)).text();
  }
}

const INSTRUCTIONS = [
  'Public evidence on illicit economies, read-only. Start with find_series: it gives arguments of query_market_observations. Page with page.next_cursor until has_more is false. With each observation cite its id and sourceLocator, and from sources the name, edition, license and sha256 of its sourceId; atlas records carry source, locator and sha256 in meta, designations the list in source.',
  ...BOUNDARIES,
].join('\n');

/** Lists change with a release of the code, documents with a release of the data. */
const WITH_CODE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const WITH_DATA = { ttlMs: 300_000, cacheScope: 'public' } as const;

/** No `listChanged` and no `subscribe`: content changes with a release only, and nothing is pushed. */
const OPTIONS = {
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  supportedProtocolVersions: SERVED_VERSIONS,
  instructions: INSTRUCTIONS,
  // Clients are sent no requests, so nothing of theirs is ever validated; the SDK would build a validator per request.
  jsonSchemaValidator: {
    getValidator(): never {
      throw new Error('this server sends clients no requests');
    },
  },
  cacheHints: {
    'tools/list': WITH_DATA,
    'prompts/list': WITH_CODE,
    'resources/templates/list': WITH_CODE,
    'server/discover': WITH_CODE,
    'resources/list': WITH_DATA,
    'resources/read': WITH_DATA,
  },
};

function evidenceServer(context: Context, report: Report, turn: Turn): McpServerFactory {
  const identity = {
    name: 'public-evidence-api',
    title: SERVICE,
    version: INTERFACE_VERSION,
    websiteUrl: context.settings.siteUrl,
  };
  return ({ requestInfo }) => {
    // The low-level server takes JSON Schemas and results as they are; McpServer would compile and validate them again.
    const server = new StrictServer(identity, OPTIONS, report);
    server.setRequestHandler('tools/list', async ({ params }) => ({
      tools: whole(params?.cursor, await settled(context, () => listTools(context))),
    }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const result = await callTool(params.name, params.arguments?.[GIVEN], context, report, turn);
      return requestInfo && takesLinks(requestInfo) ? result : withoutLinks(result);
    });
    server.setRequestHandler('resources/list', async ({ params }) => ({
      resources: whole(params?.cursor, await settled(context, () => listResources(context))),
    }));
    server.setRequestHandler('resources/templates/list', ({ params }) => ({
      resourceTemplates: whole(params?.cursor, [TEMPLATE]),
    }));
    server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri, context));
    server.setRequestHandler('prompts/list', ({ params }) => ({
      prompts: whole(params?.cursor, [CITE_PROMPT]),
    }));
    server.setRequestHandler('prompts/get', async ({ params }) =>
      settled(context, async () => getPrompt(params.name, params.arguments, context)),
    );
    server.setRequestHandler('completion/complete', async ({ params }) =>
      settled(context, () => complete(params, context)),
    );
    return server;
  };
}

/** Lists are short and returned whole, so any cursor is one this server never issued. */
function whole<Item>(cursor: string | undefined, items: Item[]): Item[] {
  if (cursor === undefined) return items;
  throw invalidParams('This list is not paged; omit the cursor.');
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The protocol's own type of the params of each method served here. */
const TYPES: Record<string, SpecTypeName> = {
  initialize: 'InitializeRequestParams',
  'tools/list': 'PaginatedRequestParams',
  'tools/call': 'CallToolRequestParams',
  'resources/list': 'PaginatedRequestParams',
  'resources/templates/list': 'PaginatedRequestParams',
  'resources/read': 'ReadResourceRequestParams',
  'prompts/list': 'PaginatedRequestParams',
  'prompts/get': 'GetPromptRequestParams',
  'completion/complete': 'CompleteRequestParams',
};

/** The longest path of a member that a message shows. */
const MAX_PATH = 100;
/** The member that wraps a tool's arguments while they pass through the SDK. */
const GIVEN = 'given';

/** Refuses params that the protocol does not know with -32602 and a sentence; masks and reports unexpected failures. */
class StrictServer extends Server {
  private readonly report: Report;

  constructor(identity: Implementation, options: ServerOptions, report: Report) {
    super(identity, options);
    this.report = report;
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const served = super._wrapHandler(method, handler);
    return async (sent, context) => {
      const isCall = method === 'tools/call';
      const request = isCall ? wrapped(sent) : sent;
      if (!isCall && hasProto(request.params)) throw invalidParams(`${method} takes no member "__proto__".`);
      try {
        return await served(request, context);
      } catch (error) {
        const wrong = misfit(method, request.params);
        if (wrong !== null) throw invalidParams(wrong);
        throw error instanceof ProtocolError ? error : this.masked(error);
      }
    };
  }

  /** The SDK sends the message of whatever is thrown: only protocol errors and faults keep theirs. */
  private masked(error: unknown): ProtocolError {
    this.report(error);
    const { message } = error instanceof Fault ? error : internalFault();
    return new ProtocolError(ProtocolErrorCode.InternalError, message);
  }
}

/** The SDK accepts arguments only as an object. Wrapped in one of our own, any value passes, and the operation judges it. */
function wrapped(request: JSONRPCRequest): JSONRPCRequest {
  const { arguments: args = {}, ...params } = request.params ?? {};
  return { ...request, params: { ...params, arguments: { [GIVEN]: args } } };
}

/** A sentence about the first member that is not of the protocol's type, null where all are. */
function misfit(method: string, params: unknown): string | null {
  const type = TYPES[method];
  if (type === undefined) return null;
  const { issues } = specTypeSchemas[type]['~standard'].validate(params ?? {});
  const [issue] = issues ?? [];
  if (!issue) return null;
  const path = ['params', ...(issue.path ?? [])].map(String).join('.').slice(0, MAX_PATH);
  return `${path} is missing or has the wrong type.`;
}

/** Whether any object has a member that the SDK would drop. Does not recurse. */
function hasProto(params: unknown): boolean {
  const pending = [params];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return true;
    for (const member of Object.values(value) as unknown[]) pending.push(member);
  }
  return false;
}
