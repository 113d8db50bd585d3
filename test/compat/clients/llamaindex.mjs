import { mcp } from '@llamaindex/tools';
import { ofTools } from './parts.mjs';

export async function connect(url) {
  const client = mcp({ clientName: 'compat', clientVersion: '1.0.0', url });
  const tools = await client.tools();
  return {
    ...ofTools(tools, { nameOf: ({ metadata }) => metadata.name, run: (tool, args) => tool.call(args) }),
    close: () => client.cleanup(),
  };
}
