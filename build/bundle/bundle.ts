/** Bundles a server entry with esbuild (its only importer): one file, compiled validators, no start-up work left. */
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
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
  return sizeOf(await bundled({ entryPoints: [entry], outfile }));
}

/**
 * Bundles `entry` to `folder`/main.mjs and the parts it loads when they are needed: in one file every module of node that any
 * part uses would be loaded at start. licences.txt has the licences of the packages in them. Resolves to their size in bytes.
 */
export async function bundleParts(entry: string, folder: string): Promise<number> {
  const fresh = `${folder}.next`;
  rmSync(fresh, { recursive: true, force: true });
  const metafile = await bundled({
    entryPoints: { main: entry, 'reading-thread': 'shim/federation/reading-thread.ts' },
    outdir: fresh,
    splitting: true,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'part-[hash]',
  });
  const read = (path: string): Buffer | null => (existsSync(path) ? readFileSync(path) : null);
  writeFileSync(`${fresh}/licences.txt`, noticesText(packagesIn(metafile.outputs), { read }));
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return sizeOf(metafile);
}

async function bundled(where: BuildOptions): Promise<Metafile> {
  const { metafile } = await build({
    ...where,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
    plugins: PLUGINS,
  });
  return metafile;
}

function sizeOf({ outputs }: Metafile): number {
  return Object.values(outputs).reduce((sum, { bytes }) => sum + bytes, 0);
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

/** Every schema that the server validates with. */
const schemas = (): JsonSchema[] => [
  ...OPERATIONS.map((operation) => inputSchema(operation)),
  worldMarkets,
  moneyMarkets,
  artifact,
  receipt,
];

const PLUGINS = [
  replacing('compiled-validators', /shim\/core\/schema\.ts$/, () => validatorsModule(schemas())),
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
