import { MCPClient } from '@mastra/mcp';
import { ofTools } from './parts.mjs';

export async function connect(url) {
  const client = new MCPClient({ servers: { evidence: { url: new URL(url) } } });
  const tools = await (client.listTools ?? client.getTools).call(client);
  const isOld = client.listTools === undefined;
  return {
    ...ofTools(Object.entries(tools), {
      nameOf: ([name]) => name,
      async run([, tool], args) {
        const result = await tool.execute(isOld ? { context: args } : args, {});
        return result.content ? result : { content: [{ type: 'text', text: JSON.stringify(result) }] };
      },
    }),
    read: async (uri) => (await client.resources.read('evidence', uri)).contents[0].text,
    close: () => client.disconnect(),
  };
}
