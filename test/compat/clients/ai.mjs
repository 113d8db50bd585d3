import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { experimental_createMCPClient as createClient } from 'ai';
import { ofTools } from './parts.mjs';

export async function connect(url) {
  const client = await createClient({ transport: new StreamableHTTPClientTransport(new URL(url)) });
  const tools = await client.tools();
  return {
    ...ofTools(Object.entries(tools), {
      nameOf: ([name]) => name,
      run: ([, tool], args) => tool.execute(args, { messages: [], toolCallId: '1' }),
    }),
    close: () => client.close(),
  };
}
