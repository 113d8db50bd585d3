/** Reply -> Response; the only place that makes one. All headers go in at once: a response touched later loses its fast path. */
import { FastResponse } from 'srvx';
import type { Reply } from './reply.ts';

/** The Response of a reply. */
export function responseOf({ status, headers, body }: Reply): Response {
  return new FastResponse(body as ConstructorParameters<typeof FastResponse>[0], { status, headers });
}
