/** What an agent reads: descriptions, sizes, argument types and refusals, all through the MCP endpoint. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, describe, expect, it } from 'vitest';
import { unavailable } from '../../shim/core/faults.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { newAjv } from '../../shim/core/schema.ts';
import { sha256 } from '../../build/lib/tree.ts';
import { having } from '../../build/stand-in/responses.ts';
import { startUpstream } from '../../build/stand-in/server.ts';
import { peerOf } from '../_support/federation.ts';
import { answered, callTool, doorOf, modern, dataOf } from './asking.ts';
import { testContext } from '../_support/doors.ts';
import { items } from '../_support/words.ts';

const context = testContext();
const door = doorOf(context);
const upstream = await startUpstream();
afterAll(() => upstream.close());
const SUMMARY = '/api/v2/world-markets?section=summary';
/** A door that has kept nothing of the stand-in yet. */
const federated = (): typeof door =>
  doorOf(testContext(undefined, peerOf(upstream.origin, { release: context.release })));
const { result: listing } = await answered(door, modern('tools/list'));

interface Listed {
  name: string;
  description: string;
  inputSchema: { properties: Record<string, { type: string; default?: unknown; description: string }> };
  outputSchema: JsonObject;
}
const LISTED = listing['tools'] as unknown as Listed[];
const NAMES = LISTED.map(({ name }) => name);

function listed(name: string): Listed {
  const tool = LISTED.find((each) => each.name === name);
  if (!tool) throw new Error(name);
  return tool;
}

const textOf = async (name: string, args: JsonObject = {}): Promise<string> => {
  const { content } = await callTool(door, name, args);
  return content[0]?.text ?? '';
};

describe('[MCP-SIZES] sizes', () => {
  it.each(NAMES)('the default response of %s has at most 8,000 tokens', async (name) => {
    expect(countTokens(await textOf(name))).toBeLessThanOrEqual(8000);
  });

  it('every page without a limit has at most 8,000 tokens, however it is filtered', async () => {
    const catalog = await dataOf(door, 'get_market_catalog');
    const datasets = (catalog['datasets'] ?? []) as { id: string; indicators: { id: string }[] }[];
    const requests: [name: string, args: JsonObject][] = [
      ...datasets.map(({ id }): [string, JsonObject] => ['query_market_observations', { dataset: id }]),
      ...datasets.flatMap(({ indicators }) =>
        indicators.map(({ id }): [string, JsonObject] => ['query_market_observations', { indicator: id }]),
      ),
      ...['USA', 'MDG', 'GIB', 'MEX', 'CHN', 'DEU'].map((geo): [string, JsonObject] => [
        'query_market_observations',
        { geo },
      ]),
      ...['organized_crime', 'firearms_tracing'].map((domain): [string, JsonObject] => [
        'get_atlas',
        { domain },
      ]),
      ...['changed', 'added', 'withdrawn', 'became_unavailable', 'relabelled'].map(
        (kind): [string, JsonObject] => ['get_revisions', { kind }],
      ),
      ...['cocaine', 'x-us-cbp', 'prevalence', 'informal employment', 'other'].map(
        (query): [string, JsonObject] => ['find_series', { query }],
      ),
      ...['MX', 'CO', 'IR', 'Panama'].map((country): [string, JsonObject] => ['get_entities', { country }]),
    ];
    const sizes = await Promise.all(
      requests.map(
        async ([name, args]) => [name, JSON.stringify(args), countTokens(await textOf(name, args))] as const,
      ),
    );
    expect(sizes.length).toBeGreaterThan(60);
    expect(sizes.filter(([, , tokens]) => tokens > 8000)).toEqual([]);
  });

  it('lanes with large data leave the largest out of the response for all, and give it alone', async () => {
    upstream.behave(SUMMARY, having({ 'summary.note': 'words and more words '.repeat(2000) }));
    const large = federated();
    const all = await callTool(large, 'get_federation');
    expect(countTokens(all.content[0]?.text ?? '')).toBeLessThanOrEqual(8000);
    const lanes = JSON.parse(all.content[0]?.text ?? '{}').lanes as {
      id: string;
      data: JsonObject | null;
    }[];
    expect(lanes.find(({ id }) => id === 'producers-summary')?.data).toMatchObject({
      left_out: { note: expect.stringContaining('Request this lane alone') },
    });
    const short = await callTool(large, 'get_federation', { lane: 'producers-summary' });
    expect(countTokens(short.content[0]?.text ?? '')).toBeLessThanOrEqual(8000);
    const alone = await dataOf(large, 'get_federation', { lane: 'producers-summary', detail: 'full' });
    const [lane] = alone['lanes'] as { data: JsonObject | null }[];
    expect(lane?.data).not.toHaveProperty('left_out');
    expect(JSON.stringify(lane?.data).length).toBeGreaterThan(18_000);
    // Caveats are no figures: they stay where the figures are left out, and so does what is not data, however large the data is.
    const caveats = ['These figures are not to be summed.'];
    const [words, note] = [3000, 100].map((times) => 'words and more words '.repeat(times));
    upstream.behave(SUMMARY, having({ 'summary.note': words, 'scope.note': note, caveats }));
    for (const args of [{}, { lane: 'producers-summary' }]) {
      const { lanes: shown } = await dataOf(federated(), 'get_federation', args);
      const found = (shown as JsonObject[]).find(({ id }) => id === 'producers-summary');
      expect(found).toMatchObject({ data: { left_out: {}, caveats }, scope: { note } });
    }
    // Of what is too large outside of data, only that is left out.
    upstream.behave(SUMMARY, having({ 'scope.note': 'words and more words '.repeat(80_000) }));
    const [inShort, inFull] = await Promise.all(
      [{}, { detail: 'full' }].map(async (args) => {
        const { lanes: others } = await dataOf(large, 'get_federation', args);
        return new Map((others as JsonObject[]).map((each) => [each['id'], each]));
      }),
    );
    for (const others of [inShort, inFull])
      expect(others?.get('producers-summary')).toMatchObject({ scope: { left_out: {} } });
    expect(countTokens(JSON.stringify([...(inShort?.values() ?? [])]))).toBeLessThanOrEqual(8000);
    expect(inFull?.get('producerp-bri')?.['data']).not.toHaveProperty('left_out');
  });

  it('a lane whose scope and citation are both large leaves out the one and the other', async () => {
    const [scope, citation] = [3000, 2000].map((times) => 'words and more words '.repeat(times));
    upstream.behave(SUMMARY, having({ 'scope.note': scope, 'citation.note': citation }));
    const { lanes } = await dataOf(federated(), 'get_federation', { lane: 'producers-summary' });
    expect(lanes).toMatchObject([{ scope: { left_out: {} }, citation: { left_out: {} }, error: null }]);
  });

  it.each([
    ['digits', Array.from({ length: 6500 }, (_, at) => at % 10)],
    ['numbers', Array.from({ length: 2900 }, (_, at) => (at * 37) % 1000)],
    ['hashes', Array.from({ length: 240 }, (_, at) => sha256(String(at)))],
    ['signs', '\u{1f702}'.repeat(3300)],
    ['words', 'words and more words '.repeat(600)],
  ])('a lane of %s has at most 8,000 tokens, whatever its bytes', async (name, note) => {
    upstream.behave(SUMMARY, having({ 'summary.note': note }));
    const other = federated();
    const { content } = await callTool(other, 'get_federation', { lane: 'producers-summary' });
    const text = content[0]?.text ?? '';
    expect(countTokens(text)).toBeLessThanOrEqual(8000);
    expect(text.includes('left_out')).toBe(name !== 'words');
  });

  it('the list of tools stays small', () => {
    expect(Buffer.byteLength(JSON.stringify(listing))).toBeLessThan(7_500 * LISTED.length);
  });
});

describe('[MCP-DESCRIBED] descriptions', () => {
  it('name every publisher of the catalog, and each table with the date of its edition', async () => {
    const structuredContent = await dataOf(door, 'get_market_catalog');
    const datasets = structuredContent['datasets'] as {
      id: string;
      sources: { publisher: string; dated: string }[];
    }[];
    expect(datasets.length).toBeGreaterThan(5);
    for (const name of ['get_market_catalog', 'find_series', 'query_market_observations', 'get_revisions']) {
      const { description } = listed(name);
      for (const { id, sources } of datasets) {
        const dates = sources.map(({ dated }) => dated).sort();
        expect(description).toContain(`${id} (${dates.at(-1)})`);
        for (const { publisher } of sources) expect(description).toContain(publisher);
      }
    }
  });

  it('say how to get all of a lane, and which datasets have revisions', () => {
    expect(listed('get_federation').description).toContain(
      'One lane with detail=full gives all of its data.',
    );
    const { dataset } = listed('get_revisions').inputSchema.properties;
    expect(dataset?.description).toContain('or of national context');
  });

  it('name the sanctions list, its authority, programs and date', async () => {
    const structuredContent = await dataOf(door, 'get_entities', { limit: 1 });
    const { sanctions_list_date, sources } = structuredContent['source'] as {
      sanctions_list_date: string;
      sources: { publisher: string }[];
    };
    const { description } = listed('get_entities');
    expect(description).toContain(`list of ${sanctions_list_date}`);
    expect(description).toContain(sources[0]?.publisher);
    for (const word of items(`OFAC | US Treasury | Specially Designated Nationals | SDNTK | SDNT |
      TCO | ILLICIT-DRUGS-EO14059`))
      expect(description).toContain(word);
  });

  it('name the sources of the atlas with their dates', async () => {
    const structuredContent = await dataOf(door, 'get_atlas', { limit: 1 });
    const sources = structuredContent['sources'] as {
      metadata: { sources: { publisher: string; dated: string }[] };
    }[];
    const { description } = listed('get_atlas');
    for (const { metadata } of sources)
      for (const { publisher, dated } of metadata.sources.slice(0, 1)) {
        expect(description).toContain(publisher);
        expect(description).toContain(`(${dated})`);
      }
  });

  it('name the release of the context producer and the tables of the country aggregates', async () => {
    const bri = await dataOf(door, 'get_producerp_bri_context');
    const { dataAsOf } = bri['data'] as { dataAsOf: string };
    for (const name of ['get_producerp_bri_context', 'get_federation'])
      expect(listed(name).description).toContain(`ProducerP of ${dataAsOf.slice(0, 10)}`);
    const corridors = await dataOf(door, 'get_producerp_corridors');
    for (const { id, publishers } of corridors['datasets'] as { id: string; publishers: string[] }[]) {
      expect(listed('get_producerp_corridors').description).toContain(`${id} (`);
      for (const publisher of publishers)
        expect(listed('get_producerp_corridors').description).toContain(publisher);
    }
  });

  it('follow the open release, and say nothing of what cannot be read', async () => {
    const { packs, ...manifest } = context.release.manifest();
    const later = packs.map((pack) =>
      pack.kind === 'entities'
        ? {
            ...pack,
            meta: {
              ...pack.meta,
              source: { ...(pack.meta['source'] as JsonObject), sanctions_list_date: '2031-02-03' },
            },
          }
        : pack,
    );
    const listOf = async (over: Partial<typeof context.release>): Promise<Listed[]> => {
      const kept = new Map<unknown, object>();
      const derive: typeof context.release.derive = (make) => {
        const known = kept.get(make) ?? make(release);
        kept.set(make, known);
        return known as ReturnType<typeof make>;
      };
      const release = { ...context.release, derive, ...over };
      const { result } = await answered(doorOf({ ...context, release }), modern('tools/list'));
      return result['tools'] as unknown as Listed[];
    };
    const changed = await listOf({ manifest: () => ({ ...manifest, packs: later }) });
    expect(changed.find(({ name }) => name === 'get_entities')?.description).toContain('list of 2031-02-03');
    const damaged = await listOf({
      manifest: () => {
        throw unavailable('The manifest');
      },
    });
    expect(damaged.map(({ name }) => name)).toEqual(NAMES);
    expect(damaged.find(({ name }) => name === 'get_entities')?.description).not.toContain('list of');
  });

  it.each(NAMES)('%s gives an example that is valid and finds something', async (name) => {
    const { description, inputSchema } = listed(name);
    const example = JSON.parse(/Example: (\{.*\})$/.exec(description)?.[1] ?? 'null') as JsonObject;
    expect(newAjv().compile(inputSchema as unknown as JsonObject)(example)).toBe(true);
    const { isError, structuredContent } = await callTool(door, name, example);
    expect(isError).toBe(false);
    expect(structuredContent?.['status'] ?? 'available').toBe('available');
    const { matched = 1 } = (structuredContent?.['page'] ?? {}) as { matched?: number };
    expect(matched).toBeGreaterThan(0);
  });

  it('state the default of each argument that has one', () => {
    for (const { inputSchema } of LISTED)
      for (const [name, { default: value, description }] of Object.entries(inputSchema.properties)) {
        if (value === undefined || !['limit', 'detail'].includes(name)) continue;
        expect(description).toContain(`default ${String(value)}`);
      }
    expect(listed('query_market_observations').inputSchema.properties['limit']?.default).toBe(25);
    expect(listed('get_market_catalog').inputSchema.properties['detail']?.default).toBe('summary');
  });

  it('the atlas describes every field of its records in its output schema', async () => {
    const text = JSON.stringify(listed('get_atlas').outputSchema);
    const structuredContent = await dataOf(door, 'get_atlas', { iso3: 'MEX', limit: 100 });
    const names = new Set<string>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, each] of Object.entries(value)) {
        names.add(name);
        visit(each);
      }
    };
    for (const { data } of structuredContent['records'] as { data: JsonObject }[]) visit(data);
    expect(names.size).toBeGreaterThan(40);
    expect([...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });
});

describe('[MCP-ARGUMENTS] arguments', () => {
  it('have one type for the same thing in every tool, and a year is a number or a text in each', async () => {
    const types = new Map<string, Set<string>>();
    for (const { inputSchema } of LISTED)
      for (const [name, { type }] of Object.entries(inputSchema.properties))
        types.set(name, new Set([...(types.get(name) ?? []), type]));
    expect([...types].filter(([, each]) => each.size > 1)).toEqual([]);
    for (const [name, args] of [
      ['get_atlas', { iso3: 'MEX', year: 2023 }],
      ['query_market_observations', { indicator: 'seizures', geo: 'MEX', from: 2021, to: 2021 }],
    ] as const) {
      const asText = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, String(value)]));
      const [one, other] = [await callTool(door, name, args), await callTool(door, name, asText)];
      expect(one.isError).toBe(false);
      expect(other.structuredContent).toEqual(one.structuredContent);
    }
  });

  it.each([
    [
      'get_atlas',
      { iso3: 'mexico' },
      'parameter "iso3": expected three capital letters, such as MEX; closest: MEX.',
    ],
    ['get_atlas', { iso3: 'Brasil' }, 'closest: BRA'],
    ['get_atlas', { domain: 'organised crime' }, 'closest: organized_crime.'],
    ['get_market_catalog', { market: 'drug' }, 'closest: drugs.'],
    ['get_market_catalog', { dataset: 'seizures' }, 'closest: drug-seizures'],
    ['get_market_catalog', { indicator: 'cocaine prices' }, 'closest: prices-'],
    ['query_market_observations', { indicator: 'seizure' }, 'closest: seizures'],
    ['query_market_observations', { country: 'MEX' }, 'closest: "geo".'],
    ['get_atlas', { country: 'MEX' }, 'closest: "iso3".'],
    ['get_revisions', { kind: 'change' }, 'closest: changed'],
    ['get_revisions', { indicator: 'seizure' }, 'closest: seizures'],
    ['get_entities', { program: 'SDNTk' }, 'closest: SDNTK'],
    ['get_entities', { entity_type: 'organisation' }, 'closest: organization.'],
    ['get_federation', { lane: 'bri' }, 'closest: producerp-bri'],
    ['get_producerp_corridors', { dataset: 'opium' }, 'closest: opium-cultivation'],
    ['get_producerp_corridors', { dataset: '' }, 'expected the id of a dataset that this resource lists'],
    ['get_producerp_bri_context', { detail: 'summry' }, 'closest: summary'],
    ['get_atlas', { limit: '5' }, '(JSON type integer)'],
    ['query_market_observations', { geo: 5 }, '(JSON type string)'],
  ] as const)('%s %j: the refusal names what is expected and what is close', async (name, args, part) => {
    const { isError, content } = await callTool(door, name, args);
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining(part)]);
    for (const [argument, value] of Object.entries(args))
      expect(content[0]?.text).toContain(part.endsWith('".') ? `"${argument}"` : JSON.stringify(value));
    expect(content[0]?.text).not.toContain('/api/');
  });

  it('null is refused everywhere: it would silently ask for more than was meant', async () => {
    for (const { name, inputSchema } of LISTED)
      for (const parameter of Object.keys(inputSchema.properties)) {
        const { isError, content } = await callTool(door, name, { [parameter]: null });
        expect(isError).toBe(true);
        expect(content[0]?.text).toContain(`"${parameter}"`);
        expect(content[0]?.text).toContain('leave it out instead of null');
      }
  });

  it('an atlas query without records says which years or countries there are', async () => {
    const year = await dataOf(door, 'get_atlas', { domain: 'organized_crime', iso3: 'MEX', year: 2022 });
    expect(year['limitations']).toContain(
      'Domain organized_crime has records of "MEX" for 2021, 2023, 2025 only.',
    );
    const country = await dataOf(door, 'get_atlas', { iso3: 'ATL' });
    expect(String((country['limitations'] as string[])[0])).toContain('has no record of "ATL"');
  });
});
