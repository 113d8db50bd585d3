/** Bundles the server with esbuild (its only importer): compiled validators, no start-up work left. */
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Script } from 'node:vm';
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
    entryPoints: [entry],
    outfile,
    metafile: true,
    plugins: [
      ...PLUGINS,
      replacing('compiled-validators', COMPILED, () => validatorsModule([...inputs(), ...documents])),
    ],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
  });
  return Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Bundles the self-hosted server to `folder`: main.cjs, which node is started with, server.js, all code as one function, and the
 * thread it starts. Modules run when they are first needed. licences.txt has the licences of the packages in them. Resolves to
 * the size of the code in bytes.
 */
export async function bundleFolder(folder: string): Promise<number> {
  const fresh = `${folder}.next`;
  rmSync(fresh, { recursive: true, force: true });
  const options: BuildOptions = {
    ...SHARED_OPTIONS,
    // A module of node is loaded when the module that needs it runs, and without a list of all that it exports.
    format: 'cjs',
    // A script has no import(): what is loaded later is required later.
    supported: { 'dynamic-import': false },
    define: { 'import.meta': 'moduleMeta' },
    metafile: true,
    plugins: [
      ...PLUGINS,
      jsonAsText,
      replacing('compiled-validators', COMPILED, () => validatorsModule(inputs())),
      replacing('document-validators', /shim\/core\/document-schema\.ts$/, () => validatorsModule(documents)),
    ],
  };
  const made = await Promise.all([
    build({
      ...options,
      entryPoints: ['shim/main.ts'],
      outfile: join(fresh, CODE),
      banner: { js: `(function(exports,require,module,__filename){${META}` },
      footer: { js: '})' },
    }),
    build({
      ...options,
      entryPoints: ['shim/federation/reading-thread.ts'],
      outfile: join(fresh, 'reading-thread.cjs'),
      banner: { js: META },
    }),
  ]);
  // The code ends with its hash, by which what was compiled of it is known to be of it.
  appendFileSync(join(fresh, CODE), `//${sha256(readFileSync(join(fresh, CODE)))}`);
  copyFileSync('shim/load.cjs', join(fresh, 'main.cjs'));
  const outputs = Object.assign({}, ...made.map(({ metafile }) => metafile?.outputs)) as Metafile['outputs'];
  const read = (path: string): Buffer | null => (existsSync(path) ? readFileSync(path) : null);
  writeFileSync(join(fresh, 'licences.txt'), noticesText(packagesIn(outputs), { read }));
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return Object.values(outputs).reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Puts next to the code of a bundled server what node compiles of it until its first answer, which is from the site in `tree`.
 * These are not the same bytes each time, and of use to this version of node only: another one compiles when it starts.
 */
export async function keepCompiled(folder: string, tree: string): Promise<void> {
  const filename = resolve(folder, CODE);
  const source = readFileSync(filename, 'latin1');
  const script = new Script(source, { filename });
  const module = { exports: {} as typeof import('../../shim/main.ts') };
  const code = script.runInThisContext() as (...scope: unknown[]) => void;
  code(module.exports, createRequire(filename), module, filename);
  const server = await module.exports.startServer(tree, { PORT: '0' });
  const query = new URLSearchParams(marketObservations.example as Record<string, string>);
  await new Promise((answered, failed) => {
    get(`${server.url}api/v1/market-observations?${query}`, { agent: false }, (response) =>
      response.resume().on('end', answered),
    ).on('error', failed);
  });
  const compiled = script.createCachedData();
  await server.close();
  const [id = ''] = /[0-9a-f]{64}$/.exec(source) ?? [];
  writeFileSync(join(folder, 'code-cache'), Buffer.concat([Buffer.from(id + sha256(compiled)), compiled]));
}

/** A plugin that puts other code in the place of one module. */
function replacing(name: string, filter: RegExp, contents: (path: string) => string): Plugin {
  return {
    name,
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => ({
        contents: contents(path),
        loader: 'js',
        resolveDir: dirname(path),
      }));
    },
  };
}

/** Every schema that arguments are validated with, and those of documents. */
const inputs = (): JsonSchema[] => OPERATIONS.map((operation) => inputSchema(operation));
const documents: JsonSchema[] = [worldMarkets, moneyMarkets, artifact, receipt];

/** JSON is read by its own reader, which is quicker than that of code; schemas, when a member of one is first used. */
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
    () => `export { default as process } from 'node:process';
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('no validator is bundled'); }
}`,
  ),
  replacing('output-schemas', /shim\/mcp\/compact-schema\.ts$/, () => {
    const made = Object.fromEntries(OPERATIONS.map((operation) => [operation.name, outputSchema(operation)]));
    return `const made=JSON.parse(${JSON.stringify(JSON.stringify(made))});export const outputSchema=({name})=>made[name];`;
  }),
  // Of the schemas themselves only the titles are listed.
  replacing(
    'output-titles',
    new RegExp(`schemas/(?:${OPERATIONS.map(({ name }) => name).join('|')})\\.schema\\.json$`),
    (path) => {
      const { title } = JSON.parse(readFileSync(path, 'utf8')) as JsonSchema;
      return `export default ${JSON.stringify({ title })}`;
    },
  ),
];

/** All code of a bundled server. */
const CODE = 'server.js';
/** What a module says of itself, where there are no modules. */
const META = "const moduleMeta={get url(){return require('node:url').pathToFileURL(__filename).href}};";

const SHARED_OPTIONS: BuildOptions = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  legalComments: 'none',
  logLevel: 'warning',
};
