/** Bundles a server entry with esbuild (its only importer): one file, compiled validators, no start-up work left. */
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { renameSync, rmSync } from 'node:fs';
import { validatorsModule } from './validators.ts';

/** Bundles `entry` to the one file `outfile` for Node 20, minified; resolves to the size in bytes. */
export async function bundleServer(entry: string, outfile: string): Promise<number> {
  return bundled({ entryPoints: [entry], outfile });
}

/**
 * Bundles `entry` to `folder`/main.mjs and the parts it loads when they are needed: in one file every module of node that any
 * part uses would be loaded at start. Resolves to the size of all files in bytes.
 */
export async function bundleParts(entry: string, folder: string): Promise<number> {
  const fresh = `${folder}.next`;
  rmSync(fresh, { recursive: true, force: true });
  const size = await bundled({
    entryPoints: { main: entry },
    outdir: fresh,
    splitting: true,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'part-[hash]',
  });
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return size;
}

async function bundled(where: BuildOptions): Promise<number> {
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
  return Object.values(metafile?.outputs ?? {}).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** A plugin that puts other code in the place of one module. */
function replacing(name: string, filter: RegExp, contents: () => string): Plugin {
  return {
    name,
    setup({ onLoad }) {
      onLoad({ filter }, () => ({ contents: contents(), loader: 'js', resolveDir: process.cwd() }));
    },
  };
}

const PLUGINS = [
  replacing('compiled-validators', /shim\/core\/schema\.ts$/, validatorsModule),
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
