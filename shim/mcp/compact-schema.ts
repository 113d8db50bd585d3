/**
 * A JSON Schema in fewer bytes that accepts the same values: without the notes that people read, each repeated part written once
 * under `$defs`. Every client receives these schemas; the published ones have the notes. Making them takes a tenth of a second, so
 * a bundle of the server has the schemas of all tools in place of this file.
 */
import listings from './listings.json' with { type: 'json' };
import { isObject } from '../core/json.ts';
import type { JsonSchema, JsonValue, Operation } from '../core/types.ts';

/** The schema of an unavailable result, for tools whose payload cannot itself say unavailable. */
const PLAINLY_UNAVAILABLE: JsonSchema = listings.plainlyUnavailable;

/** Output schemas by operation: the same in every release. */
const outputSchemas = new Map<string, JsonSchema>();

/** The payload's schema, or either the payload or the plain unavailable object where the payload itself cannot say so. */
export function outputSchema({ name, output, unavailable }: Operation): JsonSchema {
  const known = outputSchemas.get(name);
  if (known) return known;
  const { $defs = {}, ...shape } = output;
  const made = compactSchema(unavailable ? output : { anyOf: [shape, PLAINLY_UNAVAILABLE], $defs });
  outputSchemas.set(name, made);
  return made;
}

/** Keywords that say nothing about which values are valid. */
const NOTES = new Set(['$schema', 'title', 'description']);
/** Keywords whose members are schemas by name. */
const NAMED = new Set(['properties', '$defs', 'patternProperties']);
/** Keywords that hold a schema or a list of them. */
const NESTED = new Set(
  'items prefixItems contains additionalProperties propertyNames anyOf oneOf allOf not if then else'.split(
    ' ',
  ),
);
/** Approximate bytes of a reference, and of an entry under `$defs`. */
const REFERENCE = 20;
const ENTRY = 6;

/** The short form of a schema that is not recursive and refers to nothing but its own `$defs`. */
export function compactSchema(schema: JsonSchema): JsonSchema {
  const { $defs: known, ...root } = withoutNotes(schema);
  const defs: Record<string, JsonSchema> = {};
  let rest = mapped(inlined(root, (known ?? {}) as Record<string, JsonSchema>), nullable);
  for (;;) {
    const repeated = costliest([rest, ...Object.values(defs)]);
    if (repeated === null) break;
    const name = Object.keys(defs).length.toString(36);
    const replaced = (each: JsonSchema): JsonSchema =>
      mapped(each, (part) => (textOf(part) === repeated ? { $ref: `#/$defs/${name}` } : part));
    rest = replaced(rest);
    for (const [earlier, each] of Object.entries(defs)) defs[earlier] = replaced(each);
    defs[name] = JSON.parse(repeated) as JsonSchema;
  }
  return Object.keys(defs).length === 0 ? rest : { ...rest, $defs: defs };
}

/** Removes notes. Descriptions of the members of an open object stay: nothing else says what these members are. */
function withoutNotes(schema: JsonSchema, isKept = false): JsonSchema {
  const isOpen = schema['type'] === 'object' && schema['additionalProperties'] === undefined;
  const shown = Object.entries(schema).filter(([keyword]) => isKept || !NOTES.has(keyword));
  return children(Object.fromEntries(shown), (part, keyword) =>
    withoutNotes(part, isOpen && keyword === 'properties'),
  );
}

function inlined(schema: JsonSchema, defs: Record<string, JsonSchema>): JsonSchema {
  const { $ref, ...others } = schema;
  const own = children(others, (part) => inlined(part, defs));
  if (typeof $ref !== 'string') return own;
  const referred = inlined(defs[$ref.slice('#/$defs/'.length)] ?? {}, defs);
  const clashes = Object.keys(own).some((keyword) => keyword in referred);
  return clashes ? { allOf: [referred, own] } : { ...referred, ...own };
}

/** "A string or null" as one schema: keywords about strings and numbers do not apply to null. */
function nullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...others } = schema;
  const [one, other, ...more] = Array.isArray(anyOf) ? anyOf : [];
  if (Object.keys(others).length > 0 || more.length > 0 || !isObject(one)) return schema;
  const { type, ...limits } = one;
  const isPlain = type === 'string' || type === 'integer' || type === 'number';
  const isClosed = 'enum' in limits || 'const' in limits;
  const isNull = JSON.stringify(other) === '{"type":"null"}';
  return isPlain && isNull && !isClosed ? { type: [type, 'null'], ...limits } : schema;
}

/** The repeated part that costs most, as JSON; null where nothing is gained. */
function costliest(schemas: JsonSchema[]): string | null {
  const counts = new Map<string, number>();
  for (const schema of schemas)
    mapped(schema, (part) => {
      const text = textOf(part);
      counts.set(text, (counts.get(text) ?? 0) + 1);
      return part;
    });
  let best: string | null = null;
  let most = 0;
  for (const [text, count] of counts) {
    const gain = (count - 1) * text.length - count * REFERENCE - ENTRY;
    if (count > 1 && gain > most) [best, most] = [text, gain];
  }
  return best;
}

/** Applies `change` to every part of a schema, the inner ones first. */
function mapped(schema: JsonSchema, change: (part: JsonSchema) => JsonSchema): JsonSchema {
  return children(schema, (part) => change(mapped(part, change)));
}

/** Applies `change` to the children of a schema. Where none changes, it is the same object, so that its cached text is found. */
function children(schema: JsonSchema, change: (part: JsonSchema, keyword: string) => JsonSchema): JsonSchema {
  let isChanged = false;
  const entries = Object.entries(schema).map(([keyword, value]): [string, JsonValue] => {
    const each = (part: JsonValue): JsonValue => {
      const made = isObject(part) ? change(part, keyword) : part;
      isChanged ||= made !== part;
      return made;
    };
    if (NAMED.has(keyword) && isObject(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, each(part)]))];
    if (!NESTED.has(keyword)) return [keyword, value];
    return [keyword, Array.isArray(value) ? value.map(each) : each(value)];
  });
  return isChanged ? Object.fromEntries(entries) : schema;
}

const texts = new WeakMap<JsonSchema, string>();

/** A part as JSON, serialized once. */
function textOf(part: JsonSchema): string {
  const known = texts.get(part) ?? JSON.stringify(part);
  texts.set(part, known);
  return known;
}
