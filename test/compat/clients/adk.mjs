import { MCPToolset } from '@google/adk';
import { ofTools } from './parts.mjs';

export async function connect(url) {
  const toolset = new MCPToolset({ type: 'StreamableHTTPConnectionParams', url });
  const tools = await toolset.getTools();
  return {
    ...ofTools(tools, {
      nameOf: ({ name }) => name,
      run: (tool, args) => tool.runAsync({ args, toolContext: {} }),
    }),
    async read(uri) {
      // It reads by name, and finds the address itself.
      for (const name of await toolset.listResources())
        if ((await toolset.getResourceInfo(name)).uri === uri)
          return (await toolset.readResource(name))[0].text;
    },
    close: () => toolset.close(),
  };
}
