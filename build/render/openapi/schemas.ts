/**
 * components.schemas: the payload of every operation, its success body and, where the operation has one, its unavailable
 * body. Definitions of a payload become components of their own, since "#/$defs" means nothing inside a description.
 */
import { ENVELOPED } from '../../../shim/core/envelope.ts';
import type { Operation } from '../../../shim/core/operation.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../../../shim/core/types.ts';
import { errorSchema, responseSchema } from '../discovery/schemas.ts';

/** `market-observations` -> `MarketObservations`. */
export function componentName(resource: string): string {
  return resource.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A reference to a component schema. */
export function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** All component schemas of these operations. */
export function schemaComponents(operations: Operation[]): JsonObject {
  const components: JsonObject = { Error: withoutDialect(errorSchema()) };
  for (const operation of operations) {
    const name = componentName(operation.name);
    const { $defs, ...payload } = withoutDialect(operation.output);
    components[name] = lifted(payload, name);
    for (const [definition, schema] of Object.entries(($defs ?? {}) as JsonObject))
      components[definitionName(name, definition)] = lifted(schema, name);
    components[`${name}Response`] = bodySchema(operation, schemaRef(name));
    if (ENVELOPED.has(operation.name))
      components[`${name}Unavailable`] = unavailableSchema(operation, schemaRef(name));
  }
  return components;
}

function bodySchema(operation: Operation, payload: JsonObject): JsonObject {
  const { $defs: _lifted, properties, ...rest } = withoutDialect(responseSchema(operation));
  return { ...rest, properties: { ...(properties as JsonObject), data: payload } };
}

function unavailableSchema({ name }: Operation, payload: JsonObject): JsonObject {
  return {
    title: `Unavailable answer of ${name}`,
    description: 'The evidence cannot be given now; data is a complete payload whose status is unavailable.',
    type: 'object',
    properties: {
      ok: { const: false },
      resource: { const: name },
      error: { const: 'unavailable' },
      message: { type: 'string', minLength: 1 },
      data: payload,
    },
    required: ['ok', 'resource', 'error', 'message', 'data'],
    additionalProperties: false,
  };
}

function definitionName(name: string, definition: string): string {
  return `${name}${definition.charAt(0).toUpperCase()}${definition.slice(1)}`;
}

/**
 * A schema with its references moved to the components. Objects whose members are free, and branches that name a few
 * members, say so: tools that check examples take silence for "no other members".
 */
function lifted(value: JsonValue, name: string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => lifted(item, name));
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const definition =
        key === '$ref' && typeof member === 'string' ? /^#\/\$defs\/(.+)$/.exec(member)?.[1] : null;
      return definition
        ? [key, `#/components/schemas/${definitionName(name, definition)}`]
        : [key, BRANCHES.has(key) ? open(lifted(member, name)) : lifted(member, name)];
    }),
  );
  return isFreeObject(schema) ? { ...schema, additionalProperties: true } : schema;
}

const BRANCHES = new Set(['then', 'else']);

function open(branch: JsonValue): JsonValue {
  return typeof branch === 'object' && branch !== null && !Array.isArray(branch)
    ? { additionalProperties: true, ...branch }
    : branch;
}

function isFreeObject({ type, additionalProperties }: JsonObject): boolean {
  return (
    additionalProperties === undefined &&
    (type === 'object' || (Array.isArray(type) && type.includes('object')))
  );
}

function withoutDialect({ $schema: _dialect, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
