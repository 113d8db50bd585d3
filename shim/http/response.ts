/** Reply -> Response; the only place that makes one. All headers go in at once: a response touched later loses its fast path. */
import { FastResponse } from 'srvx';
import type { Reply } from './reply.ts';

/** The Response of a reply. */
export function responseOf({ status, headers, body }: Reply): Response {
  const pairs: [string, string][] = [];
  for (let at = 0; at < headers.length; at += 2) pairs.push([headers[at] ?? '', headers[at + 1] ?? '']);
  return new FastResponse(body as ConstructorParameters<typeof FastResponse>[0], { status, headers: pairs });
}
