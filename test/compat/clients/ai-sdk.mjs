import * as library from '@ai-sdk/mcp';
import { ofTools } from './parts.mjs';

export async function connect(url) {
  const create = library.createMCPClient ?? library.experimental_createMCPClient;
  const client = await create({ transport: { type: 'http', url } });
  const tools = await client.tools();
  return {
    ...ofTools(Object.entries(tools), {
      nameOf: ([name]) => name,
      run: ([, tool], args) => tool.execute(args, { messages: [], toolCallId: '1' }),
    }),
    ...(client.readResource
      ? { read: async (uri) => (await client.readResource({ uri })).contents[0].text }
      : {}),
    close: () => client.close(),
  };
}
