/** [SUPPLY-CHAIN] The bill of materials, the licences and the table of packages agree with the lockfile and with what is bundled. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import RUNTIME from '../../build/release/runtime-packages.json' with { type: 'json' };
import { renderSbom } from '../../build/release/sbom.ts';
import { bundledServer } from '../_support/bundled-server.ts';
import { treeText } from '../_support/tree.ts';

interface Locked {
  version: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}
interface Component {
  'bom-ref': string;
  purl: string;
  scope: string;
  hashes: { alg: string; content: string }[];
  properties: { value: string }[];
}

const lockfile = readFileSync('package-lock.json');
const { packages } = JSON.parse(lockfile.toString('utf8')) as { packages: Record<string, Locked> };
const published = treeText('sbom.cdx.json');
const bill = JSON.parse(published) as {
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/** The packages that a list of licences names. */
function named(licences: string): string[] {
  return [...licences.matchAll(/^(\S+) \d\S* \(.+\)$/gm)].map(([, name = '']) => name);
}

describe('[SUPPLY-CHAIN] sbom.cdx.json', () => {
  it('keeps the schema of CycloneDX 1.6', () => {
    const folder = dirname(
      createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'),
    );
    const schema = (name: string): object =>
      JSON.parse(readFileSync(join(folder, `res/schema/${name}.SNAPSHOT.schema.json`), 'utf8')) as object;
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
    for (const name of ['spdx', 'jsf-0.82'])
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    const validate = ajv.compile(schema('bom-1.6'));
    validate(bill);
    expect(validate.errors).toBeNull();
  });

  it('lists every package of the lockfile that is not of the tests, with its hash', () => {
    const wanted = Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && !dev)
      .map(
        ([path, { version }]) =>
          `pkg:npm/${path.replace(/^.*node_modules\//, '').replace('@', '%40')}@${version}`,
      );
    expect(bill.components.map(({ purl }) => purl).toSorted()).toEqual([...new Set(wanted)].toSorted());
    expect(bill.components.every(({ hashes }) => /^[0-9a-f]{128}$/.test(hashes[0]?.content ?? ''))).toBe(
      true,
    );
    const refs = new Set(bill.dependencies.map(({ ref }) => ref));
    expect(bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual(
      [],
    );
    const h3 = bill.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/h3@'));
    expect(h3?.dependsOn.map((ref) => ref.replace(/@[^@]*$/, ''))).toEqual(['pkg:npm/rou3', 'pkg:npm/srvx']);
  });

  it('is the same for the same lockfile, and refuses one with a package of unknown licence', () => {
    expect(Buffer.from(renderSbom(lockfile).bytes).toString('utf8')).toBe(published);
    const unknown = {
      packages: { '': {}, 'node_modules/odd': { version: '1.0.0', integrity: 'sha512-AA==' } },
    };
    expect(() => renderSbom(Buffer.from(JSON.stringify(unknown)))).toThrow(
      'package-lock.json: node_modules/odd has no version, licence or hash',
    );
  });
});

describe('[SUPPLY-CHAIN] packages that run', () => {
  const licences = { server: '', site: treeText('licences.txt') };

  beforeAll(async () => {
    licences.server = readFileSync(join(await bundledServer(), 'licences.txt'), 'utf8');
  });

  it.each(['server', 'site'] as const)('of the %s are explained, counted, listed and licensed', (use) => {
    const names: string[] = RUNTIME[use];
    expect(named(licences[use])).toEqual(names);
    expect(licences[use].split('Permission is hereby granted').length).toBeGreaterThan(3);
    const docs = readFileSync('docs/dependencies.md', 'utf8');
    const [, chapter = ''] = docs.split(`## Packages of the ${use}\n`);
    const [section = ''] = chapter.split('\n## ');
    expect([...section.matchAll(/^\| `(.+?)` \| .{10,} \|$/gm)].map(([, name]) => name)).toEqual(names);
    expect(section).toMatch(new RegExp(`^\\s*${names.length} packages`));
    const required = bill.components
      .filter(({ properties }) => properties.some(({ value }) => value === use))
      .map(({ purl, scope }) => `${decodeURIComponent(purl).replace(/^pkg:npm\/(.+)@.+$/, '$1')} ${scope}`);
    expect(required.toSorted()).toEqual(names.map((name) => `${name} required`).toSorted());
  });

  it('none runs code of its own when it is installed', () => {
    expect(readFileSync('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m);
    const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(scripted.map(([path]) => path)).toEqual(['node_modules/esbuild']);
  });
});
