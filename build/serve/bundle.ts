/** Bundles a server entry with esbuild (its only importer): one file, compiled validators, no start-up work left. */
import { build, type Plugin } from 'esbuild';
import { validatorsModule } from './validators.ts';

/** Bundles `entry` to `outfile` for Node 20, minified; resolves to the size in bytes. */
export async function bundleServer(entry: string, outfile: string): Promise<number> {
  const { metafile } = await build({
    entryPoints: [entry],
    outfile,
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
    plugins: [compiledValidators(), noSdkValidator()],
  });
  return Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0);
}

function compiledValidators(): Plugin {
  return {
    name: 'compiled-validators',
    setup({ onLoad }) {
      onLoad({ filter: /shim\/core\/schema\.ts$/ }, () => ({
        contents: validatorsModule(),
        loader: 'js',
        resolveDir: process.cwd(),
      }));
    },
  };
}

/** The MCP SDK carries a validator of its own, 150 kB, for answers to questions this server never asks. */
function noSdkValidator(): Plugin {
  return {
    name: 'no-sdk-validator',
    setup({ onLoad }) {
      onLoad({ filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
        contents: `export { default as process } from 'node:process';
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('no validator is bundled'); }
}`,
        loader: 'js',
      }));
    },
  };
}
