/**
 * Raw arguments -> validated input, the same for every transport. A query string gives text, which is read by the parameter's
 * type and never clamped or coerced; MCP gives JSON values. What does not fit is invalid_request, naming the parameter, its
 * value and what is expected.
 */
import { Fault, invalidParameter, quoted } from './faults.ts';
import type { Input, Operation } from './operation.ts';
import { validator, type Violation } from './schema.ts';
import type { JsonObject, JsonSchema } from './types.ts';

/** Arguments as a transport received them. */
export type RawInput = { [name: string]: unknown };

/** By operation, of which there are as many as resources: a schema is compiled once for each object. */
const inputSchemas = new Map<Operation, JsonSchema>();

/** The JSON Schema of an operation's arguments: also the tool's input schema. */
export function inputSchema(operation: Operation): JsonSchema {
  const known = inputSchemas.get(operation);
  if (known) return known;
  const properties: JsonObject = {};
  for (const { name, description, schema } of operation.parameters)
    properties[name] = { ...schema, description };
  const made: JsonSchema = { type: 'object', properties, additionalProperties: false };
  inputSchemas.set(operation, made);
  return made;
}

/** Reads a query string into raw input: percent-decoded UTF-8, no parameter twice, numbers where the schema says integer. */
export function readQuery(operation: Operation, search: string): RawInput {
  const input: RawInput = {};
  const query = search.startsWith('?') ? search.slice(1) : search;
  if (query === '') return input;
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals), 'A parameter name');
    const parameter = operation.parameters.find((candidate) => candidate.name === name);
    if (!parameter) throw unknownParameter(operation, name);
    if (Object.hasOwn(input, name))
      throw new Fault('invalid_request', `Parameter "${name}" was given more than once.`);
    const text = decoded(equals < 0 ? '' : pair.slice(equals + 1), `The value of parameter "${name}"`);
    if (parameter.schema['type'] !== 'integer') input[name] = text;
    else if (/^(0|-?[1-9][0-9]{0,14})$/.test(text)) input[name] = Number(text);
    else throw invalidParameter(name, text, parameter.accepts);
  }
  return input;
}

/** Validates raw input; returns it typed. Defaults are not filled in: operations know theirs. */
export function readInput(operation: Operation, raw: RawInput): Input {
  const violations = validator(inputSchema(operation))(raw);
  const [first] = violations ?? [];
  if (first) throw explained(operation, raw, first);
  for (const name in raw) {
    const value = raw[name];
    if (typeof value !== 'string') continue;
    if (value.includes('\0')) throw invalidParameter(name, value, 'text without NUL');
    // The first expression is the cheap one: most text has no surrogates at all, and well-formed text none left alone.
    if (/[\ud800-\udfff]/.test(value) && /\p{Surrogate}/u.test(value))
      throw invalidParameter(name, value, 'well-formed Unicode text');
  }
  return raw as Input;
}

function explained(operation: Operation, raw: RawInput, violation: Violation): Fault {
  if (violation.instancePath === '') {
    if (violation.keyword === 'additionalProperties')
      return unknownParameter(operation, String(violation.params['additionalProperty']));
    return new Fault(
      'invalid_request',
      `The arguments must be an object; its members may be ${namesOf(operation)}.`,
    );
  }
  const name = violation.instancePath.slice(1);
  const parameter = operation.parameters.find((candidate) => candidate.name === name);
  return invalidParameter(name, raw[name], parameter?.accepts ?? 'another value');
}

function unknownParameter(operation: Operation, name: string): Fault {
  return new Fault(
    'invalid_request',
    `Unknown parameter ${quoted(name)}; ${operation.name} accepts ${namesOf(operation)}.`,
  );
}

function namesOf(operation: Operation): string {
  return operation.parameters.length === 0
    ? 'none'
    : operation.parameters.map(({ name }) => `"${name}"`).join(', ');
}

/** Percent-decoded text; decodeURIComponent refuses what is not UTF-8. */
function decoded(text: string, what: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new Fault('invalid_request', `${what} is not valid percent-encoded UTF-8: ${quoted(text)}.`, {
      cause,
    });
  }
}
