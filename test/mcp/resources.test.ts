import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shim/core/types.ts';
import { builtStore } from '../_support/tree.ts';
import { answered, callTool, doorOf, modern } from './asking.ts';
import { words } from '../_support/words.ts';

const door = doorOf();
const store = builtStore();
const IDS = store.manifest().packs.map(({ id }) => id);

async function ask(method: string, params: Record<string, unknown> = {}): Promise<JsonObject> {
  const { result, error } = await answered(door, modern(method, params));
  if (error) throw new Error(`${error.code} ${error.message}`);
  return result;
}

async function read(uri: string): Promise<{ text: string; mimeType: string; uri: string }> {
  const { contents } = await ask('resources/read', { uri });
  const [content] = contents as unknown as { text: string; mimeType: string; uri: string }[];
  if (!content) throw new Error(uri);
  return content;
}

describe('[MCP-RESOURCES] resources', () => {
  it('lists catalog, capabilities, artifact and every dataset', async () => {
    const result = await ask('resources/list');
    const uris = (result['resources'] as { uri: string }[]).map(({ uri }) => uri);
    expect(uris).toEqual([
      'svc://catalog',
      'svc://capabilities',
      'svc://producerp-bri',
      ...IDS.map((id) => `svc://datasets/${id}`),
    ]);
    expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' });
  });

  it('offers the template of a dataset', async () => {
    expect(await ask('resources/templates/list')).toMatchObject({
      resourceTemplates: [{ uriTemplate: 'svc://datasets/{id}', mimeType: 'application/json' }],
      ttlMs: 3_600_000,
    });
  });

  it('reads the artifact byte for byte', async () => {
    const { text, mimeType } = await read('svc://producerp-bri');
    const published = store.document('data/svc-producerp-bri-v1.json');
    expect([Buffer.from(text).equals(Buffer.from(published)), mimeType]).toEqual([true, 'application/json']);
  });

  it('reads the catalog that the tool gives', async () => {
    const { structuredContent } = await callTool(door, 'get_market_catalog', { detail: 'full' });
    expect(JSON.parse((await read('svc://catalog')).text)).toEqual(structuredContent);
  });

  it('reads the capabilities with the versions and tools of this door', async () => {
    const { mcp } = JSON.parse((await read('svc://capabilities')).text) as { mcp: JsonObject };
    const { tools } = await ask('tools/list');
    const listed = (tools as { name: string }[]).map(({ name }) => name);
    expect((mcp['tools'] as { name: string }[]).map(({ name }) => name)).toEqual(listed);
    expect(mcp['protocolVersions']).toEqual([
      '2026-07-28',
      '2025-11-25',
      '2025-06-18',
      '2025-03-26',
      '2024-11-05',
    ]);
  });

  it.each(IDS)(
    'reads the document of %s byte for byte: licence, publisher and hash of its sources',
    async (id) => {
      const { text } = await read(`svc://datasets/${id}`);
      expect(text).toBe(new TextDecoder().decode(store.document(`data/datasets/${id}.json`)));
      const { sources, ...document } = JSON.parse(text) as { sources: JsonObject[] };
      expect(document).toMatchObject({ id, limitations: expect.any(Array) as string[] });
      expect(sources.length).toBeGreaterThan(0);
      for (const source of sources)
        for (const member of ['name', 'publisher', 'license']) expect(source[member]).toMatch(/\w/);
      for (const { sha256 } of sources) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    },
  );

  it.each([
    'svc://datasets/none',
    'svc://datasets/../packs',
    'svc://catalog/',
    'https://evidence.example/',
    '',
  ])('knows no resource %s', async (uri) => {
    const { error, result } = await answered(door, modern('resources/read', { uri }));
    expect([error?.code, error?.data, result]).toEqual([-32602, { uri }, undefined]);
  });
});

describe('[MCP-RESOURCES] links from results', () => {
  const LINKED: [tool: string, args: Record<string, unknown>, uris: string[]][] = [
    ['get_market_catalog', {}, ['svc://catalog']],
    ['query_market_observations', { dataset: 'drug-prices', limit: 3 }, ['svc://datasets/drug-prices']],
    ['query_market_observations', { geo: 'Atlantis' }, []],
    ['get_atlas', { domain: 'firearms_tracing', limit: 1 }, ['svc://datasets/firearms-tracing']],
    ['get_entities', { limit: 1 }, ['svc://datasets/designations']],
    ['get_producerp_bri_context', {}, ['svc://producerp-bri']],
    ['get_federation', {}, []],
  ];
  it.each(LINKED)('%s %j leads to %j', async (tool, args, uris) => {
    const { content } = await callTool(door, tool, args);
    const links = content.slice(1).map(({ type, uri }) => [type, uri]);
    expect(links).toEqual(uris.map((uri) => ['resource_link', uri]));
  });

  it('leads only to resources that can be read', async () => {
    for (const tool of words(`query_market_observations get_atlas get_entities get_producerp_corridors`)) {
      const { content } = await callTool(door, tool);
      for (const { uri } of content.slice(1)) expect((await read(uri ?? '')).uri).toBe(uri);
    }
  });
});

describe('[MCP-PROMPT] the prompt', () => {
  it('is listed with its arguments', async () => {
    expect(await ask('prompts/list')).toMatchObject({
      prompts: [
        {
          name: 'cite_evidence',
          arguments: [{ name: 'dataset', required: true }, { name: 'indicator' }, { name: 'question' }],
        },
      ],
      ttlMs: 3_600_000,
    });
  });

  it('embeds licence and caveats of the dataset, and the question', async () => {
    const args = { dataset: 'drug-seizures', indicator: 'seizures', question: 'How much in 2021?' };
    const { messages } = await ask('prompts/get', { name: 'cite_evidence', arguments: args });
    const { text } = await read('svc://datasets/drug-seizures');
    expect(messages).toMatchObject([
      {
        role: 'user',
        content: { type: 'resource', resource: { uri: 'svc://datasets/drug-seizures', text } },
      },
      {
        role: 'user',
        content: { type: 'text', text: expect.stringContaining('How much in 2021?') as string },
      },
    ]);
  });

  it.each([
    ['cite_evidence', {}],
    ['cite_evidence', { dataset: 'none' }],
    ['cite_evidence', { dataset: 'drug-prices', indicator: 'seizures' }],
    ['cite_evidence', { dataset: 'drug-prices', tone: 'bold' }],
    ['cite', { dataset: 'drug-prices' }],
  ])('refuses %s %j', async (name, args) => {
    expect((await answered(door, modern('prompts/get', { name, arguments: args }))).error?.code).toBe(-32602);
  });
});

describe('completions', () => {
  const PROMPT = { type: 'ref/prompt', name: 'cite_evidence' };
  const TEMPLATE = { type: 'ref/resource', uri: 'svc://datasets/{id}' };
  const complete = async (ref: object, name: string, value: string, context?: object): Promise<unknown> => {
    const params = { ref, argument: { name, value }, ...(context ? { context } : {}) };
    return (await ask('completion/complete', params))['completion'];
  };

  it('completes dataset ids, those that begin with the text first', async () => {
    const found = { values: ['firearms-tracing'], total: 1, hasMore: false };
    expect(await complete(PROMPT, 'dataset', 'fire')).toEqual(found);
    expect(await complete(TEMPLATE, 'id', 'prices')).toEqual({
      values: ['drug-prices'],
      total: 1,
      hasMore: false,
    });
  });

  it('completes the indicators of the dataset chosen before', async () => {
    const context = { arguments: { dataset: 'drug-prices' } };
    expect(await complete(PROMPT, 'indicator', '', context)).toMatchObject({
      values: ['prices-retail', 'prices-wholesale'],
    });
    expect(await complete(PROMPT, 'indicator', 'seizures')).toMatchObject({ values: ['seizures'] });
  });

  it('never gives more than 100', async () => {
    const { values } = (await complete(PROMPT, 'indicator', '')) as { values: string[] };
    expect(values.length).toBeLessThanOrEqual(100);
  });

  it.each([
    [{ type: 'ref/prompt', name: 'other' }, 'dataset'],
    [PROMPT, 'tone'],
    [{ type: 'ref/resource', uri: 'svc://other/{id}' }, 'id'],
  ])('refuses %j %s', async (ref, name) => {
    const params = { ref, argument: { name, value: '' } };
    expect((await answered(door, modern('completion/complete', params))).error?.code).toBe(-32602);
  });
});
