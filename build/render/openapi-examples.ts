/**
 * Examples of the description: real answers, asked for through the same call that answers requests. A collection is asked
 * for one record; other payloads have their lists cut to as few entries as their schema allows. The build has no upstream
 * to ask, so what a live resource shows is what the packaged data alone can answer.
 */
import { call } from '../../shim/core/call.ts';
import type { Input, Operation } from '../../shim/core/operation.ts';
import type { Context, JsonObject, JsonSchema, JsonValue } from '../../shim/core/types.ts';

/** What an operation answered: its HTTP status and its body. */
export interface OperationExample {
  status: number;
  body: JsonObject;
}

/** Asks for one record. Throws where the answer is a failure nobody expects. */
export async function operationExample(operation: Operation, context: Context): Promise<OperationExample> {
  const paged = operation.parameters.some(({ name }) => name === 'limit');
  const example = await answer(
    operation,
    { ...SHOWN[operation.name], ...(paged ? { limit: 1 } : {}) },
    context,
  );
  if (example.status === 200 && !paged)
    example.body['data'] = cut(example.body['data'] ?? null, operation.output, operation.output);
  if (example.status !== 200 && example.status !== 503)
    throw new Error(`${operation.name} answered ${example.status}: ${JSON.stringify(example.body)}`);
  return example;
}

/** The body and status of any call. */
export async function answer(
  operation: Operation,
  input: Input,
  context: Context,
): Promise<OperationExample> {
  const { status, body } = await call(operation, input, context, () => undefined);
  return { status, body: JSON.parse(new TextDecoder().decode(body)) as JsonObject };
}

/** A real value for each parameter: its default, its first choice, or what the record of the example has. */
export function parameterExamples(
  { parameters }: Operation,
  example: OperationExample,
): Map<string, JsonValue> {
  const data = example.body['data'] ?? null;
  const shown = new Map<string, JsonValue>();
  for (const { name, schema } of parameters) {
    const found = schema['default'] ?? firstOf(schema['enum']) ?? inRecord(name, data);
    if (found !== undefined && found !== null) shown.set(name, found);
  }
  return shown;
}

/** Filters an example is asked with: no person is the example of a designation, no large lane that of the federation. */
const SHOWN: Record<string, Input> = {
  entities: { entity_type: 'organization' },
  federation: { lane: 'producerp-newswire-rights' },
};

/** Where the value of a parameter stands in a payload. */
const IN_PAYLOAD: Record<string, string[]> = {
  dataset: ['observations', '0', 'datasetId'],
  indicator: ['observations', '0', 'indicatorId'],
  geo: ['observations', '0', 'geoCode'],
  category: ['observations', '0', 'category'],
  subgroup: ['observations', '0', 'subgroup'],
  from: ['observations', '0', 'period'],
  to: ['observations', '0', 'period'],
  iso3: ['records', '0', 'data', 'iso3'],
  year: ['records', '0', 'data', 'year'],
  country: ['records', '0', 'countries', '0'],
  query: ['records', '0', 'name'],
  cursor: ['page', 'next_cursor'],
};

function inRecord(name: string, payload: JsonValue): JsonValue | undefined {
  let value: JsonValue | undefined = payload;
  for (const step of IN_PAYLOAD[name] ?? ['']) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Array.isArray(value) ? value[Number(step)] : value[step];
  }
  return value;
}

function firstOf(values: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(values) ? values[0] : undefined;
}

/** A value with its lists cut to one entry, or as many as `minItems` asks for. */
function cut(value: JsonValue, schema: JsonSchema, root: JsonSchema): JsonValue {
  const known = resolved(schema, root);
  if (Array.isArray(value)) {
    const least = Math.max(1, typeof known['minItems'] === 'number' ? known['minItems'] : 0);
    return value.slice(0, least).map((item) => cut(item, (known['items'] ?? {}) as JsonSchema, root));
  }
  if (typeof value !== 'object' || value === null) return value;
  const properties = known['properties'] as JsonObject | undefined;
  const members = Object.entries(value);
  return Object.fromEntries(
    (properties ? members : members.slice(0, SHOWN_MEMBERS)).map(([name, member]) => [
      name,
      cut(member, (properties?.[name] ?? {}) as JsonSchema, root),
    ]),
  );
}

/** Members shown of an object whose members are not named by its schema. */
const SHOWN_MEMBERS = 3;

function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const definition =
    typeof schema['$ref'] === 'string' ? /^#\/\$defs\/(.+)$/.exec(schema['$ref'])?.[1] : undefined;
  return definition ? (((root['$defs'] ?? {}) as JsonObject)[definition] as JsonSchema) : schema;
}
