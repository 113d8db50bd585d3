/** Error replies to what failed outside of an operation's result, redirects, and the header fields that they share with other responses. */
import { readInput, readQuery, unavailableData, type Report } from '../core/call.ts';
import { errorBody } from '../core/envelope.ts';
import { Fault, FAULTS, internalFault, unlessFault } from '../core/faults.ts';
import { headerList, linkHeader, SHARED, type HeaderList } from '../core/headers.ts';
import { operationOf } from '../core/operations/all.ts';
import { API_ROOT, ENVELOPED } from '../core/paths.ts';
import type { Context, Operation } from '../core/types.ts';
import { errorReply, type HttpRequest, type Reply, type WholeReply } from './content.ts';

/** Makes the reply to what was thrown for a request: anything but a Fault is reported, and masked. */
export type Failed = (error: unknown, request: HttpRequest) => WholeReply;

/** The header fields of every response. */
export const SHARED_LIST: HeaderList = headerList(SHARED);

/** The address of an operation, of a file of its pages and of a download of its records. */
const OPERATION_PATH = new RegExp(
  `^/(?:${API_ROOT}/([^/.]+)(?:/[^/.]+)?(?:\\.json)?|download/([^/.]+)\\.[^/]+)$`,
);

/** The header fields of every response of the API. */
export function apiHeaders(siteUrl: string): HeaderList {
  return [...SHARED_LIST, 'link', linkHeader(siteUrl)];
}

/** The reply that leads to another address; it is kept as briefly as an error. */
export function redirect(status: 303 | 308, location: string): Reply {
  const headers = [...SHARED_LIST, 'location', location, 'cache-control', FAULTS.not_found.cache];
  return { status, headers, body: null };
}

/** Gives the header fields of every response to a request, errors included. Downloads count as part of the API. */
export function headersBy(siteUrl: string): (request: HttpRequest) => HeaderList {
  const api = apiHeaders(siteUrl);
  return ({ pathname }) => (/^\/(api|download)(\/|$)/.test(pathname) ? api : SHARED_LIST);
}

/** Makes error replies. Where a resource, its pages or its downloads are unavailable, the operation gives the payload. */
export function failures(context: Context, report: Report): Failed {
  const headersOf = headersBy(context.settings.siteUrl);
  const dataOf = (operation: Operation, search: string, fault: Fault): ReturnType<typeof unavailableData> => {
    const input = unlessFault(() => readInput(operation, readQuery(operation, search)), {});
    return unavailableData(operation, input, context, fault, report);
  };
  return (error, request) => {
    if (!(error instanceof Fault)) report(error);
    const fault = error instanceof Fault ? error : internalFault();
    const [, name = '', downloaded = name] = OPERATION_PATH.exec(request.pathname) ?? [];
    const hasPayload = fault.code === 'unavailable' && ENVELOPED.has(downloaded);
    const operation = hasPayload ? operationOf(downloaded) : undefined;
    const data = operation ? dataOf(operation, request.search, fault) : null;
    return errorReply(fault, request, headersOf(request), errorBody(fault, operation?.name, data));
  };
}
