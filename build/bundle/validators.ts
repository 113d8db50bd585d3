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
  // Size is start-up time: a shared definition is written once, messages and paths in schemas, which nobody reads, not at all.
  const ajv = newAjv({ code: { source: true, esm: true }, inlineRefs: false, messages: false });
  const names: Record<string, string> = {};
  const keys: string[] = [];
  for (const [position, schema] of schemas.entries()) {
    const id = `validator-${position}`;
    ajv.addSchema({ ...schema, $id: id });
    names[`v${position}`] = id;
    keys.push(`[${JSON.stringify(sha256Hex(JSON.stringify(schema)))}, v${position}]`);
  }
  const code = standaloneCode.default(ajv, names).replaceAll(/,schemaPath:"(?:[^"\\]|\\.)*"/g, '');
  return `import { createHash } from 'node:crypto';
${code}
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
