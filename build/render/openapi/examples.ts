/**
 * Examples of the description: real answers, asked for through the same call that answers requests. A collection is asked
 * for one record; other payloads have their lists cut to as few entries as their schema allows. The build has no upstream
 * to ask, so what a live resource shows is what the packaged data alone can answer.
 */
import { call } from '../../../shim/core/call.ts';
import { written } from '../../../shim/core/envelope.ts';
import type { Input, Operation } from '../../../shim/core/operation.ts';
import type { Context, JsonObject, JsonSchema, JsonValue } from '../../../shim/core/types.ts';

/** What an operation answered: its HTTP status and its body. */
export interface OperationExample {
  status: number;
  body: JsonObject;
}

/** Asks for one record. Throws where the answer is a failure nobody expects. */
async function operationExample(operation: Operation, context: Context): Promise<OperationExample> {
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
  const { status, body } = written(operation.name, await call(operation, input, context, () => undefined));
  return { status, body: JSON.parse(new TextDecoder().decode(body)) as JsonObject };
}

/** A real value for each parameter: what the record of the example has, else its default or its first choice. */
export function parameterExamples(
  { parameters }: Operation,
  example: OperationExample,
): Map<string, JsonValue> {
  const data = example.body['data'] ?? null;
  const shown = new Map<string, JsonValue>();
  for (const { name, schema } of parameters) {
    const found =
      memberOf(data, ...(IN_PAYLOAD[name] ?? [''])) ?? schema['default'] ?? firstOf(schema['enum']);
    if (found !== undefined && found !== null) shown.set(name, found);
  }
  return shown;
}

/** A query that finds the record of the example: its first three filters. Without `?`; empty where there are none. */
export function exampleQuery(operation: Operation, example: OperationExample): string {
  const values = [...parameterExamples(operation, example)].filter(
    ([name]) => name !== 'limit' && name !== 'cursor',
  );
  return values
    .slice(0, 3)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
}

/** Examples of all operations by name. */
export async function operationExamples(
  operations: Operation[],
  context: Context,
): Promise<Map<string, OperationExample>> {
  const examples = new Map<string, OperationExample>();
  for (const operation of operations)
    examples.set(operation.name, await operationExample(operation, context));
  return examples;
}

/** A member of a JSON value by its steps; undefined where there is none. */
export function memberOf(value: JsonValue | undefined, ...steps: string[]): JsonValue | undefined {
  let found = value;
  for (const step of steps) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Array.isArray(found) ? found[Number(step)] : found[step];
  }
  return found;
}

/** Filters an example is asked with: no person is the example of a designation, no large lane that of the federation. */
const SHOWN: Record<string, Input> = {
  entities: { entity_type: 'organization' },
  federation: { lane: 'producerp-newswire-rights' },
};

/** Where the value of a parameter stands in a payload. */
const IN_PAYLOAD: Record<string, string[]> = {
  domain: ['records', '0', 'domain'],
  lane: ['query', 'lane'],
  entity_type: ['records', '0', 'entity_type'],
  program: ['records', '0', 'programs', '0'],
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

function firstOf(values: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(values) ? values[0] : undefined;
}

/** A value with its lists cut to one entry, or as many as `minItems` asks for. What the schema does not describe stays whole. */
function cut(value: JsonValue, schema: JsonSchema | undefined, root: JsonSchema): JsonValue {
  if (typeof value !== 'object' || value === null || schema === undefined) return value;
  const known = resolved(schema, root);
  if (Array.isArray(value)) {
    if (known['items'] === undefined) return value;
    const least = typeof known['minItems'] === 'number' ? known['minItems'] : 1;
    return value.slice(0, Math.max(1, least)).map((item) => cut(item, subSchema(known, 'items'), root));
  }
  const properties = subSchema(known, 'properties');
  const others = subSchema(known, 'additionalProperties');
  const members = Object.entries(value);
  const kept = properties === undefined && others !== undefined ? members.slice(0, SHOWN_MEMBERS) : members;
  return Object.fromEntries(
    kept.map(([name, member]) => [name, cut(member, subSchema(properties ?? {}, name) ?? others, root)]),
  );
}

/** Members shown of a map. */
const SHOWN_MEMBERS = 3;

/** A schema behind its reference; of alternatives the one that describes something. */
function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const definition =
    typeof schema['$ref'] === 'string' ? /^#\/\$defs\/(.+)$/.exec(schema['$ref'])?.[1] : undefined;
  const target = definition === undefined ? undefined : subSchema(subSchema(root, '$defs') ?? {}, definition);
  if (target) return resolved(target, root);
  const branches = Array.isArray(schema['anyOf']) ? (schema['anyOf'] as JsonSchema[]) : [];
  const telling = branches
    .map((branch) => resolved(branch, root))
    .find((branch) => branch['type'] !== 'null');
  return telling ?? schema;
}

function subSchema(schema: JsonSchema, keyword: string): JsonSchema | undefined {
  const found = schema[keyword];
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : undefined;
}
