/**
 * The page for people at an address that has nothing: for requests that name text/html, as those of browsers do. Programs keep the
 * JSON error, and so does every address that is theirs.
 */
import { FAULTS } from '../core/faults.ts';
import { headerList, SHARED } from '../core/headers.ts';
import { NOT_FOUND } from '../core/paths.ts';
import type { HttpRequest, Reply } from './content.ts';
import type { PublishedFiles } from './files.ts';

/** Addresses of programs: theirs alone, and every file whose ending is not that of a page. */
const FOR_PROGRAMS = /^\/(?:api|schemas|deltas|mcp|\.well-known)(?:\/|$)|\.(?!html$)[^/.]*$/;

/** The published page with status 404; null where there is none, or where the request is not a person's. */
export function notFoundPage(
  request: HttpRequest,
  files: PublishedFiles | null,
): Reply | Promise<Reply> | null {
  if (FOR_PROGRAMS.test(request.pathname) || !/text\/html/i.test(request.header('accept') ?? '')) return null;
  if (!files?.has(NOT_FOUND)) return null;
  // The page is the same whatever a client knows of it: no part of it, and no 304.
  const header = (name: string): string | null => (name === 'accept-encoding' ? request.header(name) : null);
  const page = files.reply(NOT_FOUND, { ...request, header }, headerList(SHARED), false);
  return page instanceof Promise ? page.then(asMissing) : asMissing(page);
}

function asMissing({ headers, body }: Reply): Reply {
  const changed: Record<string, string> = {
    'cache-control': FAULTS.not_found.cache,
    vary: 'Accept, Accept-Encoding',
  };
  const all = headers.map((value, at) => (at % 2 === 1 ? (changed[headers[at - 1] ?? ''] ?? value) : value));
  return { status: 404, headers: all, body };
}
