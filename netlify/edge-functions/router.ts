/**
 * Edge router: reads of published pages go on to the CDN's files and rules, everything else under /api/v1, and pages with a query,
 * go to the function. Only here can "has a query" be told from "has none". It decides nothing about what is answered.
 */

/** The resources with a published page, which a test holds against the operations, and the files themselves. */
const PUBLISHED =
  /^\/api\/v1\/(?:capabilities|markets|series|market-observations|editions|revisions|atlas|entities|producerp-corridors|producerp-bri|.+\.(?:json|sha256))$/;

/** The address to answer from instead, or nothing where the published file answers. */
export default function route(request: Request): URL | undefined {
  const { origin, pathname, search } = new URL(request.url);
  const read = request.method === 'GET' || request.method === 'HEAD';
  if (read && search === '' && (PUBLISHED.test(pathname) || !pathname.startsWith('/api/'))) return undefined;
  return new URL(`/_shim${pathname}${search}`, origin);
}

/** Paths are declared in netlify.toml: a declaration in the source alone can vanish silently. */
export const config = { onError: 'bypass' };
