/**
 * netlify.toml, from the operations, the header constants and the media types. Committed; a test compares the file with this.
 * The edge router decides first; the forced redirects are the second line of defence, for requests that got past it: a filtered
 * request must never be answered with the unfiltered page.
 */
import { stringify } from 'smol-toml';
import { CACHE_STATIC, linkHeader, PAGE_POLICY, SHARED } from '../../shim/core/headers.ts';
import { ENDINGS, EXACT } from '../../shim/core/media-types.ts';
import type { Operation } from '../../shim/core/operation.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { API_NOT_FOUND, API_ROOT, pagePath } from '../../shim/core/paths.ts';
import { FUNCTIONS_FOLDER, INCLUDED_FILES } from './function.ts';

const HEAD =
  '# Written by `npm run host` from the operations, the header constants and the media types: change those, not this file.\n';

/** The text of the file. */
export function netlifyToml(): string {
  return `${HEAD}\n${stringify({
    build: {
      command: 'npm run build && node --import tsx build/main.ts bundle-function',
      publish: 'public',
      edge_functions: 'netlify/edge-functions',
      environment: { NODE_VERSION: '24' },
      // Pages are served byte for byte as the release lists them.
      processing: { skip_processing: true },
    },
    functions: { directory: FUNCTIONS_FOLDER, included_files: INCLUDED_FILES },
    edge_functions: [{ function: 'router', path: `/${API_ROOT}/*` }],
    redirects: [...OPERATIONS.flatMap(redirectsOf), { from: '/api/*', to: `/${API_NOT_FOUND}`, status: 404 }],
    headers: headerRules(),
  })}`;
}

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
      values: { ...SHARED, 'cache-control': CACHE_STATIC, 'content-security-policy': PAGE_POLICY },
    },
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
