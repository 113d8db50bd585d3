/** Bundles the server with esbuild: compiled validators, no start-up work left. */
import { build, type BuildOptions, type ImportKind, type Metafile, type Plugin } from 'esbuild';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import type { Script } from 'node:vm';
import { inputSchema } from '../../shim/core/call.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { marketObservations } from '../../shim/core/operations/market-observations.ts';
import { outputSchema } from '../../shim/mcp/compact-schema.ts';
import type { JsonSchema } from '../../shim/core/types.ts';
import artifact from '../../schemas/svc-producerp-bri-v1.schema.json' with { type: 'json' };
import receipt from '../../schemas/producerp-newswire-receipt.schema.json' with { type: 'json' };
import moneyMarkets from '../../schemas/upstream-money-markets.schema.json' with { type: 'json' };
import worldMarkets from '../../schemas/upstream-world-markets.schema.json' with { type: 'json' };
import { noticesText, packagesIn } from '../lib/notices.ts';
import { sha256 } from '../lib/tree.ts';
import { validatorsModule } from '../lib/validators.ts';

/** Bundles `entry` to the one file `outfile` for Node 20, minified; resolves to the size in bytes. */
export async function bundleServer(entry: string, outfile: string): Promise<number> {
  const { metafile } = await build({
    ...SHARED_OPTIONS,
    charset: 'utf8',
    entryPoints: [entry],
    outfile,
    metafile: true,
    plugins: [
      ...PLUGINS,
      replacing('compiled-validators', COMPILED, () =>
        validatorsModule([...inputs(), ...documents], inBundle),
      ),
    ],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
  });
  return Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Bundles the self-hosted server to `folder`: main.cjs, which node is started with; server.js, the code needed for a first
 * response; later.js, what server.js loads with import(); and the thread it starts. Each script is one function. licences.txt has
 * the licences of the packages in them. Resolves to the size of the code in bytes.
 */
export async function bundleFolder(folder: string): Promise<number> {
  const fresh = `${folder}.next`;
  rmSync(fresh, { recursive: true, force: true });
  const written = async (name: string, contents: string, plugin: Plugin): Promise<Metafile> => {
    const stdin = { contents, resolveDir: '.', sourcefile: name };
    const outfile = join(fresh, name);
    const made = await bundled({ stdin, outfile, ...AS_FUNCTION }, plugin);
    // Only ASCII, which is read without decoding; esbuild does not escape regular expressions.
    const code = readFileSync(outfile, 'utf8').replaceAll(/[^\0-\x7f]/g, escaped);
    // It ends with its hash, which tells whether compiled code belongs to it.
    writeFileSync(outfile, `${code}//${sha256(code)}`);
    return made;
  };
  const later = new Set<string>();
  const loadedLater = elsewhere((_path, kind) => kind === 'dynamic-import', later);
  const { inputs: first } = await bundled({ entryPoints: ['shim/main.ts'], write: false }, loadedLater);
  const shared = new Set<string>();
  const loadedFirst = elsewhere((path) => path in first, shared);
  const made = [
    await written(
      LATER,
      partsCode([...later].sort(), (path) => `require("./${path}")`),
      loadedFirst,
    ),
    await written(FIRST, await firstCode([...shared].sort()), loadedLater),
    await bundled({
      entryPoints: ['shim/federation/reading-thread.ts'],
      outfile: join(fresh, 'reading-thread.cjs'),
      banner: { js: META },
    }),
  ];
  copyFileSync('shim/load.cjs', join(fresh, 'main.cjs'));
  const outputs = Object.assign({}, ...made.map((metafile) => metafile.outputs)) as Metafile['outputs'];
  const read = (path: string): Buffer | null => (existsSync(path) ? readFileSync(path) : null);
  writeFileSync(join(fresh, 'licences.txt'), noticesText(packagesIn(outputs), { read }));
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return Object.values(outputs).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Bundles a part of the self-hosted server; resolves to esbuild's metafile. */
async function bundled(options: BuildOptions, ...plugins: Plugin[]): Promise<Metafile> {
  const all = {
    ...FOLDER_OPTIONS,
    ...options,
    metafile: true as const,
    plugins: [...plugins, ...FOLDER_PLUGINS],
  };
  return (await build(all)).metafile;
}

/** Code of a function that gives the other script the modules that it requires, by path. */
function partsCode(paths: readonly string[], valueOf: (path: string) => string): string {
  const cases = paths.map((path) => `case "${path}":return ${valueOf(path)};`);
  return `export function part(path){switch(path){${cases.join('')}}}`;
}

/** Code of the first script: what main.ts exports, and what the modules at `paths` export; the object of their exports is made when one is required. */
async function firstCode(paths: string[]): Promise<string> {
  const { outputs } = await bundled({
    entryPoints: paths,
    bundle: false,
    alias: {},
    format: 'esm',
    outdir: '.',
    write: false,
  });
  const imports: string[] = ['export * from "./shim/main.ts";'];
  const values = new Map<string, string>();
  for (const [at, { entryPoint = '', exports }] of Object.values(outputs).entries()) {
    const own = exports.map((name) => [name, `${name}$${at}`] as const);
    const isJson = entryPoint.endsWith('.json');
    imports.push(
      `import {${own.map(([name, local]) => `${name} as ${local}`).join()}} from "./${entryPoint}"${isJson ? ' with {type:"json"}' : ''};`,
    );
    values.set(entryPoint, isJson ? `default$${at}` : `{${own.map((pair) => pair.join(':')).join()}}`);
  }
  return imports.join('') + partsCode(paths, (path) => values.get(path) ?? '');
}

/** A plugin that leaves out of a script the modules that are in the other one, and collects their paths. */
function elsewhere(isThere: (path: string, kind: ImportKind) => boolean, found: Set<string>): Plugin {
  return {
    name: 'elsewhere',
    setup({ onResolve, resolve: resolved }) {
      onResolve({ filter: /^[^:]+$/ }, async ({ path, pluginData, ...from }) => {
        if (pluginData === PART || from.kind === 'entry-point') return undefined;
        const module = await resolved(path, { ...from, pluginData: PART });
        const name = relative('', module.path);
        if (module.external || !isThere(name, from.kind)) return undefined;
        found.add(name);
        return { path: PART + name, external: true };
      });
    },
  };
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Puts next to each script of a bundled server the code that node compiles for its first responses, from the site in `tree`. The
 * file has the hash of the script, the hash of the compiled code, and this code. It is not the same bytes each time, and only this
 * version of node can use it: another one compiles when it starts.
 */
export async function keepCompiled(folder: string, tree: string): Promise<void> {
  const main = createRequire(import.meta.url)(resolve(folder, 'main.cjs')) as Main;
  const server = await main.startServer(tree, { PORT: '0' });
  const query = new URLSearchParams(marketObservations.example as Record<string, string>);
  // The first request needs one script, the second the other, which is mostly MCP.
  for (const [name, path] of [
    [FIRST, `api/v1/market-observations?${query}`],
    [LATER, 'mcp'],
  ] as const) {
    await new Promise((ended, failed) => {
      get(server.url + path, { agent: false }, (response) => response.resume().on('end', ended)).on(
        'error',
        failed,
      );
    });
    const compiled = main.scripts[name]?.createCachedData() ?? Buffer.alloc(0);
    const id = readFileSync(join(folder, name), 'latin1').slice(-64);
    writeFileSync(
      join(folder, `${name}.cache`),
      Buffer.concat([Buffer.from(id + sha256(compiled)), compiled]),
    );
  }
  await server.close();
}

/** What main.cjs exports. */
type Main = typeof import('../../shim/main.ts') & { scripts: Record<string, Script> };

/** A plugin that puts other code in the place of one module, or other JSON in the place of a JSON file. */
function replacing(name: string, filter: RegExp, contents: (path: string) => string): Plugin {
  return {
    name,
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => ({
        contents: contents(path),
        loader: path.endsWith('.json') ? 'json' : 'js',
        resolveDir: dirname(path),
      }));
    },
  };
}

/** Every schema that arguments are validated against. */
const inputs = (): JsonSchema[] => OPERATIONS.map((operation) => inputSchema(operation));
/** The schemas of documents, by the name of their file. */
const DOCUMENTS: Record<string, JsonSchema> = {
  'upstream-world-markets': worldMarkets,
  'upstream-money-markets': moneyMarkets,
  'svc-producerp-bri-v1': artifact,
  'producerp-newswire-receipt': receipt,
};
const documents = Object.values(DOCUMENTS);
const titleOf = ({ title = null }: JsonSchema): JsonSchema => ({ title });
/** A schema as a bundle has it: for a document only its title, by which its validator is found. */
const inBundle = (schema: JsonSchema): JsonSchema => (documents.includes(schema) ? titleOf(schema) : schema);

/** JSON is parsed by JSON.parse, which is faster than the parser of code; a schema, when one of its members is first used. */
const jsonAsText: Plugin = {
  name: 'json-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:schemas|shim)[\\/].*\.json$/ }, ({ path }) => {
      const value = JSON.parse(readFileSync(path, 'utf8')) as object;
      const parsed = `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
      if (!path.endsWith('.schema.json')) return { contents: `export default ${parsed}`, loader: 'js' };
      const members = Object.keys(value).map((name) => JSON.stringify(name));
      const getters = members.map((name) => `get ${name}(){return read()[${name}]}`);
      const read = `let made;const read=()=>made??=${parsed};`;
      return { contents: `${read}export default {${getters.join()}}`, loader: 'js' };
    });
  },
};

const COMPILED = /shim\/core\/schema\.ts$/;

const PLUGINS = [
  // The MCP SDK carries a validator of its own, 150 kB, for responses to requests this server never sends.
  replacing(
    'no-sdk-validator',
    /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/,
    () => `export { default as process } from 'node:process';export class DefaultJsonSchemaValidator {}`,
  ),
  // Nor does it ask for tokens: the schemas of authorization would be made with those of messages.
  replacing('no-oauth-schemas', /@modelcontextprotocol[\\/]core[\\/]dist[\\/]auth-[^\\/]+\.mjs$/, (path) => {
    const [, names = ''] = /^export \{(.*)\}/m.exec(readFileSync(path, 'utf8')) ?? [];
    return `const none=undefined;export{${names.replaceAll(/\w+ as/g, 'none as')}}`;
  }),
  replacing('output-schemas', /shim\/mcp\/compact-schema\.ts$/, () => {
    const made = Object.fromEntries(OPERATIONS.map((operation) => [operation.name, outputSchema(operation)]));
    return `const made=JSON.parse(${JSON.stringify(JSON.stringify(made))});export const outputSchema=({name})=>made[name];`;
  }),
  // Of the codes of a country the server reads two letters and three.
  replacing('country-codes', /i18n-iso-countries[\\/]codes\.json$/, (path) => {
    const codes = JSON.parse(readFileSync(path, 'utf8')) as string[][];
    return JSON.stringify(codes.map((code) => code.slice(0, 2)));
  }),
  // Only the titles of these schemas are needed, for lists and to find the validators of documents; the build reads fields of revisions.
  replacing(
    'titles',
    new RegExp(
      `schemas/(?:${[...OPERATIONS.map(({ name }) => name), ...Object.keys(DOCUMENTS), 'revision'].join('|')})\\.schema\\.json$`,
    ),
    (path) => JSON.stringify(titleOf(JSON.parse(readFileSync(path, 'utf8')) as JsonSchema)),
  ),
];

/** The scripts of a bundled server: up to a first answer, and what is loaded later. */
const FIRST = 'server.js';
const LATER = 'later.js';
/** Prefix of the name of a module that is in the other script. */
const PART = 'part:';
/** Replaces import.meta, which a script does not have, and `performance`, by the time since the process began. */
const META =
  "const moduleMeta={get url(){return require('node:url').pathToFileURL(__filename).href}},clock={now:()=>process.uptime()*1e3};";

const SHARED_OPTIONS: BuildOptions = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  legalComments: 'none',
  logLevel: 'warning',
};

const FOLDER_OPTIONS = {
  ...SHARED_OPTIONS,
  // As CommonJS, a module of node is loaded when the module that needs it runs, and without a list of its exports.
  format: 'cjs',
  // A script has no import(): what is loaded later is required later.
  supported: { 'dynamic-import': false },
  // The clock of node would load eight of its modules.
  define: { 'import.meta': 'moduleMeta', performance: 'clock' },
  // The build for browsers: the one for node makes diagnostics channels at each start.
  alias: { 'lru-cache': resolve('node_modules/lru-cache/dist/esm/browser/index.min.js') },
} satisfies BuildOptions;

const FOLDER_PLUGINS = [
  ...PLUGINS,
  jsonAsText,
  replacing('compiled-validators', COMPILED, () => validatorsModule(inputs())),
  replacing('document-validators', /shim\/core\/document-schema\.ts$/, () =>
    validatorsModule(documents, inBundle),
  ),
];

/** Makes a script one function. */
const AS_FUNCTION: BuildOptions = {
  banner: { js: `(function(exports,require,module,__filename){${META}` },
  footer: { js: '})' },
};
