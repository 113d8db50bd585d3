/** The headers of an answer as they are documented: one table for OpenAPI and the documentation page. */
import type { JsonObject } from '../../../shim/core/types.ts';

/** A documented header. */
export interface AnswerHeader {
  name: string;
  /** Name in OpenAPI's components. */
  component: string;
  description: string;
  example: string;
}

export const ETAG: AnswerHeader = {
  name: 'ETag',
  component: 'ETag',
  description:
    'Strong validator made from the sha256 of the content. Send it back in If-None-Match: 304 says that nothing changed.',
  example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
};
export const LINK: AnswerHeader = {
  name: 'Link',
  component: 'Link',
  description: 'rel="api-catalog", rel="service-desc", and rel="next" on an answer that has a further page.',
  example: '</.well-known/api-catalog>; rel="api-catalog", </openapi.json>; rel="service-desc"',
};
export const CACHE_CONTROL: AnswerHeader = {
  name: 'Cache-Control',
  component: 'CacheControl',
  description:
    'How long the answer may be reused: minutes for evidence that changes with a release, one minute for live answers, 400 and 404, never for 500 and 503.',
  example: 'public, max-age=300, stale-while-revalidate=86400',
};
export const CORS: AnswerHeader = {
  name: 'Access-Control-Allow-Origin',
  component: 'AccessControlAllowOrigin',
  description: 'Always *, errors included: every page on the web may read this service.',
  example: '*',
};
export const ALLOW: AnswerHeader = {
  name: 'Allow',
  component: 'Allow',
  description: 'The methods there are.',
  example: 'GET, HEAD, OPTIONS',
};
export const RETRY_AFTER: AnswerHeader = {
  name: 'Retry-After',
  component: 'RetryAfter',
  description: 'Seconds after which asking again makes sense.',
  example: '60',
};

/** Every header there is to document. */
export const ANSWER_HEADERS: AnswerHeader[] = [ETAG, LINK, CACHE_CONTROL, CORS, ALLOW, RETRY_AFTER];

/** References to headers, as a response lists them. */
export function headerRefs(headers: AnswerHeader[]): JsonObject {
  return Object.fromEntries(
    headers.map(({ name, component }) => [name, { $ref: `#/components/headers/${component}` }]),
  );
}

/** components.headers. */
export function headerComponents(): JsonObject {
  return Object.fromEntries(
    ANSWER_HEADERS.map(({ component, description, example }) => [
      component,
      { description, schema: { type: 'string' }, example },
    ]),
  );
}
