/**
 * The function as Netlify takes it: our own bundle, and a few lines that name its paths and what the build knew. Values of
 * the running environment come before those of the build.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { serverSettings, sharedSettings } from '../../shim/settings.ts';
import { bundleServer } from '../bundle/bundle.ts';

type Env = Record<string, string | undefined>;

/** Where Netlify looks for functions, below the repository root. */
export const FUNCTIONS_FOLDER = '.build/functions';

/** What the function reads: packs, their indexes, documents and sidecars; not the bulk forms. */
export const INCLUDED_FILES = [
  'public/data/*.ndjson',
  'public/data/index/*.idx',
  'public/data/*.json',
  'public/data/*.json.sha256',
  'public/data/datasets/*.json',
  'public/data/datasets/*.json.sha256',
];

/** Addresses under which Netlify serves one deploy. */
const DEPLOY_ADDRESSES = ['URL', 'DEPLOY_PRIME_URL', 'DEPLOY_URL'];

/** Writes the function to `folder`; resolves to the size of the bundle in bytes. Throws BadSetting. */
export async function bundleFunction(folder: string, env: Env): Promise<number> {
  const home = `${folder}/shim`;
  mkdirSync(home, { recursive: true });
  const size = await bundleServer('shim/netlify.ts', `${home}/server.mjs`);
  writeFileSync(`${home}/shim.mjs`, entry(functionEnv(env)));
  return size;
}

/** Settings of the running function that only the build knows: pages and function must agree on the site's address. */
export function functionEnv(env: Env): Record<string, string> {
  const { siteUrl } = sharedSettings(env);
  const addresses = env['NETLIFY'] ? DEPLOY_ADDRESSES.flatMap((name) => env[name] ?? []) : [];
  const names = addresses.map((address) => new URL(address).hostname);
  const { mcpAllowedHosts, mcpAllowedOrigins } = serverSettings({ ...env, SITE_URL: siteUrl });
  const list = (given: string | undefined, known: string[]): string =>
    given ?? [...new Set([...known, ...names])].join(',');
  return {
    SITE_URL: siteUrl,
    MCP_ALLOWED_HOSTS: list(env['MCP_ALLOWED_HOSTS'], mcpAllowedHosts),
    MCP_ALLOWED_ORIGINS: list(env['MCP_ALLOWED_ORIGINS'], mcpAllowedOrigins),
  };
}

/** In a file of its own: the host reads `config` from the text, and minified text is no place to look. */
function entry(env: Record<string, string>): string {
  return `import { netlifyHandler } from './server.mjs';

export default netlifyHandler({ ...${JSON.stringify(env)}, ...process.env });

export const config = { path: ['/mcp', '/_shim/*'] };
`;
}
