import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inputSchema, readQuery } from '../../shim/core/call.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { newAjv } from '../../shim/core/schema.ts';
import type {
  Context,
  JsonObject,
  JsonSchema,
  JsonValue,
  Operation,
  Release,
} from '../../shim/core/types.ts';
import { restAnswer, testContext, operationNamed } from '../_support/doors.ts';
import { copyOfTree } from '../_support/tree.ts';
import { type Handler, answered, callTool, doorOf, modern } from './asking.ts';
import { deriving } from '../../shim/store/blocks.ts';
import { words } from '../_support/words.ts';

const context = testContext();
const door = doorOf(context);

const TOOLS = OPERATIONS.filter(({ tool }) => tool !== null);
const { result: listing } = await answered(door, modern('tools/list'));
const LISTED = listing['tools'] as unknown as {
  name: string;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  description: string;
  annotations: JsonObject;
}[];

/** The REST body of a query string. */
async function rest(operation: Operation, search: string, from: Context = context): Promise<JsonObject> {
  return (await restAnswer(operation, () => readQuery(operation, search), from)).body;
}

function toolOf(operation: Operation): string {
  return operation.tool ?? '';
}

describe('[MCP-TOOLS] tools/list', () => {
  it('offers the tools of the contract and no others', () => {
    expect(LISTED.map(({ name }) => name)).toEqual(
      words(`get_market_catalog find_series query_market_observations get_revisions
      get_atlas get_entities get_federation get_producerp_corridors get_producerp_bri_context`),
    );
  });

  it('says how long it may be kept', () => {
    expect(listing).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' });
  });

  it.each(TOOLS.map((operation) => [toolOf(operation), operation] as const))(
    '%s is its operation',
    (name, operation) => {
      const tool = LISTED.find((candidate) => candidate.name === name);
      expect(tool?.description.startsWith(operation.summary)).toBe(true);
      const { properties, ...shape } = tool?.inputSchema ?? {};
      const { properties: own, ...whole } = inputSchema(operation);
      expect(shape).toEqual(whole);
      // Defaults may differ, and the descriptions that say them; nothing else does.
      const withoutDefault = (schemas: JsonValue | undefined): JsonValue =>
        Object.fromEntries(
          Object.entries(schemas as Record<string, JsonObject>).map(
            ([parameter, { default: _default, description: _description, ...schema }]) => [parameter, schema],
          ),
        );
      expect(withoutDefault(properties)).toEqual(withoutDefault(own));
      expect(tool?.annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: operation.name === 'federation',
      });
      expect(tool?.outputSchema['anyOf'] === undefined).toBe(operation.unavailable !== undefined);
    },
  );
});

const QUERIES: [resource: string, search: string, args: JsonObject][] = [
  ['markets', '?detail=summary', {}],
  ['markets', '', { detail: 'full' }],
  ['markets', '?market=arms&detail=full', { market: 'arms', detail: 'full' }],
  ['markets', '?indicator=seizures&detail=summary', { indicator: 'seizures' }],
  ['market-observations', '?limit=25', {}],
  ['market-observations', '', { limit: 200 }],
  ['market-observations', '?geo=COL&limit=3', { geo: 'COL', limit: 3 }],
  [
    'market-observations',
    '?indicator=seizures&category=&from=2020&to=2021',
    { indicator: 'seizures', category: '', from: '2020', to: '2021' },
  ],
  ['market-observations', '?geo=Atlantis', { geo: 'Atlantis' }],
  ['series', '?limit=30', {}],
  ['series', '?query=heroin+price+germany', { query: 'heroin price germany' }],
  ['series', '?query=xyzzy&market=drugs', { query: 'xyzzy', market: 'drugs' }],
  ['atlas', '?limit=12', {}],
  ['atlas', '?iso3=MEX&year=2023', { iso3: 'MEX', year: 2023 }],
  ['entities', '', {}],
  ['entities', '?entity_type=vessel&limit=2', { entity_type: 'vessel', limit: 2 }],
  ['federation', '?lane=producerp-bri', { lane: 'producerp-bri' }],
  ['producerp-corridors', '?detail=summary', {}],
  ['producerp-corridors', '?dataset=opium-cultivation', { dataset: 'opium-cultivation', detail: 'full' }],
  ['producerp-corridors', '', { detail: 'full' }],
  ['producerp-bri', '?detail=summary', {}],
  ['producerp-bri', '', { detail: 'full' }],
];

describe('tools/call', () => {
  it.each(QUERIES)('[MCP-SAME] %s%s gives the data of REST, validated', async (resource, search, args) => {
    const operation = operationNamed(resource);
    const { data } = await rest(operation, search);
    const { content, structuredContent, isError } = await callTool(door, toolOf(operation), args);
    expect(isError).toBe(false);
    expect(structuredContent).toEqual(data);
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(data);
    const schema = LISTED.find(({ name }) => name === operation.tool)?.outputSchema ?? {};
    expect(newAjv().compile(schema)(structuredContent)).toBe(true);
  });

  it('walks on with the cursor it was given, as REST does', async () => {
    const first = await callTool(door, 'get_entities', { limit: 5 });
    const { next_cursor } = (first.structuredContent ?? {})['page'] as { next_cursor: string };
    const { structuredContent } = await callTool(door, 'get_entities', { limit: 5, cursor: next_cursor });
    expect(structuredContent).toEqual(
      (await rest(operationNamed('entities'), `?limit=5&cursor=${next_cursor}`))['data'],
    );
  });

  const BAD: [resource: string, search: string, args: JsonObject][] = [
    ['atlas', '?iso3=mex', { iso3: 'mex' }],
    ['atlas', '?limit=0', { limit: 0 }],
    ['atlas', '?cursor=AAAA', { cursor: 'AAAA' }],
    ['markets', '?id=1', { id: '1' }],
    ['market-observations', '?dataset=none', { dataset: 'none' }],
    ['market-observations', '?from=2022&to=2020', { from: '2022', to: '2020' }],
    ['federation', '?lane=market', { lane: 'market' }],
    ['entities', '?query=%00', { query: '\0' }],
    // Of two faults both report the same one.
    ['atlas', '?limit=5junk', { limit: '5junk' }],
    ['atlas', '?iso3=mex&year=', { iso3: 'mex', year: '' }],
    ['atlas', '?limit=1.0&year=2021.0', { limit: '1.0', year: '2021.0' }],
    ['entities', '?entity_type=&nope=1', { entity_type: '', nope: '1' }],
    ['atlas', '?limit=1e1&LIMIT=1', { limit: '1e1', LIMIT: '1' }],
  ];
  it.each(BAD)('[MCP-REFUSES] %s%s is an error with the message of REST', async (resource, search, args) => {
    const operation = operationNamed(resource);
    const { ok, message } = await rest(operation, search);
    expect(ok).toBe(false);
    const result = await callTool(door, toolOf(operation), args);
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: message }] });
    expect(result.structuredContent).toBeUndefined();
  });

  it('takes a year as a number or as text', async () => {
    const { data } = await rest(operationNamed('atlas'), '?year=2023&limit=3');
    const atlas = await callTool(door, 'get_atlas', { year: '2023', limit: 3 });
    expect(atlas.structuredContent).toEqual(data);
    const search = '?geo=BEL&from=2020&to=2021&limit=3';
    const args = { geo: 'BEL', from: 2020, to: 2021, limit: 3 };
    const { structuredContent } = await callTool(door, 'query_market_observations', args);
    expect(structuredContent).toEqual((await rest(operationNamed('market-observations'), search))['data']);
  });

  it.each([
    [
      'get_atlas',
      { limit: '5' },
      'Invalid value "5" for parameter "limit": expected an integer from 1 to 100 (JSON type integer).',
    ],
    [
      'get_atlas',
      { year: 'soon' },
      'Invalid value "soon" for parameter "year": expected a year from 1900 to 2200 (JSON type integer).',
    ],
    [
      'query_market_observations',
      { from: 20.5 },
      'Invalid value 20.5 for parameter "from": expected a year YYYY or a month YYYY-MM (JSON type string).',
    ],
    [
      'get_atlas',
      { iso3: null },
      'Invalid value null for parameter "iso3": expected three capital letters, such as MEX (JSON type string); leave it out instead of null.',
    ],
  ])('%s %j: the refusal names the type', async (name, args, message) => {
    const { isError, content } = await callTool(door, name, args);
    expect([isError, content[0]?.text]).toEqual([true, message]);
  });

  it('names tools and resources in its refusals, never a path of REST', async () => {
    const refused = [
      { dataset: 'nope' },
      { indicator: 'nope' },
      { cursor: 'abc' },
      { from: 'x' },
      { nope: 1 },
    ];
    for (const args of refused) {
      const { isError, content } = await callTool(door, 'query_market_observations', args);
      expect(isError).toBe(true);
      expect(content[0]?.text).not.toContain('/api/');
    }
  });
});

/** A handler over a copy of the tree in which files are damaged or missing. */
function damaged(paths: string[], content: string | null = null): { door: Handler; context: Context } {
  const copy = copyOfTree(...paths);
  for (const path of paths) {
    if (content === null) rmSync(join(copy, path));
    else writeFileSync(join(copy, path), content);
  }
  const over = testContext(copy);
  return { door: doorOf(over), context: over };
}

const ENVELOPED = ['atlas', 'entities', 'federation'];

/** A payload without the clock of the call: two calls of a live resource differ in nothing else. */
function timeless(payload: JsonValue | undefined): JsonValue {
  return JSON.parse(
    JSON.stringify(payload).replaceAll(/"retrieved_at":"[^"]*"/g, '"retrieved_at":""'),
  ) as JsonValue;
}

describe('[MCP-UNAVAILABLE] unavailable evidence', () => {
  const DAMAGES: [resource: string, path: string, args: JsonObject][] = [
    ['markets', 'data/catalog.json', {}],
    ['markets', 'data/catalog.json data/packs.json', {}],
    ['market-observations', 'data/packs.json', { geo: 'COL' }],
    ['market-observations', 'data/drug-prices.ndjson', { dataset: 'drug-prices' }],
    ['series', 'data/index/series.idx', { query: 'belgium' }],
    ['series', 'data/packs.json', {}],
    ['atlas', 'data/organized-crime-index.ndjson', { domain: 'organized_crime' }],
    ['entities', 'data/designations.ndjson', {}],
    ['federation', 'data/svc-producerp-bri-v1.json', { lane: 'producerp-bri' }],
    ['producerp-corridors', 'data/svc-producerp-corridors-v1.json', {}],
    ['producerp-bri', 'data/svc-producerp-bri-v1.json', {}],
  ];
  it.each(DAMAGES)('%s without %s is a valid result that says so', async (resource, path, args) => {
    const operation = operationNamed(resource);
    const broken = damaged(path.split(' '));
    const result = await callTool(broken.door, toolOf(operation), args);
    expect(result.isError).toBe(false);
    expect(result.structuredContent?.['status']).toBe('unavailable');
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result.structuredContent);
    const schema = LISTED.find(({ name }) => name === operation.tool)?.outputSchema ?? {};
    expect(newAjv().compile(schema)(result.structuredContent)).toBe(true);
    const search = new URLSearchParams(args as Record<string, string>).toString();
    const body = await rest(operation, `?${search}`, broken.context);
    expect(body).toMatchObject({ ok: false, error: 'unavailable' });
    // Three resources carry the payload over REST too.
    expect('data' in body).toBe(ENVELOPED.includes(resource));
    const { structuredContent } = await callTool(broken.door, toolOf(operation), args);
    expect(timeless(body['data'] ?? structuredContent)).toEqual(timeless(structuredContent));
  });

  it('a damaged file is as unavailable as a missing one', async () => {
    const { door: broken } = damaged(['data/catalog.json'], '{"datasets":[]}');
    const { structuredContent } = await callTool(broken, 'get_market_catalog');
    expect(structuredContent).toMatchObject({ status: 'unavailable', datasets: [] });
  });

  it('leaves the other tools alone', async () => {
    const { door: broken } = damaged(['data/svc-producerp-bri-v1.json']);
    expect((await callTool(broken, 'get_atlas', { limit: 1 })).structuredContent?.['status']).toBe(
      'available',
    );
  });
});

describe('unexpected failures', () => {
  const SECRET = '/etc/secret password=1';
  const failing = (): never => {
    throw new Error(SECRET);
  };
  const broken: Context = {
    ...context,
    release: { ...context.release, derive: deriving(), manifest: failing, document: failing, pack: failing },
  };

  it('[MCP-MASKED] are reported and never sent', async () => {
    const reported: unknown[] = [];
    const masked = doorOf(broken, reported);
    const requests = [
      modern('tools/call', { name: 'get_atlas', arguments: {} }),
      modern('tools/call', { name: 'get_market_catalog', arguments: {} }),
      modern('resources/list'),
      modern('resources/read', { uri: 'svc://catalog' }),
      modern('prompts/get', { name: 'cite_evidence', arguments: { dataset: 'drug-prices' } }),
      modern('completion/complete', {
        ref: { type: 'ref/prompt', name: 'cite_evidence' },
        argument: { name: 'dataset', value: '' },
      }),
    ];
    for (const request of requests) {
      const response = await masked(request);
      expect(await response.text()).not.toMatch(/secret|password|\.ts/);
    }
    expect(reported.length).toBe(requests.length);
    const { isError, content } = await callTool(masked, 'get_atlas');
    expect([isError, content[0]?.text]).toEqual([
      true,
      (await rest(operationNamed('atlas'), '', broken))['message'],
    ]);
  });
});

it('keeps what is requested three times, until there is another release', async () => {
  let title = 'first';
  let store = context.release;
  const document = (): Uint8Array => new TextEncoder().encode(JSON.stringify({ title }));
  const open = (): Release => ({ ...context.release, derive: deriving(), document });
  const changing = doorOf({
    ...context,
    get release() {
      return store;
    },
  });
  const read = async (): Promise<unknown> =>
    (await callTool(changing, 'get_producerp_corridors')).structuredContent?.['title'];
  store = open();
  for (let time = 0; time < 3; time += 1) expect(await read()).toBe('first');
  title = 'second';
  expect(await read()).toBe('first');
  store = open();
  expect(await read()).toBe('second');
});
