/** Path items of the REST operations, and the responses they share. */
import { ENVELOPED, errorBody } from '../../../shim/core/envelope.ts';
import { unavailable, type FaultCode } from '../../../shim/core/faults.ts';
import type { Operation } from '../../../shim/core/operation.ts';
import { absolute, payloadSchemaPath } from '../../../shim/core/paths.ts';
import type { Context, JsonObject, PackEntry, Store } from '../../../shim/core/types.ts';
import { answer, memberOf, parameterExamples, type OperationExample } from './examples.ts';
import { FAULT_MEANINGS } from './faults.ts';
import { ALLOW, CACHE_CONTROL, CORS, ETAG, headerRefs, LINK, RETRY_AFTER } from './headers.ts';
import { componentName, schemaRef } from './schemas.ts';

const JSON_TYPE = 'application/json';

/** The path items of an operation: the resource, and its static pages where it has them. */
export function operationPaths(
  operation: Operation,
  example: OperationExample,
  context: Context,
): JsonObject {
  const paths: JsonObject = { [`/${operation.name}`]: { get: getItem(operation, example, context) } };
  if (hasPages(operation))
    paths[`/${operation.name}/{cursor}.json`] = { get: pageItem(operation, example, context) };
  return paths;
}

/** `get_atlas`: the name of the tool where there is one. */
export function operationId({ tool, name }: Operation): string {
  return tool ?? `get_${name.replaceAll('-', '_')}`;
}

/** The first clause of a summary: the line a list shows. */
export function shortSummary({ summary }: Operation): string {
  return summary.split(/[.:](?: |$)/)[0] ?? summary;
}

/** Responses shared by every operation, with real answers where a call can give them. */
export async function responseComponents(operations: Operation[], context: Context): Promise<JsonObject> {
  return {
    BadRequest: {
      description: described('invalid_request', 'stale_cursor'),
      headers: headerRefs([ETAG, LINK, CACHE_CONTROL, CORS]),
      content: {
        [JSON_TYPE]: {
          schema: errorWith('invalid_request', 'stale_cursor'),
          examples: await refusals(operations, context),
        },
      },
    },
    NotFound: faultResponse('not_found'),
    MethodNotAllowed: faultResponse('method_not_allowed'),
    UriTooLong: faultResponse('uri_too_long'),
    InternalError: faultResponse('internal_error'),
    Unavailable: faultResponse('unavailable'),
    NotModified: {
      description: 'The content still has the ETag that If-None-Match names. No body.',
      headers: headerRefs([ETAG, LINK, CACHE_CONTROL, CORS]),
    },
  };
}

function getItem(operation: Operation, example: OperationExample, context: Context): JsonObject {
  const { name, summary, parameters } = operation;
  const values = parameterExamples(operation, example);
  return {
    operationId: operationId(operation),
    summary: shortSummary(operation),
    description: `${summary}\n\nSchema of \`data\` alone: ${absolute(context.settings.siteUrl, payloadSchemaPath(name))}`,
    tags: ['Resources'],
    parameters: parameters.map(({ name: parameter, description, schema }) => ({
      name: parameter,
      in: 'query',
      description,
      required: false,
      ...(schema['minLength'] === 0 ? { allowEmptyValue: true } : {}),
      schema,
      ...(values.has(parameter) ? { example: values.get(parameter) ?? null } : {}),
    })),
    responses: {
      200: success(operation, example),
      304: { $ref: '#/components/responses/NotModified' },
      400: { $ref: '#/components/responses/BadRequest' },
      404: { $ref: '#/components/responses/NotFound' },
      405: { $ref: '#/components/responses/MethodNotAllowed' },
      414: { $ref: '#/components/responses/UriTooLong' },
      500: { $ref: '#/components/responses/InternalError' },
      503: unavailableResponse(operation, context),
    },
  };
}

function pageItem(operation: Operation, example: OperationExample, context: Context): JsonObject {
  const cursor = parameterExamples(operation, example).get('cursor');
  return {
    operationId: `${operationId(operation)}_page`,
    summary: `A further unfiltered page of ${operation.name}, as a file`,
    description: `The same bytes as /${operation.name}?cursor={cursor}: a mirror of the files can be walked without a server, from next_cursor to next_cursor.`,
    tags: ['Resources'],
    parameters: [
      {
        name: 'cursor',
        in: 'path',
        required: true,
        description: 'page.next_cursor of the unfiltered page before.',
        schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 2048 },
        ...(cursor === undefined ? {} : { example: cursor }),
      },
    ],
    responses: {
      200: {
        description: 'The page.',
        headers: headerRefs([ETAG, LINK, CACHE_CONTROL, CORS]),
        content: { [JSON_TYPE]: { schema: schemaRef(`${componentName(operation.name)}Response`) } },
      },
      304: { $ref: '#/components/responses/NotModified' },
      400: { $ref: '#/components/responses/BadRequest' },
      404: { $ref: '#/components/responses/NotFound' },
      405: { $ref: '#/components/responses/MethodNotAllowed' },
      414: { $ref: '#/components/responses/UriTooLong' },
      500: { $ref: '#/components/responses/InternalError' },
      503: unavailableResponse(operation, context),
    },
  };
}

function success(operation: Operation, { status, body }: OperationExample): JsonObject {
  return {
    description: `${shortSummary(operation)}.`,
    headers: headerRefs([ETAG, LINK, CACHE_CONTROL, CORS]),
    content: {
      [JSON_TYPE]: {
        schema: schemaRef(`${componentName(operation.name)}Response`),
        ...(status === 200
          ? { examples: { answer: { summary: 'A real answer, its lists cut short', value: body } } }
          : {}),
      },
    },
    ...(hasPages(operation)
      ? {
          links: {
            next: {
              operationId: operationId(operation),
              description: 'The next page: the same filters with this cursor, until next_cursor is null.',
              parameters: { cursor: '$response.body#/data/page/next_cursor' },
            },
          },
        }
      : {}),
  };
}

function unavailableResponse(operation: Operation, context: Context): JsonObject {
  if (!ENVELOPED.has(operation.name)) return { $ref: '#/components/responses/Unavailable' };
  const fault = unavailable('The requested evidence');
  const data = operation.unavailable?.({}, context, fault.message) ?? {};
  const body = new TextDecoder().decode(errorBody(fault, operation.name, data));
  return {
    description: described('unavailable'),
    headers: headerRefs([ETAG, LINK, CACHE_CONTROL, CORS, RETRY_AFTER]),
    content: {
      [JSON_TYPE]: {
        schema: schemaRef(`${componentName(operation.name)}Unavailable`),
        examples: { unavailable: { summary: 'Nothing can be given', value: JSON.parse(body) as JsonObject } },
      },
    },
  };
}

function faultResponse(code: FaultCode): JsonObject {
  const extra = code === 'method_not_allowed' ? [ALLOW] : code === 'unavailable' ? [RETRY_AFTER] : [];
  return {
    description: described(code),
    headers: headerRefs([ETAG, LINK, CACHE_CONTROL, CORS, ...extra]),
    content: { [JSON_TYPE]: { schema: errorWith(code) } },
  };
}

function described(...codes: FaultCode[]): string {
  return codes
    .map((code) => `\`${code}\`: ${FAULT_MEANINGS[code].meaning} ${FAULT_MEANINGS[code].next}`)
    .join('\n\n');
}

function errorWith(...codes: FaultCode[]): JsonObject {
  return { allOf: [schemaRef('Error'), { type: 'object', properties: { error: { enum: codes } } }] };
}

/** Real refusals of the first paged operation: a limit out of range, and a cursor made from other data. */
async function refusals(operations: Operation[], context: Context): Promise<JsonObject> {
  const operation = operations.find(hasPages);
  if (!operation) return {};
  const path = `/${operation.name}`;
  const invalid = await answer(operation, { limit: 0 }, context);
  const shown: JsonObject = { invalid_request: { summary: `${path}?limit=0`, value: invalid.body } };
  const elsewhere = await answer(operation, { limit: 1 }, { ...context, store: otherData(context.store) });
  const cursor = memberOf(elsewhere.body, 'data', 'page', 'next_cursor');
  if (typeof cursor !== 'string') return shown;
  const stale = await answer(operation, { cursor }, context);
  return { ...shown, stale_cursor: { summary: `${path}?cursor=${cursor}`, value: stale.body } };
}

/** The store as a release before had it: the same records under other hashes. */
function otherData(store: Store): Store {
  const manifest = store.manifest();
  const before = (pack: PackEntry): PackEntry => ({ ...pack, sha256: store.sha256(pack.sha256) });
  const earlier = { ...manifest, packs: manifest.packs.map(before) };
  return {
    ...store,
    manifest: () => earlier,
    pack(id) {
      const pack = store.pack(id);
      return { ...pack, entry: before(pack.entry) };
    },
  };
}

function hasPages({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => name === 'cursor');
}
