/**
 * Redirects of the CDN, from the operations. The edge router decides first; the forced rules are the second line of
 * defence, for requests that got past it: a filtered request must never be answered with the unfiltered page.
 */
import type { Operation } from '../../shim/core/operation.ts';
import { API_NOT_FOUND, API_ROOT, pagePath } from '../../shim/core/paths.ts';

/** One `[[redirects]]` table; paths with their leading slash. */
export interface Redirect {
  from: string;
  to: string;
  status: number;
  force?: true;
  query?: Record<string, string>;
}

/** Every rule, in the order the CDN tries them. */
export function redirects(operations: Operation[]): Redirect[] {
  return [...operations.flatMap(rulesOf), { from: '/api/*', to: `/${API_NOT_FOUND}`, status: 404 }];
}

function rulesOf({ name, parameters, freshness }: Operation): Redirect[] {
  const from = `/${API_ROOT}/${name}`;
  const shim = { from, to: `/_shim${from}`, status: 200, force: true } as const;
  if (freshness === 'live') return [shim];
  return [
    ...parameters.map((parameter) => ({ ...shim, query: { [parameter.name]: `:${parameter.name}` } })),
    { from, to: `/${pagePath(name)}`, status: 200 },
  ];
}
