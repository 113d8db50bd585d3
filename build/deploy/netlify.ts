/**
 * The service at Netlify: netlify.toml, from the operations, the header constants and the media types (committed; a test
 * compares the file with this), and the function: our own bundle, and a few lines that name its paths and what the build
 * knew. Values of the running environment come before those of the build.
 */
import { writeFileSync } from 'node:fs';
import { stringify } from 'smol-toml';
import { bundleServer } from '../bundle/bundle.ts';
import {
  CACHE_STATIC,
  ENDINGS,
  EXACT,
  NOT_INDEXED,
  PAGE_POLICY,
  SECURE,
  SHARED,
  linkHeader,
} from '../../shim/core/headers.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import {
  API_NOT_FOUND,
  API_ROOT,
  RELEASE,
  SERIES_INDEX,
  WORLD,
  pagePath,
  sidecarPath,
} from '../../shim/core/paths.ts';
import type { Operation } from '../../shim/core/types.ts';
import { embedAddress, oembedAddress, PAGES } from '../../shim/view/address.ts';
import { DESIGNATION_FIELDS } from '../../shim/view/designations.ts';
import { serverSettings, sharedSettings } from '../../shim/settings.ts';
import { makeFolder } from '../lib/replace-file.ts';

type Env = Record<string, string | undefined>;

/** Where Netlify looks for functions, below the repository root. */
export const FUNCTIONS_FOLDER = '.build/functions';

/** Files that the function reads with their sidecars. */
const WITH_SIDECARS = [
  'data/*.json',
  'data/datasets/*.json',
  'data/editions/*/*.json',
  'assets/search.json',
  WORLD,
  RELEASE,
];

/** What the function reads where its data is packaged: packs, their indexes, documents and sidecars; not the bulk forms. */
export const INCLUDED_FILES = [
  'data/*.ndjson',
  'data/editions/*/*.ndjson',
  'data/index/*.idx',
  sidecarPath(SERIES_INDEX),
  ...WITH_SIDECARS.flatMap((path) => [path, sidecarPath(path)]),
].map((path) => `public/${path}`);

/** Addresses under which Netlify serves one deploy. */
const DEPLOY_ADDRESSES = ['URL', 'DEPLOY_PRIME_URL', 'DEPLOY_URL'];

/** Writes the function to `folder`; resolves to the size of the bundle in bytes. Throws BadSetting. */
export async function bundleFunction(folder: string, env: Env): Promise<number> {
  const home = `${folder}/shim`;
  makeFolder(home);
  const size = await bundleServer('shim/netlify.ts', `${home}/server.mjs`);
  writeFileSync(
    `${home}/shim.mjs`,
    entry(functionEnv(env), env['DATA_FROM'] === undefined ? INCLUDED_FILES : []),
  );
  return size;
}

/** Settings of the running function that only the build knows: pages and function must agree on the site's address. */
export function functionEnv(env: Env): Record<string, string> {
  const { siteUrl } = sharedSettings(env);
  const addresses = env['NETLIFY'] ? DEPLOY_ADDRESSES.flatMap((name) => env[name] ?? []) : [];
  const names = addresses.map((address) => new URL(address).hostname);
  const { mcpAllowedHosts, mcpAllowedOrigins, dataFrom } = serverSettings({ ...env, SITE_URL: siteUrl });
  const list = (given: string | undefined, known: string[]): string =>
    given ?? [...new Set([...known, ...names])].join(',');
  return {
    SITE_URL: siteUrl,
    MCP_ALLOWED_HOSTS: list(env['MCP_ALLOWED_HOSTS'], mcpAllowedHosts),
    MCP_ALLOWED_ORIGINS: list(env['MCP_ALLOWED_ORIGINS'], mcpAllowedOrigins),
    ...(dataFrom === null ? {} : { DATA_FROM: dataFrom.address }),
    ...(dataFrom?.key ? { DATA_KEY: dataFrom.key } : {}),
  };
}

/** In a file of its own: the host reads `config` from the text, which cannot be read in minified text. */
function entry(env: Record<string, string>, included: readonly string[]): string {
  // The host takes them relative to this file.
  const files = included.map((glob) => `'../../../${glob}'`).join(', ');
  return `import { netlifyHandler } from './server.mjs';

export default netlifyHandler({ ...${JSON.stringify(env)}, ...process.env });

export const config = { path: ['/mcp', '/mcp/', '/_shim/*'], includedFiles: [${files}] };
`;
}

const HEAD =
  '# Written by `npm run host` from the operations, the header constants and the media types: change those, not this file.\n';

/**
 * The text of netlify.toml. The edge router decides first; the forced redirects are the second line of defence, for requests
 * that got past it: a filtered request must never be answered with the unfiltered page.
 */
export function netlifyToml(): string {
  return `${HEAD}\n${stringify({
    build: {
      command: 'npm run build -- --provenance && node build/run.mjs bundle-function',
      publish: 'public',
      edge_functions: 'netlify/edge-functions',
      environment: { NODE_VERSION: '24' },
      // Pages are served byte for byte as the release lists them.
      processing: { skip_processing: true },
    },
    functions: { directory: FUNCTIONS_FOLDER },
    // The address of the page alone: what is below it has rules, or is a file.
    edge_functions: [`/${API_ROOT}/*`, ...ANSWERED_PAGES.map(([folder]) => `/${folder}`)].map((path) => ({
      function: 'router',
      path,
    })),
    redirects: [
      ...OPERATIONS.flatMap(redirectsOf),
      // Forced: without a query the page is a file.
      ...ANSWERED_PAGES.flatMap(([folder, names]) =>
        names.map((name) => ({
          from: `/${folder}`,
          to: `/_shim/${folder}`,
          query: { [name]: `:${name}` },
          status: 200,
          force: true,
        })),
      ),
      // Not forced: r/ itself is a published page.
      ...[PAGES.records, PAGES.designations, 'download/'].map((folder) => ({
        from: `/${folder}*`,
        to: `/_shim/${folder}:splat`,
        status: 200,
      })),
      ...ANSWERED_ALONE.map((path) => ({ from: path, to: `/_shim${path}`, status: 200 })),
      { from: '/api/*', to: `/${API_NOT_FOUND}`, status: 404 },
    ],
    headers: headerRules(),
  })}`;
}

/** Pages that are files without a query and answered with one, and the names in their queries. */
const ANSWERED_PAGES: readonly (readonly [folder: string, names: readonly string[]])[] = [
  [PAGES.designations, [...DESIGNATION_FIELDS.map(([name]) => name), 'cursor']],
  [PAGES.search, ['q']],
  [PAGES.explore, []],
  [PAGES.compare, ['a', 'b']],
];

/** What the function answers at one address, where no file is. */
const ANSWERED_ALONE = [embedAddress({}), oembedAddress({})].map((path) => `/${path}`);

function redirectsOf({ name, parameters, freshness }: Operation): object[] {
  const from = `/${API_ROOT}/${name}`;
  const shim = { from, to: `/_shim${from}`, status: 200, force: true };
  if (freshness === 'live') return [shim];
  return [
    ...parameters.map((parameter) => ({ ...shim, query: { [parameter.name]: `:${parameter.name}` } })),
    { from, to: `/${pagePath(name)}`, status: 200 },
  ];
}

/** No two rules give a path the same header: which of them a host would take is not defined everywhere. */
function headerRules(): object[] {
  return [
    {
      for: '/*',
      values: { ...SHARED, ...SECURE, 'cache-control': CACHE_STATIC, 'content-security-policy': PAGE_POLICY },
    },
    { for: `/${PAGES.designations}*`, values: NOT_INDEXED },
    // Relative addresses: the file is written before the address of the site is known.
    { for: `/${API_ROOT}/*`, values: { link: linkHeader('') } },
    ...Object.entries(EXACT).map(([path, type]) => typed(`/${path}`, type)),
    ...ENDINGS.filter(([ending]) => !isShared(ending)).map(([ending, type]) => typed(`/*${ending}`, type)),
  ];
}

/** Endings that longer names share have no rule: every host knows the types of .json, .xml and .txt. */
function isShared(ending: string): boolean {
  const longer = [...Object.keys(EXACT), ...ENDINGS.map(([other]) => other)];
  return longer.some((other) => other !== ending && other.endsWith(ending));
}

function typed(path: string, type: string): object {
  return { for: path, values: { 'content-type': type } };
}
