/**
 * components: the schemas of payloads and bodies, the response headers, and what failures mean to a caller. The documentation
 * page reads the same tables (meanings.json).
 *
 * A payload, its success body and, where the operation has one, its unavailable body are schemas; so are the records of a
 * collection and the definitions of a payload, since "#/$defs" means nothing inside a description. They are made for generators
 * of clients: every list of values has its type, and conditions between members are left to the schemas under /schemas, since
 * generators cannot express them.
 */
import atlasRecord from '../../../schemas/atlas-record.schema.json' with { type: 'json' };
import entity from '../../../schemas/entity.schema.json' with { type: 'json' };
import observation from '../../../schemas/observation.schema.json' with { type: 'json' };
import revision from '../../../schemas/revision.schema.json' with { type: 'json' };
import { errorSchema, objectOf } from '../schemas.ts';
import { ENVELOPED } from '../../../shim/core/paths.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import { FAULTS, type FaultCode } from '../../../shim/core/faults.ts';
import { isObject } from '../../../shim/core/json.ts';
import type { JsonObject, JsonSchema, JsonValue, Operation } from '../../../shim/core/types.ts';
import about from './about.json' with { type: 'json' };
import meanings from './meanings.json' with { type: 'json' };

/**
 * What each failure means: the name of its response in OpenAPI's components (codes of one status share it), its meaning, and
 * what to do next. A code without a description does not compile.
 */
export const FAULT_MEANINGS: Record<
  FaultCode,
  Record<'response' | 'meaning' | 'next', string>
> = meanings.faults;

/** Every documented response header; one with a status is sent with that status alone. */
export const { headers: HEADERS } = meanings;

/** Codes that share a status, by status, ascending. */
export function faultsByStatus(): [status: number, codes: FaultCode[]][] {
  const codes = Object.keys(FAULTS) as FaultCode[];
  return [...groupedBy(codes, (code) => FAULTS[code].status)].sort(([a], [b]) => a - b);
}

/** components.headers. */
export function headerComponents(): JsonObject {
  const components = HEADERS.map((header) => {
    const { description, example } = header;
    return [headerName(header), { description, schema: { type: 'string' }, example }];
  });
  return Object.fromEntries(components) as JsonObject;
}

/** The headers of a response with this status, as references. */
export function headersOf(status: number): JsonObject {
  const had = HEADERS.filter((header) => header.status === undefined || header.status === status);
  const references = had.map((header) => [
    header.name,
    { $ref: `#/components/headers/${headerName(header)}` },
  ]);
  return Object.fromEntries(references) as JsonObject;
}

/** The responses to a Range of a file: a part of it, or none. */
export function partResponses(mediaType: string, headers: JsonObject = headersOf(206)): JsonObject {
  return {
    206: { description: about.partial, headers, content: { [mediaType]: {} } },
    416: {
      description: about.outside,
      headers,
      content: { 'application/json': { schema: schemaRef(API_ERROR) } },
    },
  };
}

/** A reference to a response of the components. */
export function responseRef(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}

/** `Cache-Control` -> `CacheControl`. */
function headerName({ name }: { name: string }): string {
  return name.replaceAll('-', '');
}

/** `market-observations` -> `MarketObservations`. */
export function componentName(resource: string): string {
  return resource.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A reference to a component schema. */
export function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name of the error's schema. */
export const API_ERROR = 'ApiError';

/** The records of a payload that are a component: the member that lists them, their name, and the schema that describes them. */
const RECORDS: Record<string, { member: string; name: string; described?: JsonSchema }> = {
  'market-observations': { member: 'observations', name: 'Observation', described: observation },
  atlas: { member: 'records', name: 'AtlasRecord', described: atlasRecord },
  entities: { member: 'records', name: 'Entity', described: entity },
  revisions: { member: 'revisions', name: 'Revision', described: revision },
  series: { member: 'series', name: 'Series' },
  editions: { member: 'editions', name: 'Edition' },
};

/** All component schemas of these operations. */
export function schemaComponents(operations: Operation[]): JsonObject {
  const { properties, ...error } = withoutDialect(errorSchema());
  const codes = { type: 'string', enum: Object.keys(FAULTS) };
  const components: JsonObject = {
    [API_ERROR]: typed({
      ...error,
      title: API_ERROR,
      properties: { ...(properties as JsonObject), error: codes },
    }),
  };
  for (const { name: resource, output } of operations) {
    const name = componentName(resource);
    const { $defs, ...payload } = withoutDialect(output);
    const { data, records } = separated(resource, lifted(payload, name) as JsonObject);
    Object.assign(components, records, { [`${name}Data`]: data });
    for (const [definition, schema] of Object.entries(($defs ?? {}) as JsonObject))
      components[definitionName(name, definition)] = lifted(schema, name);
    const body = { resource: { const: resource }, data: schemaRef(`${name}Data`) };
    components[`${name}Response`] = typed(
      objectOf(`Response of ${resource}`, { ok: { const: true }, ...body }),
    );
    if (!ENVELOPED.has(resource)) continue;
    const failure = { error: { const: 'unavailable' }, message: { type: 'string', minLength: 1 } };
    components[`${name}Unavailable`] = typed({
      ...objectOf(`Unavailable response of ${resource}`, { ok: { const: false }, ...failure, ...body }),
      description:
        'The evidence cannot be given now; data is a complete payload whose status is unavailable.',
    });
  }
  return components;
}

/** A payload that refers to its records, and their schema by name. */
function separated(resource: string, payload: JsonObject): { data: JsonObject; records: JsonObject } {
  const found = RECORDS[resource];
  const properties = (payload['properties'] ?? {}) as JsonObject;
  if (!found) return { data: payload, records: {} };
  const list = properties[found.member] as JsonObject;
  const items = { title: found.name, ...describedBy(list['items'] as JsonObject, found.described) };
  const members = { ...properties, [found.member]: { ...list, items: schemaRef(found.name) } };
  return { data: { ...payload, properties: members }, records: { [found.name]: items } };
}

/** A schema with the descriptions that another has of the same members: payloads leave them out to be short. */
function describedBy(schema: JsonObject, other: JsonSchema | undefined): JsonObject {
  const known = other?.['description'];
  const described =
    schema['description'] === undefined && known !== undefined ? { ...schema, description: known } : schema;
  const properties = described['properties'] as Record<string, JsonObject> | undefined;
  const others = other?.['properties'] as Record<string, JsonSchema> | undefined;
  if (!properties || !others) return described as JsonObject;
  const members = Object.entries(properties).map(([name, member]) => [
    name,
    describedBy(member, others[name]),
  ]);
  return { ...described, properties: Object.fromEntries(members) } as JsonObject;
}

/** `MarketsSource`: a definition of a payload among the components. */
function definitionName(name: string, definition: string): string {
  return `${name}${definition.charAt(0).toUpperCase()}${definition.slice(1)}`;
}

/**
 * A schema with its references moved to the components. Objects whose members are free say so: tools that check examples
 * take silence for "no other members".
 */
function lifted(schema: JsonValue, name: string): JsonValue {
  const text = JSON.stringify(schema, (key, member: JsonValue) => {
    if (key === '$ref' && typeof member === 'string') {
      const [, definition] = /^#\/\$defs\/(.+)$/.exec(member) ?? [];
      return definition ? `#/components/schemas/${definitionName(name, definition)}` : member;
    }
    if (!isObject(member)) return member;
    const plain = key === 'properties' ? member : unconditional(member);
    return [plain['type']].flat().includes('object') ? { additionalProperties: true, ...plain } : plain;
  });
  return typed(JSON.parse(text) as JsonValue);
}

/** A schema without conditions between its members or items. A choice (anyOf, oneOf) is kept only where the schema states no type. */
function unconditional(schema: JsonObject): JsonObject {
  const {
    if: _if,
    then: _then,
    else: _else,
    allOf: _all,
    contains: _contains,
    propertyNames: _names,
    ...rest
  } = schema;
  if (rest['type'] === undefined) return rest;
  const { anyOf: _any, oneOf: _one, ...plain } = rest;
  return plain;
}

/** A schema in which every enum and const has the type of its values; null is a choice of its own. */
function typed<Schema extends JsonValue>(schema: Schema): Schema {
  const text = JSON.stringify(schema, (key, member: JsonValue) => {
    if (!isObject(member) || key === 'properties') return member;
    const { enum: values, const: only, ...rest } = member;
    // A fixed list becomes a list of these values, because no generator has a type for it.
    if (Array.isArray(only)) return { ...rest, type: 'array', items: listOf(only) };
    if (only !== undefined) return { ...rest, type: listOf([only])['type'] ?? 'null', const: only };
    if (!Array.isArray(values)) return member;
    const some = values.filter((value) => value !== null);
    const list = listOf(some);
    return some.length === values.length
      ? { ...rest, ...list }
      : { ...rest, anyOf: [list, { type: 'null' }] };
  });
  return JSON.parse(text) as Schema;
}

/** The schema of one of these values, all of one type. */
function listOf(values: JsonValue[]): JsonObject {
  return { type: values.every(Number.isInteger) ? 'integer' : typeof values[0], enum: values };
}

function withoutDialect({ $schema: _dialect, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
