/**
 * client/ and clients/: the module with which pages and programs read the service or a copy of its files, and a file each for
 * Python and R (shim/client/). The module has no imports: validators are compiled, and what describes other resources is left out.
 */
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop, type Plugin } from 'esbuild';
import { inputSchema } from '../../../shim/core/call.ts';
import definitions from '../../../shim/core/operations/definitions.json' with { type: 'json' };
import { atlas } from '../../../shim/core/operations/atlas.ts';
import { marketObservations } from '../../../shim/core/operations/market-observations.ts';
import { revisions } from '../../../shim/core/operations/revisions.ts';
import { series } from '../../../shim/core/operations/series.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import type { BuildEffects } from '../../lib/effects.ts';
import { packagesIn } from '../../lib/notices.ts';
import { validatorsModule } from '../../lib/validators.ts';
import { sourceBytes } from '../facts.ts';

const SOURCES = join(dirname(fileURLToPath(import.meta.url)), '../../../shim/client');
const OPERATIONS = [marketObservations, series, revisions, atlas];

/** Renders the module and its types, and the clients in one file for Python and R. */
export async function renderClient(effects: BuildEffects, packages: Set<string>): Promise<Artifact[]> {
  const others = ['client/v1.d.ts', 'clients/evidence.py', 'clients/evidence.R'];
  return [
    textArtifact('client/v1.js', await browserModule(join(SOURCES, 'client.ts'), packages)),
    ...others.map((path) => ({ path, bytes: sourceBytes(join(SOURCES, basename(path)), effects) })),
  ];
}

/** A source file with all that it imports, as one module for browsers; the folders of packages in it are added to `packages`. */
export async function browserModule(path: string, packages: Set<string>): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [OWN_PARTS],
  });
  for (const folder of packagesIn(metafile.outputs)) packages.add(folder);
  return outputFiles[0]?.text ?? '';
}

/** Ends the process that bundles, which would keep its memory; the next bundle starts another. */
export async function endBundling(): Promise<void> {
  await stop();
}

/** Puts in place of modules what bundles for browsers need of them. */
const OWN_PARTS: Plugin = {
  name: 'own-parts',
  setup({ onLoad }) {
    onLoad({ filter: /shim[\\/]core[\\/]schema\.ts$/ }, ({ path }) => ({
      contents: validatorsModule(OPERATIONS.map((operation) => inputSchema(operation))),
      loader: 'js',
      resolveDir: dirname(path),
    }));
    // Schemas of responses are for those who receive them.
    onLoad({ filter: /[\\/]schemas[\\/][^\\/]+\.schema\.json$/ }, () => ({ contents: '{}', loader: 'json' }));
    onLoad({ filter: /operations[\\/]definitions\.json$/ }, () => {
      const names = new Set(OPERATIONS.map(({ name }) => name));
      const own = Object.entries(definitions).filter(([name]) => names.has(name));
      return { contents: JSON.stringify(Object.fromEntries(own)), loader: 'json' };
    });
  },
};
