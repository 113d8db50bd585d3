/** The reply with a page that was made for its request. */
import { FAULTS, type Fault } from '../core/faults.ts';
import { mediaTypeOf, PAGE_POLICY, type HeaderList } from '../core/headers.ts';
import { contentOf, retrying, send, type HttpRequest, type Reply } from './content.ts';
import { SHARED_LIST } from './failures.ts';
import { CACHING } from './routes.ts';

/** Sends a page. Where it says that something failed, it is kept as briefly as that error, and has its status unless there is another. */
export function pageReply(
  text: string,
  request: HttpRequest,
  fault: Fault | null,
  {
    status = fault === null ? 200 : FAULTS[fault.code].status,
    headers = [],
  }: {
    status?: number;
    headers?: HeaderList;
  } = {},
): Reply {
  const caching = fault === null ? CACHING.data : ['cache-control', FAULTS[fault.code].cache];
  const policy = ['content-security-policy', PAGE_POLICY];
  const all = [...SHARED_LIST, ...caching, ...retrying(fault), ...policy, ...headers];
  return send(contentOf(Buffer.from(text), mediaTypeOf('index.html')), request, all, status);
}
