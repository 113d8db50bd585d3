/**
 * A server of the content that conformance scenarios request by name. It is mounted on the product's own transport
 * (shim/mcp/transport.ts): what it proves about the transport holds for the product.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import type {
  GetPromptResult,
  McpServerFactory,
  ServerCapabilities,
  Tool,
} from '@modelcontextprotocol/server';
import { SERVED_VERSIONS } from '../../shim/mcp/protocol.ts';
import { FIXED_TOOLS, fixturePrompt, fixtureResource } from './fixture-content.ts';
import { contextRequest, ROUND_TOOLS, stateCodec } from './fixture-rounds.ts';

const TOOLS: Tool[] = [...Object.keys(FIXED_TOOLS), ...Object.keys(ROUND_TOOLS)].map((name) => ({
  name,
  description: `Fixture tool ${name}.`,
  inputSchema: { type: 'object', properties: {} },
}));

const PROMPTS = [
  { name: 'test_simple_prompt' },
  { name: 'test_prompt_with_arguments', arguments: required('arg1', 'arg2') },
  { name: 'test_prompt_with_embedded_resource', arguments: required('resourceUri') },
  { name: 'test_prompt_with_image' },
  { name: 'test_input_required_result_prompt' },
].map((prompt) => ({ ...prompt, description: `Fixture prompt ${prompt.name}.` }));

const THANKS: GetPromptResult = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Thank you.' } }],
};
const CAPABILITIES: ServerCapabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };
const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'resources/read'];
const CACHED = { ttlMs: 1000, cacheScope: 'public' } as const;

/** Makes the fixture's servers; `more` are capabilities that the product does not promise. */
export function fixtureServer(more: ServerCapabilities = {}): McpServerFactory {
  return () => {
    const server = new Server(
      { name: 'conformance-fixture', version: '1.0.0' },
      {
        capabilities: { ...CAPABILITIES, ...more },
        supportedProtocolVersions: SERVED_VERSIONS,
        requestState: { verify: stateCodec.verify },
        cacheHints: Object.fromEntries(LISTS.map((method) => [method, CACHED])),
      },
    );
    server.setRequestHandler('tools/list', () => ({ tools: TOOLS }));
    server.setRequestHandler('tools/call', ({ params }, ctx) => {
      const result = FIXED_TOOLS[params.name] ?? ROUND_TOOLS[params.name]?.(ctx);
      if (result) return result;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${params.name}.`);
    });
    server.setRequestHandler('resources/list', () => ({
      resources: [
        { uri: 'test://static-text', name: 'static-text', description: 'Text.', mimeType: 'text/plain' },
        { uri: 'test://static-binary', name: 'static-binary', description: 'Image.', mimeType: 'image/png' },
      ],
    }));
    server.setRequestHandler('resources/templates/list', () => ({
      resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
    }));
    server.setRequestHandler('resources/read', ({ params }) => {
      const found = fixtureResource(params.uri);
      if (found) return found;
      throw new ResourceNotFoundError(params.uri);
    });
    server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS }));
    server.setRequestHandler('prompts/get', ({ params }, ctx) => {
      if (params.name === 'test_input_required_result_prompt') return contextRequest(ctx) ?? THANKS;
      const found = fixturePrompt(params.name, params.arguments);
      if (found) return found;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt ${params.name}.`);
    });
    server.setRequestHandler('completion/complete', () => ({
      completion: { values: [], total: 0, hasMore: false },
    }));
    return server;
  };
}

function required(...names: string[]): { name: string; required: boolean }[] {
  return names.map((name) => ({ name, required: true }));
}
