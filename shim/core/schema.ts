/**
 * JSON Schema 2020-12 validation, and the only importer of ajv in the shim. Compiling takes milliseconds, so a schema is
 * compiled once, on first use; the server's bundle replaces this file with validators compiled at build time.
 */
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema } from './types.ts';

/** One violation: where (JSON pointer), which keyword, and its parameters. */
export interface Violation {
  instancePath: string;
  keyword: string;
  params: { [name: string]: unknown };
  message?: string | undefined;
}

/** Null when the value is valid, else every violation. */
export type Validator = (value: unknown) => Violation[] | null;

const known = new WeakMap<JsonSchema, Validator>();

/** The validator of a schema; the same object compiles once. */
export function validator(schema: JsonSchema): Validator {
  const found = known.get(schema);
  if (found) return found;
  let compiled: ValidateFunction | null = null;
  const validate: Validator = (value) => {
    compiled ??= compile(schema);
    return compiled(value) ? null : (compiled.errors ?? []);
  };
  known.set(schema, validate);
  return validate;
}

let shared: Ajv2020 | null = null;

/**
 * Compiles with one shared instance, which then forgets the schema, because two may have the same id. Only a test validates the
 * schemas themselves: compiling the meta-schema takes longer than compiling all of them.
 */
function compile(schema: JsonSchema): ValidateFunction {
  // Each validator checks few values: optimizing its code would take longer than it saves.
  shared ??= newAjv({ code: { optimize: false }, validateSchema: false });
  const compiled = shared.compile(schema);
  shared.removeSchema(schema);
  return compiled;
}

/** The one configuration of ajv: every violation, strict about schemas, formats asserted; `output` says how code is written. */
export function newAjv(
  output: Pick<Options, 'code' | 'inlineRefs' | 'messages' | 'validateSchema'> = {},
): Ajv2020 {
  const ajv = new Ajv2020({
    ...output,
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
  });
  addFormats.default(ajv);
  // The position of a field in records.csv: nothing to validate.
  ajv.addKeyword('x-csv');
  return ajv;
}
