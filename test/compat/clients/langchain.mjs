import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { ofTools } from './parts.mjs';

export async function connect(url) {
  const client = new MultiServerMCPClient({ mcpServers: { evidence: { transport: 'http', url } } });
  const tools = await client.getTools();
  const text = (output) => (typeof output === 'string' ? [{ type: 'text', text: output }] : output);
  return {
    ...ofTools(tools, {
      nameOf: ({ name }) => name,
      run: async (tool, args) => text(await tool.invoke(args)),
    }),
    read: async (uri) => (await client.readResource('evidence', uri))[0].text,
    close: () => client.close(),
  };
}
