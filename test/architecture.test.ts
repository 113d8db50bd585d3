/** docs/architecture.md against the code: the layers, and the modules on the path of a request. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { builtTree } from './_support/tree.ts';

const DOCUMENT = readFileSync('docs/architecture.md', 'utf8');

/** Imports of every form: static, type-only, dynamic, re-exports. */
const IMPORT = /(?:\bfrom|\bimport\()\s*['"](\.[^'"]+)['"]/g;

function sectionOf(heading: string): string {
  const [, section] = new RegExp(`^### ${heading}\\n([\\s\\S]*?)(?=^##)`, 'm').exec(DOCUMENT) ?? [];
  if (section === undefined) throw new Error(`docs/architecture.md has no section "${heading}"`);
  return section;
}

/** The first cells of a table in the document, lowest layer first. */
function layersOf(heading: string): string[] {
  return [...sectionOf(heading).matchAll(/^\| `((?:build|shim)\/[^`]+?)\/?` \|/gm)].map(
    ([, name = '']) => name,
  );
}

const LAYERS = { shim: layersOf('Layers of shim/'), build: layersOf('Layers of build/') };

function layerOf(path: string): string {
  return path.split('/', 2).join('/');
}

/** Every import of a file of build/ or shim/ by another: [importing file, imported file]. */
const ALL_IMPORTS = ['build', 'shim']
  .flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path)))
  .filter((path) => path.endsWith('.ts'))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(
      ([, target = '']) => [file, join(dirname(file), target)] as const,
    ),
  )
  .filter(([from, to]) => /^(build|shim)\//.test(to) && from !== to);

const IMPORTS = ALL_IMPORTS.filter(([from, to]) => layerOf(from) !== layerOf(to));

test('every folder and file at the top of build/ and shim/ is one row of the layer tables', () => {
  for (const root of ['build', 'shim'] as const) {
    const present = readdirSync(root).map((name) => `${root}/${name}`);
    expect(LAYERS[root].toSorted()).toEqual(present.toSorted());
  }
});

test('imports go down the layers only, type-only imports included, so the folders form no cycle', () => {
  const goesUp = ([from, to]: readonly [string, string]): boolean => {
    if (from.startsWith('shim/') !== to.startsWith('shim/')) return from.startsWith('shim/');
    const layers = from.startsWith('shim/') ? LAYERS.shim : LAYERS.build;
    return layers.indexOf(layerOf(to)) >= layers.indexOf(layerOf(from));
  };
  expect(IMPORTS.length).toBeGreaterThan(100);
  expect(IMPORTS.filter(goesUp).map(([from, to]) => `${from} imports ${to}`)).toEqual([]);
});

test('no file imports itself by way of others, type-only imports included', () => {
  let left = ALL_IMPORTS;
  // Files that import nothing that is left are taken away, until there are none: what remains goes in a circle.
  for (let before = Infinity; left.length < before;) {
    before = left.length;
    const importing = new Set(left.map(([from]) => from));
    left = left.filter(([, to]) => importing.has(to));
  }
  expect(left.map(([from, to]) => `${from} imports ${to}`)).toEqual([]);
});

test('the modules that answer a request are those the document lists: at most 13 and 20', () => {
  const output = execFileSync(
    process.execPath,
    ['--import', 'tsx', 'test/_support/modules-on-path.ts', builtTree()],
    { encoding: 'utf8' },
  );
  const seen = JSON.parse(output) as { get: string[]; mcp: string[] };
  const listed = (heading: string): string[] =>
    [...sectionOf(heading).matchAll(/`(shim\/[^`]+\.ts)`/g)].map(([, path = '']) => path).toSorted();
  expect(listed('Modules of a filtered GET')).toEqual(seen.get);
  expect(listed('Modules of an MCP tool call')).toEqual(seen.mcp);
  expect(seen.get.length).toBeLessThanOrEqual(13);
  expect(seen.mcp.length).toBeLessThanOrEqual(20);
});
