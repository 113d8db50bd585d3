/** Tools that request input from the client and continue with its response: the scenarios of several rounds. */
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  MissingRequiredClientCapabilityError,
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** What a tool of several rounds returns. */
export type Round = CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>;

/** Signs and checks the state that travels through the client. */
export const stateCodec = createRequestStateCodec<{ step: number }>({
  key: 'a fixture key that protects nothing',
});

function elicit(message: string, name: string, type: 'string' | 'boolean' = 'string'): InputRequest {
  return inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [name]: type === 'string' ? { type } : { type } },
      required: [name],
    },
  });
}

const nameRequest = elicit('What is your name?', 'name');
const okRequest = elicit('Please confirm', 'ok', 'boolean');
const colorRequest = elicit('Step 2: What is your favorite color?', 'color');
const rootsRequest: InputRequest = { method: 'roots/list', params: {} };

function samplingRequest(words: string, maxTokens: number): InputRequest {
  return {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens },
  };
}

function done(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function accepted(ctx: ServerContext, key: string): Record<string, unknown> | undefined {
  return acceptedContent(ctx.mcpReq.inputResponses, key);
}

function declares(ctx: ServerContext, capability: string): boolean {
  const envelope: Record<string, unknown> = { ...ctx.mcpReq.envelope };
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY];
  return typeof declared === 'object' && declared !== null && capability in declared;
}

function answered(ctx: ServerContext, key: string): boolean {
  return inputResponse(ctx.mcpReq.inputResponses, key).kind !== 'missing';
}

type Requests = Record<string, InputRequest>;

/** A tool that requests input until it has a result; with a `step`, signed state travels through the client. */
function rounds(
  result: (ctx: ServerContext) => string | false | undefined,
  requests: Requests | ((ctx: ServerContext) => Requests),
  step?: (ctx: ServerContext) => number,
): (ctx: ServerContext) => Round {
  return async (ctx) => {
    const text = result(ctx);
    if (text) return done(text);
    const inputRequests = typeof requests === 'function' ? requests(ctx) : requests;
    if (!step) return inputRequired({ inputRequests });
    return inputRequired({ inputRequests, requestState: await stateCodec.mint({ step: step(ctx) }) });
  };
}

const confirmed = rounds(
  (ctx) => accepted(ctx, 'confirm') && ctx.mcpReq.requestState() !== undefined && 'state-ok',
  { confirm: okRequest },
  () => 1,
);
const greeting = samplingRequest('Generate a greeting', 50);
const three: Requests = { user_name: nameRequest, greeting, client_roots: rootsRequest };

/** Each tool by name; what the client sent is in the context. */
export const ROUND_TOOLS: Record<string, (ctx: ServerContext) => Round> = {
  test_input_required_result_elicitation: rounds(
    (ctx) => {
      const name = accepted(ctx, 'user_name')?.['name'];
      return typeof name === 'string' && `Hello, ${name}!`;
    },
    { user_name: nameRequest },
  ),
  test_streaming_elicitation: rounds(() => false, { user_name: nameRequest }),
  test_input_required_result_sampling: rounds(
    (ctx) => answered(ctx, 'capital_question') && 'The capital was named.',
    { capital_question: samplingRequest('What is the capital of France?', 100) },
  ),
  test_input_required_result_list_roots: rounds(
    (ctx) => {
      const roots = inputResponse(ctx.mcpReq.inputResponses, 'client_roots');
      return roots.kind === 'roots' && `Roots: ${JSON.stringify(roots.roots)}`;
    },
    { client_roots: rootsRequest },
  ),
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs: rounds(
    (ctx) => Object.keys(three).every((key) => answered(ctx, key)) && 'All answered.',
    three,
    () => 1,
  ),
  test_input_required_result_multi_round: rounds(
    (ctx) => accepted(ctx, 'step2') && 'Both steps are done.',
    (ctx) => (accepted(ctx, 'step1') ? { step2: colorRequest } : { step1: nameRequest }),
    (ctx) => (accepted(ctx, 'step1') ? 2 : 1),
  ),
  test_input_required_result_capabilities: rounds(
    () => false,
    (ctx) => ({
      ...(declares(ctx, 'elicitation') && { user_name: nameRequest }),
      ...(declares(ctx, 'sampling') && { greeting }),
    }),
  ),
  test_missing_capability(ctx) {
    if (declares(ctx, 'sampling')) return done('Sampling was declared.');
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  async test_tool_with_progress(ctx) {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      if (progress < 100) await new Promise((resume) => setTimeout(resume, 50));
    }
    return done('Progress was reported.');
  },
};

/** The one prompt of several rounds. */
export function contextRequest(ctx: ServerContext): InputRequiredResult | null {
  if (accepted(ctx, 'user_context')) return null;
  const user_context = elicit('What context should the prompt use?', 'context');
  return inputRequired({ inputRequests: { user_context } });
}
