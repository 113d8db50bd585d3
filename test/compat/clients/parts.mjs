// What several adapters share: results as the protocol has them, to text.
export const NAME = { name: 'compat', version: '1.0.0' };

/** The text block of a tool's result. */
export function textOf(result) {
  return [result]
    .flat()
    .flatMap((one) => one.content ?? one)
    .find(({ type }) => type === 'text')?.text;
}

/** A client of either generation of the TypeScript SDK. */
export function ofSdk(client) {
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => textOf(await client.callTool({ name, arguments: args })),
    read: async (uri) => (await client.readResource({ uri })).contents[0].text,
    close: () => client.close(),
  };
}

/** Tools that are objects with a way to run them; the host puts the server's name before theirs. */
export function ofTools(tools, { nameOf, run }) {
  const plain = (tool) => nameOf(tool).replace(/^evidence(?:__|_|\.)/, '');
  return {
    tools: async () => tools.map(plain),
    call: async (name, args) =>
      textOf(
        await run(
          tools.find((tool) => plain(tool) === name),
          args,
        ),
      ),
  };
}
