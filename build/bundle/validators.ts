/** Compiles every schema the server validates with to plain functions, so that a cold start compiles nothing. */
import standaloneCode from 'ajv/dist/standalone/index.js';
import { inputSchema } from '../../shim/core/call.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { newAjv } from '../../shim/core/schema.ts';
import type { JsonSchema } from '../../shim/core/types.ts';
import { sha256Hex } from '../../shim/store/release.ts';
import artifact from '../../schemas/svc-producerp-bri-v1.schema.json' with { type: 'json' };
import receipt from '../../schemas/producerp-newswire-receipt.schema.json' with { type: 'json' };
import moneyMarkets from '../../schemas/upstream-money-markets.schema.json' with { type: 'json' };
import worldMarkets from '../../schemas/upstream-world-markets.schema.json' with { type: 'json' };

/** The module that replaces shim/core/schema.ts in the bundle: validators looked up by the hash of their schema. */
export function validatorsModule(): string {
  const schemas: JsonSchema[] = [
    ...OPERATIONS.map((operation) => inputSchema(operation)),
    worldMarkets,
    moneyMarkets,
    artifact,
    receipt,
  ];
  // Size is start-up time: a shared definition is written once, and messages, which nobody reads, not at all.
  const ajv = newAjv({ code: { source: true, esm: true, lines: true }, inlineRefs: false, messages: false });
  const names: Record<string, string> = {};
  const keys: string[] = [];
  for (const [position, schema] of schemas.entries()) {
    const id = `validator-${position}`;
    ajv.addSchema({ ...schema, $id: id });
    names[`v${position}`] = id;
    keys.push(`[${JSON.stringify(sha256Hex(JSON.stringify(schema)))}, v${position}]`);
  }
  return `import { createHash } from 'node:crypto';
${shortened(standaloneCode.default(ajv, names))}
const compiled = new Map([${keys.join(',')}]);
const known = new WeakMap();
export function validator(schema) {
  const found = known.get(schema);
  if (found) return found;
  const check = compiled.get(createHash('sha256').update(JSON.stringify(schema)).digest('hex'));
  if (!check) throw new Error('a schema was not compiled into the bundle');
  const validate = (value) => (check(value) ? null : [...check.errors]);
  known.set(schema, validate);
  return validate;
}
`;
}

/**
 * The same code, shorter: calls without what no schema here looks at; errors without the path of their schema, which nobody
 * reads, and added in one statement; of a schema that is read only for the names of its properties, those alone.
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
