import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpClient } from '@strands-agents/sdk';
import { ofTools } from './parts.mjs';

export async function connect(url) {
  const client = new McpClient({ transport: new StreamableHTTPClientTransport(new URL(url)) });
  await client.connect();
  const tools = await client.listTools();
  return {
    ...ofTools(tools, { nameOf: ({ name }) => name, run: (tool, args) => client.callTool(tool, args) }),
    close: () => client.disconnect(),
  };
}
