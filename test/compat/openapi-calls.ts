/** The program that calls every operation of a generated client with the examples of the description, as source text. */
import type { Description, DescribedGet } from '../_support/openapi.ts';

/** One call: an operation, with an example of each parameter that has one. */
interface Call {
  path: string;
  operationId: string;
  inPath: Record<string, unknown>;
  inQuery: Record<string, unknown>;
}

/** How the clients of a generator are made and called. */
const STYLES: Record<string, { head: (base: string) => string; call: (call: Call) => string }> = {
  'openapi-typescript': {
    head: (base) => `import createClient from 'openapi-fetch';
import type { paths } from './client/index.ts';
const client = createClient<paths>({ baseUrl: ${base} });
const status = ({ response }: { response: Response }): number => response.status;`,
    call: ({ path, inPath, inQuery }) =>
      `client.GET(${json(path)}, { params: ${filled({ path: inPath, query: inQuery })}, parseAs: 'text' })`,
  },
  'hey-api': {
    head: () => `import * as client from './client/index.ts';
const status = ({ response }: { response?: Response }): number => response?.status ?? 0;`,
    call: ({ operationId, inPath, inQuery }) =>
      `client.${camelCase(operationId)}(${filled({ path: inPath, query: inQuery })})`,
  },
  orval: {
    head: () => `import { getPublicEvidenceAPI } from './client/index.ts';
const client = getPublicEvidenceAPI();
const status = (response: { status: number }): number => response.status;`,
    call: ({ operationId, inPath, inQuery }) =>
      `client.${camelCase(operationId)}(${[...Object.values(inPath), ...(isEmpty(inQuery) ? [] : [inQuery])].map(json).join(', ')})`,
  },
  // Each response is checked against the schema; one that does not match rejects. Types of paths take the ending for a part of the name.
  'openapi-zod-client': {
    head: (base) => `import { createApiClient } from './client/index.ts';
const client = createApiClient(${base});
const status = (body: unknown): number => (body === undefined ? 0 : 200);`,
    call: ({ path, inPath, inQuery }) => {
      const names = [...path.matchAll(/\{(\w+)\}([^/]*)/g)].flatMap(([, name = '', rest]) => [
        name,
        name + rest,
      ]);
      const params = Object.fromEntries(names.map((name) => [name, Object.values(inPath)[0]]));
      const template = path.replaceAll(/\{(\w+)\}/g, ':$1');
      return `client.get(${json(template)}, ${filled({ params, queries: inQuery })})`;
    },
  },
};

/** The program for a generator: prints a line for each call that is not a 200, and at the end how many calls there were. */
export function callingProgram(generator: string, described: Description): string {
  const style = STYLES[generator];
  if (!style) throw new Error(`no way to call clients of ${generator} is known`);
  const calls = Object.entries(described.paths).map(([path, { get }]) => callOf(path, get));
  const lines = calls.map(
    (call) => `  [${json(call.operationId)}, async () => status(await ${style.call(call)})],`,
  );
  return `${style.head(json(described.servers[0]?.url))}
const calls: [name: string, call: () => Promise<number>][] = [
${lines.join('\n')}
];
for (const [name, call] of calls) {
  const result = await call().catch((error: unknown) => String(error).slice(0, 300));
  if (result !== 200) console.log(\`\${name}: \${result}\`);
}
console.log(\`\${calls.length} calls\`);
`;
}

function callOf(path: string, { operationId, parameters = [] }: DescribedGet): Call {
  const given = (place: string): Record<string, unknown> =>
    Object.fromEntries(
      parameters.flatMap((parameter) =>
        parameter.in === place && parameter.example !== undefined
          ? [[parameter.name, parameter.example]]
          : [],
      ),
    );
  return { path, operationId, inPath: given('path'), inQuery: given('query') };
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

/** The members that have something in them. */
function filled(members: Record<string, object>): string {
  return json(Object.fromEntries(Object.entries(members).filter(([, member]) => !isEmpty(member))));
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
