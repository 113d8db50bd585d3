/**
 * The SDK's low-level server with our own refusals: where it would send a dump of its parser, or drop a member named
 * `__proto__` unseen, this one sends one sentence; nothing of an unexpected error is sent. A tool's arguments reach the handler as they were sent.
 */
import { ProtocolError, ProtocolErrorCode, Server, specTypeSchemas } from '@modelcontextprotocol/server';
import type {
  Implementation,
  JSONRPCRequest,
  Result,
  ServerContext,
  ServerOptions,
  SpecTypeName,
} from '@modelcontextprotocol/server';
import type { Report } from '../core/call.ts';
import { Fault, internalFault } from '../core/faults.ts';

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
/** Where a tool's arguments are while they pass the SDK. */
const GIVEN = 'given';

/** The arguments of a tool call: any JSON value. */
export function givenArguments(params: { arguments?: Record<string, unknown> | undefined }): unknown {
  return params.arguments?.[GIVEN];
}

/** The protocol error -32602 with a message that says what is accepted. */
export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Refuses params that the protocol does not know with -32602 and a sentence; masks and reports unexpected failures. */
export class StrictServer extends Server {
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

/** The SDK takes arguments only as an object; inside one of our own, anything passes for the operation to judge. */
function wrapped(request: JSONRPCRequest): JSONRPCRequest {
  const { arguments: args = {}, ...params } = request.params ?? {};
  return { ...request, params: { ...params, arguments: { [GIVEN]: args } } };
}

/** A sentence about the first member that is not of the protocol's type, null where all are. */
function misfit(method: string, params: unknown): string | null {
  const type = TYPES[method];
  if (type === undefined) return null;
  try {
    const { issues } = specTypeSchemas[type]['~standard'].validate(params ?? {});
    const [issue] = issues ?? [];
    if (!issue) return null;
    const path = ['params', ...(issue.path ?? [])].map(String).join('.').slice(0, MAX_PATH);
    return `${path} is missing or has the wrong type.`;
  } catch {
    // The parser recurses, and the body may be nested as deep as it is long.
    return `params are nested too deeply for ${method}.`;
  }
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
