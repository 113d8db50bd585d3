/** Bundles a server entry with esbuild (its only importer): one file, compiled validators, no start-up work left. */
import { build, transform, type BuildOptions, type Plugin } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { inputSchema } from '../../shim/core/call.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import type { JsonSchema } from '../../shim/core/types.ts';
import artifact from '../../schemas/svc-producerp-bri-v1.schema.json' with { type: 'json' };
import receipt from '../../schemas/producerp-newswire-receipt.schema.json' with { type: 'json' };
import moneyMarkets from '../../schemas/upstream-money-markets.schema.json' with { type: 'json' };
import worldMarkets from '../../schemas/upstream-world-markets.schema.json' with { type: 'json' };
import { noticesText, packagesIn } from '../lib/notices.ts';
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
 * Bundles `entry` to `folder`/main.cjs and the parts it loads when they are needed: in one file every module of node that any
 * part uses would be loaded at start. Parts are CommonJS, which node loads at once, and without making a list of all that its own
 * modules export. licences.txt has the licences of the packages in them. Resolves to the size of all parts in bytes.
 */
export async function bundleParts(entry: string, folder: string): Promise<number> {
  const fresh = `${folder}.next`;
  const { outputFiles, metafile } = await build({
    ...SHARED_OPTIONS,
    entryPoints: { main: entry, [THREAD]: `shim/federation/${THREAD}.ts` },
    outdir: resolve(fresh),
    splitting: true,
    outExtension: { '.js': '.cjs' },
    chunkNames: 'part-[hash]',
    write: false,
    metafile: true,
    plugins: [
      ...PLUGINS,
      jsonAsText,
      replacing('compiled-validators', COMPILED, () => validatorsModule(inputs())),
      replacing('document-validators', /shim\/core\/document-schema\.ts$/, () => validatorsModule(documents)),
    ],
  });
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  let size = 0;
  for (const { path, text } of outputFiles) {
    const name = basename(path);
    const { code } = await transform(text.replaceAll(`${THREAD}.mjs`, `${THREAD}.cjs`), {
      format: 'cjs',
      // What a module calls its address, where there are no modules.
      define: { 'import.meta.url': 'moduleAddress' },
      banner: text.includes('import.meta.url') ? ADDRESS : '',
      minify: true,
      platform: 'node',
      target: 'node20',
      supported: { 'dynamic-import': false },
    });
    writeFileSync(join(fresh, name), name === 'main.cjs' ? code + RUN : code);
    size += Buffer.byteLength(code);
  }
  const read = (path: string): Buffer | null => (existsSync(path) ? readFileSync(path) : null);
  writeFileSync(join(fresh, 'licences.txt'), noticesText(packagesIn(metafile.outputs), { read }));
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return size;
}

/** A plugin that puts other code in the place of one module. */
function replacing(name: string, filter: RegExp, contents: () => string): Plugin {
  return {
    name,
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => ({ contents: contents(), loader: 'js', resolveDir: dirname(path) }));
    },
  };
}

/** Every schema that arguments are validated with, and those of documents. */
const inputs = (): JsonSchema[] => OPERATIONS.map((operation) => inputSchema(operation));
const documents: JsonSchema[] = [worldMarkets, moneyMarkets, artifact, receipt];

/** JSON is read by its own reader, which is quicker than that of code. */
const jsonAsText: Plugin = {
  name: 'json-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:schemas|shim)[\\/].*\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));
      return { contents: `export default JSON.parse(${JSON.stringify(text)})`, loader: 'js' };
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
];

/** The thread that a server starts, a file of its own. */
const THREAD = 'reading-thread';
const ADDRESS = "const moduleAddress=require('node:url').pathToFileURL(__filename).href;";

/** The server runs where its file is what node was started with. */
const RUN = 'if(require.main===module)module.exports.run(process.argv.slice(2),process.env);\n';

const SHARED_OPTIONS: BuildOptions = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  legalComments: 'none',
  logLevel: 'warning',
};
