/**
 * The page for people at an unknown address: for requests that accept text/html by name, as those of browsers do. Programs get the
 * JSON error, and so does everyone at an address for programs.
 */
import { FAULTS, type Fault } from '../core/faults.ts';
import { NOT_FOUND } from '../core/paths.ts';
import { errorReply, qualitiesOf, type HttpRequest, type Reply } from './content.ts';
import { SHARED_LIST } from './failures.ts';
import type { PublishedFiles } from './files.ts';

/** Addresses for programs: these folders, and every file whose ending is not that of a page. */
const FOR_PROGRAMS = /^\/(?:api|oembed|schemas|deltas|mcp|\.well-known)(?:\/|$)|\.(?!html$)[^/.]*$/;

/** The published page with status 404, or the JSON error where the request does not accept pages. Throws the fault at an address for programs. */
export function notFound(
  fault: Fault,
  request: HttpRequest,
  files: PublishedFiles | null,
): Reply | Promise<Reply> {
  if (FOR_PROGRAMS.test(request.pathname) || !files?.has(NOT_FOUND)) throw fault;
  const accepted = qualitiesOf(request.header('accept') ?? '').get('text/html') ?? 0;
  if (accepted === 0) return asMissing(errorReply(fault, request, SHARED_LIST));
  // Conditional requests and ranges are ignored: the status is 404, and never 304 or 206.
  const header = (name: string): string | null => (name === 'accept-encoding' ? request.header(name) : null);
  const page = files.reply(NOT_FOUND, { ...request, header }, SHARED_LIST, false);
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
