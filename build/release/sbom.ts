/**
 * sbom.cdx.json: the packages that the server, the published pages and the build consist of, as a CycloneDX 1.6 bill of materials.
 * It is made from package-lock.json alone, so the same lockfile gives the same bytes; packages of the tests are not in it.
 */
import { fileURLToPath } from 'node:url';
import { SBOM } from '../../shim/core/paths.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { byCodeUnits } from '../lib/dataset.ts';
import { prettyJsonArtifact, type Artifact } from '../lib/tree.ts';
import type { BuildEffects } from '../lib/effects.ts';
import RUNTIME from './runtime-packages.json' with { type: 'json' };

/** What the bill reads from package-lock.json; the package itself is the one with the empty path. */
interface Lockfile {
  packages: Record<string, Locked>;
}

interface Locked {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** The lockfile of this project. */
export function lockfileOf({ read }: Pick<BuildEffects, 'read'>): Buffer {
  const bytes = read(fileURLToPath(new URL('../../package-lock.json', import.meta.url)));
  if (!bytes) throw new Error('package-lock.json is missing: it says which packages were used');
  return bytes;
}

/** Renders the bill of a lockfile. Throws an Error that names a package without version, licence or hash. */
export function renderSbom(lockfile: Uint8Array): Artifact {
  const { packages } = JSON.parse(Buffer.from(lockfile).toString('utf8')) as Lockfile;
  const own = packages[''] ?? {};
  const root = `pkg:npm/${own.name ?? ''}@${own.version ?? ''}`;
  const used = Object.entries(packages).filter(([path, { dev = false }]) => path !== '' && !dev);
  const components = new Map(used.map(([path, locked]) => [purlOf(path, locked), component(path, locked)]));
  const needs = new Map<string, Set<string>>();
  for (const [path, locked] of [['', own] as const, ...used]) {
    const known = needs.get(path === '' ? root : purlOf(path, locked)) ?? new Set();
    for (const name of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })) {
      const at = resolved(path, name, packages);
      const found = at === null ? undefined : packages[at];
      if (at !== null && found && !found.dev) known.add(purlOf(at, found));
    }
    needs.set(path === '' ? root : purlOf(path, locked), known);
  }
  return prettyJsonArtifact(SBOM, {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name: own.name ?? '',
        version: own.version ?? '',
        licenses: licensesOf(own.license ?? ''),
        purl: root,
      },
    },
    components: [...components].sort(([a], [b]) => byCodeUnits(a, b)).map(([, one]) => one),
    dependencies: [...needs]
      .sort(([a], [b]) => byCodeUnits(a, b))
      .map(([ref, on]) => ({ ref, dependsOn: [...on].sort(byCodeUnits) })),
  });
}

function component(path: string, { version, license, integrity }: Locked): JsonObject {
  const name = nameOf(path);
  if (version === undefined || license === undefined || integrity === undefined)
    throw new Error(`package-lock.json: ${path} has no version, licence or hash; install it again`);
  const [, sha512 = ''] = /^sha512-(.+)$/.exec(integrity) ?? [];
  const purl = purlOf(path, { version });
  const uses = Object.entries<string[]>(RUNTIME).flatMap(([use, names]) =>
    names.includes(name) ? [use] : [],
  );
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name: short ?? name,
    version,
    // CycloneDX: excluded components are not part of what runs.
    scope: uses.length > 0 ? 'required' : 'excluded',
    hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }],
    licenses: licensesOf(license),
    purl,
    properties: (uses.length > 0 ? uses : ['build']).map((value) => ({ name: 'public-evidence:use', value })),
  };
}

/** The path of a package that another one loads: npm looks in its own folder first, then in those above. */
function resolved(from: string, name: string, packages: Lockfile['packages']): string | null {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, folder.lastIndexOf('node_modules/')).replace(/\/$/, '')
  ) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return null;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function purlOf(path: string, { version = '' }: Pick<Locked, 'version'>): string {
  return `pkg:npm/${nameOf(path).replace('@', '%40')}@${version}`;
}

function licensesOf(license: string): JsonObject[] {
  return /[ ()]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}
