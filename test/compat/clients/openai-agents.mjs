import { MCPServerStreamableHttp } from '@openai/agents';
import { textOf } from './parts.mjs';

export async function connect(url) {
  const server = new MCPServerStreamableHttp({ url, name: 'evidence' });
  await server.connect();
  return {
    tools: async () => (await server.listTools()).map(({ name }) => name),
    call: async (name, args) => textOf(await server.callTool(name, args)),
    read: async (uri) => (await server.readResource(uri)).contents[0].text,
    close: () => server.close(),
  };
}
