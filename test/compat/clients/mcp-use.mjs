import { MCPClient } from 'mcp-use';
import { textOf } from './parts.mjs';

export async function connect(url) {
  const client = MCPClient.fromDict({ mcpServers: { evidence: { url } } });
  const session = await client.createSession('evidence');
  return {
    tools: async () => (await session.listTools()).map(({ name }) => name),
    call: async (name, args) => textOf(await session.callTool(name, args)),
    read: async (uri) => (await session.readResource(uri)).contents[0].text,
    close: () => client.closeAllSessions(),
  };
}
