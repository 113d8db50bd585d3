/**
 * The page for people at an address that has nothing: for requests that name text/html, as those of browsers do. Programs keep the
 * JSON error, and so does every address that is theirs.
 */
import { FAULTS, type Fault } from '../core/faults.ts';
import { headerList, SHARED } from '../core/headers.ts';
import { NOT_FOUND } from '../core/paths.ts';
import { errorReply, qualitiesOf, type HttpRequest, type Reply } from './content.ts';
import type { PublishedFiles } from './files.ts';

/** Addresses of programs: theirs alone, and every file whose ending is not that of a page. */
const FOR_PROGRAMS = /^\/(?:api|oembed|schemas|deltas|mcp|\.well-known)(?:\/|$)|\.(?!html$)[^/.]*$/;

/** The published page with status 404, or the error of the API for those who do not ask for one. Throws the fault where no page is for people. */
export function notFound(
  fault: Fault,
  request: HttpRequest,
  files: PublishedFiles | null,
): Reply | Promise<Reply> {
  if (FOR_PROGRAMS.test(request.pathname) || !files?.has(NOT_FOUND)) throw fault;
  const accepted = qualitiesOf(request.header('accept') ?? '').get('text/html') ?? 0;
  if (accepted === 0) return asMissing(errorReply(fault, request, headerList(SHARED)));
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
