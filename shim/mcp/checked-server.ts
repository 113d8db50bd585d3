/** The SDK's low-level server with refusals of our own: no text of its parser leaves, and nothing given is dropped unseen. */
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { JSONRPCRequest, Result, ServerContext } from '@modelcontextprotocol/server';
import { dropped, misfit } from './params.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** Where a tool's arguments stand while they pass the SDK. */
const GIVEN = 'given';

/** What was given as arguments of a tool: any JSON value. */
export function givenArguments(params: { arguments?: Record<string, unknown> | undefined }): unknown {
  return params.arguments?.[GIVEN];
}

/** Refuses params that the protocol does not know with -32602 and a sentence; hands a tool's arguments over untouched. */
export class CheckedServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const served = super._wrapHandler(method, handler);
    return async (given, context) => {
      const request = method === 'tools/call' ? wrapped(given) : given;
      const lost = method === 'tools/call' ? null : dropped(method, request.params);
      if (lost !== null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, lost);
      try {
        return await served(request, context);
      } catch (error) {
        const wrong = misfit(method, request.params);
        if (wrong === null) throw error;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, wrong);
      }
    };
  }
}

/** The SDK knows arguments as an object alone; inside one of ours anything passes, for the operation to judge. */
function wrapped(request: JSONRPCRequest): JSONRPCRequest {
  const { arguments: args = {}, ...params } = request.params ?? {};
  return { ...request, params: { ...params, arguments: { [GIVEN]: args } } };
}
