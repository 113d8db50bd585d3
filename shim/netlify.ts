/**
 * Entry for Netlify: one function behind /mcp and /_shim/*. The CDN serves the published files and compresses, so this app
 * serves no files and does not compress: a stored response must suit every client.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACK_MANIFEST } from './core/paths.ts';
import { isForMcp } from './http/routes.ts';
import { once, openService } from './service.ts';
import { serverSettings } from './settings.ts';

const PREFIX = '/_shim';

/** Answers every request the host hands over. Throws BadSetting; `root` is the published tree or its data/ alone. */
export function netlifyHandler(
  env: Record<string, string | undefined>,
  root?: string,
): (request: Request) => Promise<Response> {
  const settings = serverSettings(env);
  const folder = settings.dataFrom ? '' : (root ?? publishedFolder());
  const service = once(async () => openService({ root: folder, settings, files: false }));
  return async (request) => (await service()).fetch(publicSpelling(request));
}

/** The request under the address its client used: the router prefixes /_shim, and the host passes either spelling. */
function publicSpelling(request: Request): Request {
  const { origin, pathname } = new URL(request.url);
  if (isForMcp(pathname)) return request;
  const target = request.url.slice(origin.length);
  const headers = new Headers(request.headers);
  headers.delete('accept-encoding');
  // Nothing but /mcp takes a body, so none is carried over.
  const url = `${origin}${target.startsWith(`${PREFIX}/`) ? target.slice(PREFIX.length) : target}`;
  return new Request(url, { method: request.method, headers });
}

/** public/ of the nearest folder above this file that has one with data: the host lays included files out like the repository. */
function publishedFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'public', PACK_MANIFEST))) {
    if (folder === dirname(folder)) throw new Error(`no public/${PACK_MANIFEST} above the function`);
    folder = dirname(folder);
  }
  return join(folder, 'public');
}
