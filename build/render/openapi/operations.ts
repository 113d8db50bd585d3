/** Path items of the REST operations, and the responses they share. */
import { memberAt } from '../../../shim/core/json.ts';
import {
  API_ERROR,
  FAULT_MEANINGS,
  componentName,
  faultsByStatus,
  headersOf,
  partResponses,
  responseRef,
  schemaRef,
} from './components.ts';
import { isPaged, operationId, parameterExamples, responseTo, shortSummary } from './examples.ts';
import type { OperationExample } from './examples.ts';
import { DOWNLOAD_FORMS } from '../../../shim/core/download.ts';
import { mediaTypeOf } from '../../../shim/core/headers.ts';
import { type FaultCode, unavailable } from '../../../shim/core/faults.ts';
import { collectionOf, cursorsOf } from '../../../shim/core/pagination.ts';
import { absolute, API_ROOT, ENVELOPED, payloadSchemaPath } from '../../../shim/core/paths.ts';
import about from './about.json' with { type: 'json' };
import type { Context, JsonObject, Operation } from '../../../shim/core/types.ts';

/** The path items of an operation: the resource, and its static pages where it has them. */
export async function operationPaths(
  operation: Operation,
  example: OperationExample,
  context: Context,
): Promise<JsonObject> {
  const { name } = operation;
  const path = `/${API_ROOT}/${name}`;
  const resource = { [path]: { get: getItem(operation, example, context) } };
  if (!isPaged(operation)) return resource;
  return { ...resource, [`${path}/{cursor}.json`]: { get: await pageItem(operation, context) } };
}

/** Responses shared by every operation; those of 400 with real responses as examples. */
export async function responseComponents(operations: Operation[], context: Context): Promise<JsonObject> {
  const shown = await refusals(operations, context);
  const faults = faultsByStatus().map(([status, codes]) => [
    componentOf(codes),
    faultResponse(status, codes, status === 400 ? shown : {}),
  ]);
  return {
    ...Object.fromEntries(faults),
    NotModified: { description: about.notModified, headers: headersOf(304) },
  };
}

/** The path items of the downloads of a resource. */
export function downloadPaths(operation: Operation, example: OperationExample, context: Context): JsonObject {
  const items = DOWNLOAD_FORMS.map((form): [string, JsonObject] => {
    const { summary, description } = about.downloads[form];
    const success = {
      description: `${summary}.`,
      headers: { ...headersOf(200), 'Content-Disposition': about.downloads.disposition },
      content: { [mediaTypeOf('.csv')]: { schema: { type: 'string' } } },
    };
    const get = {
      operationId: `download_${operation.name}_${form}`.replaceAll(/[-.]/g, '_'),
      summary: `${summary}: ${operation.name}`,
      description,
      tags: ['Downloads'],
      parameters: queryParameters(operation, example),
      responses: responses(success, operation, context),
    };
    return [`/download/${operation.name}.${form}`, { get }];
  });
  return Object.fromEntries(items);
}

function queryParameters(operation: Operation, example: OperationExample): JsonObject[] {
  const values = parameterExamples(operation, example);
  return operation.parameters.map((parameter) => ({
    name: parameter.name,
    in: 'query',
    description: parameter.description,
    required: false,
    ...(parameter.schema['minLength'] === 0 ? { allowEmptyValue: true } : {}),
    schema: parameter.schema,
    ...(values.has(parameter.name) ? { example: values.get(parameter.name) ?? null } : {}),
  }));
}

function getItem(operation: Operation, example: OperationExample, context: Context): JsonObject {
  const { name, summary } = operation;
  const schema = absolute(context.settings.siteUrl, payloadSchemaPath(name));
  const shown: JsonObject =
    example.status === 200
      ? { response: { summary: 'A real response, its lists cut short', value: example.body } }
      : {};
  const next = { operationId: operationId(operation), ...about.next };
  const success = {
    description: `${shortSummary(operation)}.`,
    headers: headersOf(200),
    ...jsonContent(schemaRef(`${componentName(name)}Response`), shown),
    ...(isPaged(operation) ? { links: { next } } : {}),
  };
  return {
    operationId: operationId(operation),
    summary: shortSummary(operation),
    description: `${summary}\n\nSchema of \`data\` alone: ${schema}`,
    tags: ['Resources'],
    parameters: queryParameters(operation, example),
    responses: responses(success, operation, context),
  };
}

/** The static pages: the example is the second one, the first that has a cursor in its name. */
async function pageItem(operation: Operation, context: Context): Promise<JsonObject> {
  const { name } = operation;
  const { body } = await responseTo(operation, {}, context);
  const cursor = memberAt(body, 'data.page.next_cursor') ?? null;
  const parameter = { ...about.cursor, ...(cursor === null ? {} : { example: cursor }) };
  const success = {
    description: 'The page.',
    headers: headersOf(200),
    ...jsonContent(schemaRef(`${componentName(name)}Response`)),
  };
  return {
    operationId: `${operationId(operation)}_page`,
    summary: `A further unfiltered page of ${name}, as a file`,
    description: `The same bytes as /${API_ROOT}/${name}?cursor={cursor}. A mirror of the files can be read without a server, from next_cursor to next_cursor.`,
    tags: ['Resources'],
    parameters: [parameter],
    responses: { ...responses(success, operation, context), ...partResponses('application/json') },
  };
}

function responses(success: JsonObject, operation: Operation, context: Context): JsonObject {
  const faults = faultsByStatus().map(([status, codes]) => [status, responseRef(componentOf(codes))]);
  return {
    200: success,
    304: responseRef('NotModified'),
    ...Object.fromEntries(faults),
    ...(ENVELOPED.has(operation.name) ? { 503: unavailableResponse(operation, context) } : {}),
  };
}

/** The 503 that carries a payload. */
function unavailableResponse(operation: Operation, context: Context): JsonObject {
  const { name: resource } = operation;
  const { code: error, message } = unavailable('The requested evidence');
  const data = operation.unavailable?.({}, context, message) ?? {};
  const value = { ok: false, resource, error, message, data };
  return {
    ...faultResponse(503, [error]),
    ...jsonContent(schemaRef(`${componentName(resource)}Unavailable`), {
      unavailable: { summary: 'No evidence is available', value },
    }),
  };
}

function faultResponse(status: number, codes: FaultCode[], examples: JsonObject = {}): JsonObject {
  const described = codes.map(
    (code) => `\`${code}\`: ${FAULT_MEANINGS[code].meaning} ${FAULT_MEANINGS[code].next}`,
  );
  const schema = {
    allOf: [schemaRef(API_ERROR), { type: 'object', properties: { error: { type: 'string', enum: codes } } }],
  };
  return {
    description: described.join('\n\n'),
    headers: headersOf(status),
    ...jsonContent(schema, examples),
  };
}

function componentOf([code = 'internal_error']: FaultCode[]): string {
  return FAULT_MEANINGS[code].response;
}

function jsonContent(schema: JsonObject, examples: JsonObject = {}): JsonObject {
  const shown = Object.keys(examples).length > 0 ? { examples } : {};
  return { content: { 'application/json': { schema, ...shown } } };
}

/** Real refusals of the first paged operation: a limit out of range, and a cursor of other data. */
async function refusals(operations: Operation[], context: Context): Promise<JsonObject> {
  const operation = operations.find(isPaged);
  if (!operation) return {};
  const { name } = operation;
  const otherCollection = collectionOf(name, [], context.release);
  const cursor = cursorsOf(context.release, otherCollection, {}).encode(1);
  const invalid = await responseTo(operation, { limit: 0 }, context);
  const stale = await responseTo(operation, { cursor }, context);
  return {
    invalid_request: { summary: `/${API_ROOT}/${name}?limit=0`, value: invalid.body },
    stale_cursor: { summary: `/${API_ROOT}/${name}?cursor=${cursor}`, value: stale.body },
  };
}
