/** Params that the protocol does not know, in both generations: never a dump of a parser, never ignored. */
import { describe, expect, it } from 'vitest';
import { readQuery } from '../../shim/core/call.ts';
import { restAnswer, testContext, operationNamed } from '../_support/doors.ts';
import { type Answered, META, VERSION, answered, doorOf, post } from './asking.ts';

const context = testContext();
const reports: unknown[] = [];
const door = doorOf(context, reports);

/** Params as text, since no object literal holds what some of these do; both generations get them. */
const GENERATIONS: [name: string, ask: (method: string, params: string) => Promise<Answered>][] = [
  [
    VERSION,
    (method, params) => {
      const parsed = JSON.parse(params) as { name?: unknown; uri?: unknown };
      const name = parsed.name ?? parsed.uri;
      const meta = `"_meta":${JSON.stringify(META)}`;
      const members = params === '{}' ? meta : `${params.slice(1, -1)},${meta}`;
      return answered(
        door,
        post(`{"jsonrpc":"2.0","id":7,"method":"${method}","params":{${members}}}`, {
          'mcp-protocol-version': VERSION,
          'mcp-method': method,
          'mcp-name': typeof name === 'string' ? name : null,
        }),
      );
    },
  ],
  [
    '2025-06-18',
    (method, params) =>
      answered(
        door,
        post(`{"jsonrpc":"2.0","id":7,"method":"${method}","params":${params}}`, {
          'mcp-protocol-version': method === 'initialize' ? null : '2025-06-18',
        }),
      ),
  ],
];

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const PROMPT = '"ref":{"type":"ref/prompt","name":"cite_evidence"}';

type Row = [method: string, params: string, member: string];
const MISFITS: Row[] = [
  ['tools/list', '{"cursor":5}', 'params.cursor'],
  ['resources/list', '{"cursor":null}', 'params.cursor'],
  ['resources/templates/list', '{"cursor":{}}', 'params.cursor'],
  ['prompts/list', '{"cursor":[]}', 'params.cursor'],
  ['tools/call', '{}', 'params.name'],
  ['tools/call', '{"name":5,"arguments":{}}', 'params.name'],
  ['resources/read', '{}', 'params.uri'],
  ['resources/read', '{"uri":5}', 'params.uri'],
  ['resources/read', `{"uri":${nested(5000)}}`, 'params.uri'],
  ['prompts/get', '{"name":5}', 'params.name'],
  ['prompts/get', '{"name":"cite_evidence","arguments":{"dataset":5}}', 'params.arguments.dataset'],
  ['prompts/get', '{"name":"cite_evidence","arguments":null}', 'params.arguments'],
  ['prompts/get', '{"name":"cite_evidence","arguments":{"dataset":"arms","__proto__":"x"}}', '__proto__'],
  ['completion/complete', '{}', 'params.ref'],
  ['completion/complete', `{${PROMPT}}`, 'params.argument'],
  ['completion/complete', `{${PROMPT},"argument":{"name":"dataset","value":5}}`, 'params.argument.value'],
  [
    'completion/complete',
    '{"ref":{"type":"ref/other","name":"a"},"argument":{"name":"a","value":""}}',
    'params.ref',
  ],
  [
    'completion/complete',
    `{${PROMPT},"argument":{"name":"indicator","value":""},"context":{"arguments":{"__proto__":"x"}}}`,
    '__proto__',
  ],
];

describe.each(GENERATIONS)('%s', (_version, ask) => {
  it.each(MISFITS)('[MCP-MASKED] %s %.60s names %s', async (method, params, member) => {
    const { status, error } = await ask(method, params);
    expect([status, error?.code]).toEqual([200, -32602]);
    expect(error?.message).toContain(member);
    expect(error?.message).toMatch(/^[^\n{[]{1,200}\.$/);
  });

  it.each([
    ['iso3', `{"iso3":${nested(5000)}}`],
    ['limit', `{"limit":{"a":${nested(20_000)}}}`],
  ])('[MCP-REFUSES] %s nested deeply is refused like any other value', async (name, args) => {
    const { result } = await ask('tools/call', `{"name":"get_atlas","arguments":${args}}`);
    const [content] = result['content'] as { text: string }[];
    expect([result['isError'], content?.text]).toEqual([
      true,
      expect.stringMatching(new RegExp(`^Invalid value .{1,120} for parameter "${name}": expected `)),
    ]);
  });

  it('[MCP-REFUSES] __proto__ is an unknown parameter, as in REST', async () => {
    const operation = operationNamed('atlas');
    const { body } = await restAnswer(operation, () => readQuery(operation, '?__proto__=x'), context);
    const { message } = body;
    const { result } = await ask('tools/call', '{"name":"get_atlas","arguments":{"__proto__":"x"}}');
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text: message }] });
  });

  it.each(['null', '[]', '"x"', '5', nested(5000)])(
    '[MCP-REFUSES] arguments that are %.10s are refused like bad arguments',
    async (args) => {
      const { result } = await ask('tools/call', `{"name":"get_atlas","arguments":${args}}`);
      const text = expect.stringMatching(/^The arguments must be an object/) as string;
      expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text }] });
    },
  );

  it('arguments may be left out', async () => {
    expect((await ask('tools/call', '{"name":"get_atlas"}')).result['isError']).toBe(false);
  });
});

it.each([
  ['{}', 'params.protocolVersion'],
  ['{"protocolVersion":5}', 'params.protocolVersion'],
  ['{"protocolVersion":"2025-06-18","clientInfo":{"name":"a","version":"1"}}', 'params.capabilities'],
  [
    '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a"}}',
    'params.clientInfo.version',
  ],
])('[MCP-MASKED] initialize %s names %s', async (params, member) => {
  const { error } = (await GENERATIONS[1]?.[1]('initialize', params)) ?? {};
  expect(error).toEqual({ code: -32602, message: `${member} is missing or has the wrong type.` });
});

it('[MCP-MASKED] initialize without params is refused too', async () => {
  const { error } = await answered(door, post({ jsonrpc: '2.0', id: 7, method: 'initialize' }));
  const message = expect.stringContaining('protocolVersion') as string;
  expect(error).toMatchObject({ code: -32602, message });
});

it('nothing of it is reported as an unexpected error', () => {
  expect(reports).toEqual([]);
});

describe('a member that is twice in one object', () => {
  const call = (args: string): string =>
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"query_atlas","arguments":{${args}}}}`;
  const ask = (args: string): Promise<Answered> =>
    answered(door, post(call(args), { 'mcp-protocol-version': '2025-06-18' }));

  it.each(['"iso3":"MEX","iso3":"COL"', '"iso3":"MEX","\\u0069so3":"COL"', '"a":{"b":[{"c":1,"c" : 1}]}'])(
    'is refused, not guessed: %s',
    async (args) => {
      const { status, error } = await ask(args);
      expect([status, error?.code]).toEqual([400, -32_600]);
      expect(error?.message).toMatch(/has the member "(iso3|c)" twice/);
    },
  );

  it.each([nested(300).slice(0, -1), nested(300).slice(1), `${'['.repeat(200)}"]`])(
    'is not looked for in what is no JSON, however deep: %.10s',
    async (value) => {
      const { status, error } = await ask(`"iso3":${value}`);
      expect([status, error?.code]).toEqual([400, -32_700]);
    },
  );

  it.each([
    '"iso3":"MEX","domain":"iso3"',
    '"iso3":"\\",\\"iso3\\":"',
    '"a":[{"b":1},{"b":1}]',
    '"a":[[{"b":["b"]}],"b"],"b":1',
  ])('is not seen where there is none: %s', async (args) => {
    expect((await ask(args)).status).toBe(200);
  });
});
