/** The page for people at an address that has nothing. Programs keep the JSON error: whoever wants JSON, and every address that is theirs. */
import { FAULTS } from '../core/faults.ts';
import { headerList, SHARED } from '../core/headers.ts';
import { NOT_FOUND } from '../core/paths.ts';
import type { HttpRequest, Reply } from './content.ts';
import type { PublishedFiles } from './files.ts';

/** Addresses of programs: folders of data, and every file whose ending is not that of a page. */
const FOR_PROGRAMS = /^\/(?:api|data|schemas|deltas|mcp|\.well-known)(?:\/|$)|\.(?!html$)[^/.]*$/;

/** The published page with status 404; null where there is none, or where the request is not a person's. */
export function notFoundPage(
  request: HttpRequest,
  files: PublishedFiles | null,
): Reply | Promise<Reply> | null {
  if (FOR_PROGRAMS.test(request.pathname) || !acceptsPage(request.header('accept'))) return null;
  if (!files?.has(NOT_FOUND)) return null;
  // The page is the same whatever a client knows of it: no part of it, and no 304.
  const header = (name: string): string | null => (name === 'accept-encoding' ? request.header(name) : null);
  const page = files.reply(NOT_FOUND, { ...request, header }, headerList(SHARED), false);
  return page instanceof Promise ? page.then(asMissing) : asMissing(page);
}

/** Whether a page may be sent: it is named, or anything is taken and JSON is not named. */
function acceptsPage(accept: string | null): boolean {
  if (accept === null) return true;
  return /text\/html/i.test(accept) || (/\*\/\*|text\/\*/.test(accept) && !/json/i.test(accept));
}

function asMissing({ headers, body }: Reply): Reply {
  const changed: Record<string, string> = {
    'cache-control': FAULTS.not_found.cache,
    vary: 'Accept, Accept-Encoding',
  };
  const all = headers.map((value, at) => (at % 2 === 1 ? (changed[headers[at - 1] ?? ''] ?? value) : value));
  return { status: 404, headers: all, body };
}
