/**
 * Headers of published files, from the constants the app sets and the media types it serves. No two rules give a path the
 * same header: which of them a host would take is not defined everywhere.
 */
import { ENDINGS, EXACT } from '../../shim/core/media-types.ts';
import { API_ROOT } from '../../shim/core/paths.ts';
import { CACHE_STATIC, linkHeader, PAGE_POLICY, SHARED } from '../../shim/core/headers.ts';

/** One `[[headers]]` table. */
export interface HeaderRule {
  for: string;
  values: Record<string, string>;
}

/** Every rule. */
export function headerRules(): HeaderRule[] {
  return [
    {
      for: '/*',
      values: { ...SHARED, 'cache-control': CACHE_STATIC, 'content-security-policy': PAGE_POLICY },
    },
    // Relative addresses: the file is written before the address of the site is known.
    { for: `/${API_ROOT}/*`, values: { link: linkHeader('', null) } },
    ...Object.entries(EXACT).map(([path, type]) => typed(`/${path}`, type)),
    ...ENDINGS.filter(([ending]) => !isShared(ending)).map(([ending, type]) => typed(`/*${ending}`, type)),
  ];
}

/** Endings that longer names share have no rule: every host knows the types of .json, .xml and .txt. */
function isShared(ending: string): boolean {
  const longer = [...Object.keys(EXACT), ...ENDINGS.map(([other]) => other)];
  return longer.some((other) => other !== ending && other.endsWith(ending));
}

function typed(path: string, type: string): HeaderRule {
  return { for: path, values: { 'content-type': type } };
}
