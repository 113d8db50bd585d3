/** What failures and headers mean to a caller: the one source of OpenAPI and of the documentation page. */
import { FAULTS, type FaultCode } from '../../../shim/core/faults.ts';
import type { JsonObject } from '../../../shim/core/types.ts';

/** An error code as it is documented. */
interface FaultMeaning {
  /** Name of its response in OpenAPI's components; codes of one status share it. */
  response: string;
  meaning: string;
  next: string;
}

/** Complete by construction: a code without a description does not compile. */
export const FAULT_MEANINGS: Record<FaultCode, FaultMeaning> = {
  invalid_request: {
    response: 'BadRequest',
    meaning:
      'A parameter is unknown, repeated, empty, out of range or malformed, or a cursor does not belong to these filters.',
    next: 'Read the message: it names the parameter, the value it got and what it expects. Nothing is ignored, clamped or coerced.',
  },
  stale_cursor: {
    response: 'BadRequest',
    meaning: 'The data has changed since the cursor was issued.',
    next: 'Start again from the first page, without a cursor.',
  },
  not_found: {
    response: 'NotFound',
    meaning: 'There is no such resource, page or file.',
    next: 'Find the right URL in capabilities, llms.txt or the site map.',
  },
  method_not_allowed: {
    response: 'MethodNotAllowed',
    meaning: 'The method is not GET, HEAD or OPTIONS. Every operation is a read.',
    next: 'Use a method that the Allow header lists.',
  },
  uri_too_long: {
    response: 'UriTooLong',
    meaning: 'The URL is longer than 8,192 bytes.',
    next: 'Shorten the filters.',
  },
  internal_error: {
    response: 'InternalError',
    meaning: 'Unexpected server error; details are logged, not returned.',
    next: 'Try again later.',
  },
  unavailable: {
    response: 'Unavailable',
    meaning:
      'The evidence is missing, malformed, oversized or late. No substitute values are returned, least of all zero.',
    next: 'Try again after the seconds in Retry-After; until then treat the value as unknown.',
  },
};

/** Codes that share a status, by status, ascending. */
export function faultsByStatus(): [status: number, codes: FaultCode[]][] {
  const statuses = new Map<number, FaultCode[]>();
  for (const code of Object.keys(FAULTS) as FaultCode[]) {
    const { status } = FAULTS[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return [...statuses].sort(([a], [b]) => a - b);
}

/** A response header as it is documented. */
interface Header {
  name: string;
  /** The only status that has it, where it is one. */
  status?: number;
  description: string;
  example: string;
}

/** Every documented response header. */
export const HEADERS: Header[] = [
  {
    name: 'ETag',
    description:
      'Strong validator: the sha256 of the content. Send it back in If-None-Match; a 304 response means nothing changed.',
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  {
    name: 'Link',
    description:
      'rel="api-catalog", rel="service-desc", and rel="next" on a response that has a further page.',
    example: '</.well-known/api-catalog>; rel="api-catalog", </openapi.json>; rel="service-desc"',
  },
  {
    name: 'Cache-Control',
    description:
      'How long the response may be reused: minutes for evidence that changes with a release; one minute for live responses, 400 and 404; never for 500 and 503.',
    example: 'public, max-age=300, stale-while-revalidate=86400',
  },
  {
    name: 'Access-Control-Allow-Origin',
    description: 'Always *, also on errors: any web page may read this service.',
    example: '*',
  },
  { name: 'Allow', status: 405, description: 'Allowed methods.', example: 'GET, HEAD, OPTIONS' },
  { name: 'Retry-After', status: 503, description: 'Seconds to wait before retrying.', example: '60' },
];

/** components.headers. */
export function headerComponents(): JsonObject {
  const components = HEADERS.map((header) => {
    const { description, example } = header;
    return [componentOf(header), { description, schema: { type: 'string' }, example }];
  });
  return Object.fromEntries(components) as JsonObject;
}

/** The headers of a response with this status, as references. */
export function headersOf(status: number): JsonObject {
  const had = HEADERS.filter((header) => header.status === undefined || header.status === status);
  const references = had.map((header) => [
    header.name,
    { $ref: `#/components/headers/${componentOf(header)}` },
  ]);
  return Object.fromEntries(references) as JsonObject;
}

/** A reference to a response of the components. */
export function responseRef(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}

/** `Cache-Control` -> `CacheControl`. */
function componentOf({ name }: Header): string {
  return name.replaceAll('-', '');
}
