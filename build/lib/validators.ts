/** Compiles JSON Schemas to plain functions, so that a bundle carries no compiler and a cold start compiles nothing. */
import standaloneCode from 'ajv/dist/standalone/index.js';
import { schemaKey } from '../../shim/core/schema-key.ts';
import { newAjv } from '../../shim/core/schema.ts';
import type { JsonSchema } from '../../shim/core/types.ts';

/**
 * The module that replaces shim/core/schema.ts in a bundle: the validators of `schemas`, looked up by a hash of
 * their schema, in the form `inBundle` gives it.
 */
export function validatorsModule(
  schemas: readonly JsonSchema[],
  inBundle: (schema: JsonSchema) => JsonSchema = (schema) => schema,
): string {
  // Size is start-up time: a shared definition is written once, and messages, which are not read, not at all.
  const code = { source: true, esm: true, lines: true };
  const ajv = newAjv({ code, inlineRefs: false, messages: false, validateSchema: false });
  const names: Record<string, string> = {};
  const keys = new Map<number, string>();
  // Operations without parameters share one schema.
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values();
  for (const [position, schema] of [...different].entries()) {
    const id = `validator-${position}`;
    ajv.addSchema({ ...withoutDescriptions(schema), $id: id });
    names[`v${position}`] = id;
    const key = schemaKey(inBundle(schema));
    if (keys.has(key))
      throw new Error(
        'two schemas have the same key: give documents different titles, or schemaKey another multiplier',
      );
    keys.set(key, `v${position}`);
  }
  return `import { schemaKey } from './schema-key.ts';
${shortened(standaloneCode.default(ajv, names))}
const compiled = new Map([${[...keys].map(([key, name]) => `[${key}, ${name}]`).join(',')}]);
const known = new WeakMap();
export function validator(schema) {
  const found = known.get(schema);
  if (found) return found;
  const check = compiled.get(schemaKey(schema));
  if (!check) throw new Error('a schema was not compiled into the bundle');
  const validate = (value) => (check(value) ? null : [...check.errors]);
  known.set(schema, validate);
  return validate;
}
`;
}

/** A schema without its descriptions, which no validator reads; a property of this name is a schema, and stays. */
function withoutDescriptions(schema: JsonSchema): JsonSchema {
  const isText = (name: string, value: unknown): boolean =>
    name === 'description' && typeof value === 'string';
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (isText(name, value) ? undefined : value)),
  ) as JsonSchema;
}

/**
 * Shortens generated code: calls lose the arguments that no schema here uses; errors lose `schemaPath`, which nobody reads, and are
 * added in one statement; a schema that is read only for the names of its properties keeps only those.
 */
function shortened(code: string): string {
  const isNamesOnly = (schema: string): boolean =>
    [...code.matchAll(new RegExp(`\\b${schema}\\b(?! = )([.\\w]*)`, 'g'))].every(
      ([, path]) => path === '.properties',
    );
  return code
    .replaceAll(', parentData, parentDataProperty, rootData=data, dynamicAnchors={}', '')
    .replaceAll(/,parentData:\w+,parentDataProperty:(?:\w+|"(?:[^"\\]|\\.)*"),rootData,dynamicAnchors/g, '')
    .replaceAll(/,schemaPath:"(?:[^"\\]|\\.)*"/g, '')
    .replaceAll(
      /if\(vErrors === null\)\{\s*vErrors = \[(err\d+)\];\s*\}\s*else \{\s*vErrors\.push\(\1\);\s*\}/g,
      '(vErrors ??= []).push($1);',
    )
    .replaceAll(/^const (schema\d+) = (\{.*\});$/gm, (line, schema: string, text: string) => {
      if (!isNamesOnly(schema)) return line;
      const { properties = {} } = JSON.parse(text) as { properties?: object };
      const names = Object.fromEntries(Object.keys(properties).map((name) => [name, 0]));
      return `const ${schema} = ${JSON.stringify({ properties: names })};`;
    });
}
