import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MCP_VERSIONS, OPERATIONS } from '../../shim/core/operations/all.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { MAX_BODY_BYTES } from '../../shim/mcp/transport.ts';
import { CLIENTS, versionOf } from '../compat/install.ts';
import { TEST_SITE } from '../_support/tree.ts';
import { answered, callTool, doorOf, HOST, modern } from './asking.ts';
import { tableOf, quoted } from '../_support/markdown.ts';

const PAGE = readFileSync('docs/mcp.md', 'utf8');
const door = doorOf();

/** Fenced blocks: what follows the backticks, and the text inside. */
const BLOCKS = [...PAGE.matchAll(/^```(\w+)(?: (.+))?\n([\s\S]*?)^```$/gm)].map(
  ([, language, info, text]) => ({
    language,
    words: (info ?? '').split(' '),
    text: text ?? '',
  }),
);

describe('[MCP-DOCS] docs/mcp.md', () => {
  it('shows one configuration block that leads here', () => {
    const [block] = BLOCKS.filter(({ language, words }) => language === 'json' && words[0] === '');
    const { mcpServers } = JSON.parse(block?.text ?? '') as {
      mcpServers: Record<string, { type: string; url: string }>;
    };
    expect(Object.values(mcpServers)).toEqual([{ type: 'http', url: 'http://localhost:3000/mcp' }]);
  });

  it('says for every host how to connect to this address', () => {
    for (const [host = '', how = ''] of tableOf(PAGE, 'Connect')) {
      const addresses = [...how.matchAll(/http:[^\s"`]+/g)].map(([address]) => address);
      const isSame = host === 'Cursor' ? how.includes('the block above') : addresses.length > 0;
      expect([host, isSame]).toEqual([host, true]);
      for (const address of addresses) expect([host, address]).toEqual([host, 'http://localhost:3000/mcp']);
    }
  });

  it('has the table of every client that npm run compat installs', () => {
    const listed = tableOf(PAGE, 'Clients');
    expect(listed.map(([client, version]) => [client, version])).toEqual(
      CLIENTS.map((pin) => [pin.client, versionOf(pin)]),
    );
    // A client without such a request has a dash.
    const known = [...MCP_VERSIONS.legacy, MCP_VERSIONS.current];
    for (const [client, , protocol, , tools, calls, resource] of listed) {
      expect([client, known.includes(protocol ?? '')]).toEqual([client, true]);
      expect(['9 9 yes', '9 9 –', '– – –']).toContain(`${tools} ${calls} ${resource}`);
    }
  });

  it('lists every tool with its resource and arguments', () => {
    const listed = tableOf(PAGE, 'Tools').map(([tool, resource, args]) => [
      quoted(tool)[0],
      quoted(resource)[0],
      quoted(args),
    ]);
    const offered = OPERATIONS.filter(({ tool }) => tool !== null).map(({ tool, name, parameters }) => [
      tool,
      `/api/v1/${name}`,
      parameters.map((parameter) => parameter.name),
    ]);
    expect(listed).toEqual(offered);
  });

  it('lists every resource and the template', async () => {
    const { result } = await answered(door, modern('resources/list'));
    const uris = (result['resources'] as { uri: string }[]).map(({ uri }) => uri);
    const fixed = uris.filter((uri) => !uri.startsWith('svc://datasets/'));
    expect(tableOf(PAGE, 'Resources, prompt, completions').map(([uri]) => quoted(uri)[0])).toEqual([
      ...fixed,
      'svc://datasets/{id}',
    ]);
  });

  it('names the limits that hold', () => {
    expect(PAGE).toContain(`${MAX_BODY_BYTES.toLocaleString('en')} bytes`);
    expect(PAGE).toContain(`Version ${MCP_VERSIONS.current}`);
  });

  it('gives a raw request that is answered', async () => {
    const [block] = BLOCKS.filter(({ language }) => language === 'sh');
    const headers = [...(block?.text ?? '').matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [
      name,
      value,
    ]);
    const body = /-d '(.+)'/.exec(block?.text ?? '')?.[1] ?? '';
    const init = {
      method: 'POST',
      body,
      headers: { ...(Object.fromEntries(headers) as Record<string, string>), host: HOST },
    };
    const { status, result } = await answered(door, new Request(`${TEST_SITE}/mcp`, init));
    expect([status, result['isError']]).toEqual([200, false]);
  });
});

describe('[MCP-DOCS] the example conversation', () => {
  const steps = BLOCKS.flatMap(({ words: [kind, name], text }, index) => {
    if (kind !== 'call' && kind !== 'read') return [];
    const shown = kind === 'call' ? BLOCKS[index + 1]?.text : text;
    return [{ kind, name: name ?? '', args: text, shown: JSON.parse(shown ?? '') as JsonObject }];
  });

  it.each(steps)('$kind $name gives what is shown', async ({ kind, name, args, shown }) => {
    const { result } =
      kind === 'read'
        ? await answered(door, modern('resources/read', { uri: name }))
        : { result: { contents: [] } };
    const [content] = result['contents'] as unknown as { text: string }[];
    const given = content
      ? (JSON.parse(content.text) as JsonObject)
      : (await callTool(door, name, JSON.parse(args) as JsonObject)).structuredContent;
    expect(given).toMatchObject(shown);
  });

  it('says no number that the results do not hold', () => {
    const said = PAGE.split('\n').filter((line) => line.startsWith('> '));
    const assistant = said
      .join('\n')
      .split('> **')
      .filter((turn) => turn.startsWith('Assistant'));
    expect(assistant).toHaveLength(2);
    const shown = steps.map(({ shown: result }) => JSON.stringify(result)).join('\n');
    for (const number of assistant
      .join('\n')
      .replaceAll(/(\d),(?=\d{3})/g, '$1')
      .match(/\d+(\.\d+)*/g) ?? [])
      expect(shown).toContain(number);
  });
});
