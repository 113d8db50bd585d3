/**
 * components: the schemas of payloads and bodies, the response headers, and what failures mean to a caller. The documentation
 * page reads the same tables (meanings.json).
 *
 * A payload, its success body and, where the operation has one, its unavailable body are schemas. Definitions of a payload
 * become components of their own, since "#/$defs" means nothing inside a description.
 */
import { errorSchema, objectOf } from '../schemas.ts';
import { ENVELOPED } from '../../../shim/core/paths.ts';
import { FAULTS, type FaultCode } from '../../../shim/core/faults.ts';
import type { JsonObject, JsonSchema, JsonValue, Operation } from '../../../shim/core/types.ts';
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
  const statuses = new Map<number, FaultCode[]>();
  for (const code of Object.keys(FAULTS) as FaultCode[]) {
    const { status } = FAULTS[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return [...statuses].sort(([a], [b]) => a - b);
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

/** All component schemas of these operations. */
export function schemaComponents(operations: Operation[]): JsonObject {
  const components: JsonObject = { Error: withoutDialect(errorSchema()) };
  for (const { name: resource, output } of operations) {
    const name = componentName(resource);
    const { $defs, ...payload } = withoutDialect(output);
    components[name] = lifted(payload, name);
    for (const [definition, schema] of Object.entries(($defs ?? {}) as JsonObject))
      components[definitionName(name, definition)] = lifted(schema, name);
    const body = { resource: { const: resource }, data: schemaRef(name) };
    components[`${name}Response`] = objectOf(`Response of ${resource}`, { ok: { const: true }, ...body });
    if (!ENVELOPED.has(resource)) continue;
    const failure = { error: { const: 'unavailable' }, message: { type: 'string', minLength: 1 } };
    components[`${name}Unavailable`] = {
      ...objectOf(`Unavailable response of ${resource}`, { ok: { const: false }, ...failure, ...body }),
      description:
        'The evidence cannot be given now; data is a complete payload whose status is unavailable.',
    };
  }
  return components;
}

/** `MarketsSource`: a definition of a payload among the components. */
function definitionName(name: string, definition: string): string {
  return `${name}${definition.charAt(0).toUpperCase()}${definition.slice(1)}`;
}

/**
 * A schema with its references moved to the components. Objects whose members are free, and branches that name a few
 * members, say so: tools that check examples take silence for "no other members".
 */
function lifted(schema: JsonValue, name: string): JsonValue {
  const text = JSON.stringify(schema, (key, member: JsonValue) => {
    if (key === '$ref' && typeof member === 'string') {
      const [, definition] = /^#\/\$defs\/(.+)$/.exec(member) ?? [];
      return definition ? `#/components/schemas/${definitionName(name, definition)}` : member;
    }
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    const open = key === 'then' || key === 'else' || [member['type']].flat().includes('object');
    return open ? { additionalProperties: true, ...member } : member;
  });
  return JSON.parse(text) as JsonValue;
}

function withoutDialect({ $schema: _dialect, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
