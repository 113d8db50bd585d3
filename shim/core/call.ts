/**
 * The one way into an operation, for every transport: read the arguments, validate, run, and return a Result. It never
 * throws: an expected Fault is returned as it is, anything else is handed to `report` and returned as a masked
 * `internal_error`. A query string gives text, which is read by the parameter's type and never clamped or coerced; MCP gives
 * JSON values. The payload of an unavailable response is decided here too; a transport only serializes it.
 */
import { Fault, internalFault, invalidParameter, quoted } from './faults.ts';
import { closestPlaces } from './known-values.ts';
import otherNames from './parameter-names.json' with { type: 'json' };
import { validator, type Violation } from './schema.ts';
import type {
  Context,
  Input,
  JsonObject,
  JsonSchema,
  Operation,
  Parameter,
  Payload,
  Release,
} from './types.ts';
import { candidateOf, closestHint, closestOf, nearest, SAME, STRONG } from './words.ts';

/** The result of a call: a payload, or the fault that says why there is none. */
export type Result = Success | Failure;

/** `next` is the `next_cursor` of a page. `missing` is the error that keeps some evidence out of the payload for now, if any. */
export interface Success {
  ok: true;
  payload: Payload;
  next: string | null;
  missing: Error | null;
}

/** `data` is the schema-valid payload of an unavailable response; null for operations that have none. */
export interface Failure {
  ok: false;
  fault: Fault;
  data: JsonObject | null;
}

/** Receives the errors that are masked as internal_error, and those that make evidence unavailable. */
export type Report = (error: unknown) => void;

/** Runs one call. Operations over packaged data return their result, live ones a promise of it. */
export function call(
  operation: Operation,
  raw: RawInput | (() => RawInput),
  context: Context,
  report: Report,
): Result | Promise<Result> {
  let input: Input = {};
  const failed = (error: unknown): Failure => {
    const fault = error instanceof Fault ? error : internalFault();
    const isUnavailable = fault.code === 'unavailable';
    if (fault !== error || isUnavailable) report(error);
    const data = isUnavailable ? unavailableData(operation, input, context, fault, report) : null;
    return { ok: false, fault, data };
  };
  try {
    input = readInput(operation, typeof raw === 'function' ? raw() : raw, context);
    const { payload, missing } = runOperation(operation, input, context);
    return payload instanceof Promise
      ? payload.then((given) => success(given, null)).catch(failed)
      : success(payload, missing);
  } catch (error) {
    return failed(error);
  }
}

/** The same for an operation over packaged data. */
export function callNow(...given: Parameters<typeof call>): Result {
  const result = call(...given);
  if (result instanceof Promise) throw new Error('an operation over packaged data returned a promise');
  return result;
}

/** The payload of one run, and the error that keeps some evidence out of it, if any. */
interface RunResult extends Pick<Success, 'missing'> {
  payload: ReturnType<Operation['run']>;
}

/**
 * Runs an operation, and runs it again with the newest release where some evidence could not be read: its files may have been replaced
 * a moment ago. Where it is damaged, most operations answer without it.
 */
function runOperation(operation: Operation, input: Input, context: Context): RunResult {
  const { settings, federation, most, settled: far } = context;
  // All of a response comes from the same data.
  const run = (release: Release): RunResult => {
    let missing: Error | null = null;
    const missed = (why: Error): void => void (missing = why);
    return {
      payload: operation.run(input, { settings, release, federation, most, settled: far, missed }),
      missing,
    };
  };
  return ofNewest(context, run, ({ missing }) => missing === null);
}

/**
 * The result of `run` with the release of a context. Where that throws unavailable or is not whole, `run` is called again with the
 * release that may have replaced it meanwhile.
 */
export function ofNewest<T>(
  context: Pick<Context, 'release'>,
  run: (release: Release) => T,
  isWhole: (given: T) => boolean = () => true,
): T {
  const { release } = context;
  try {
    const given = run(release);
    return isWhole(given) || context.release === release ? given : run(context.release);
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'unavailable')) throw error;
    return run(context.release);
  }
}

/** The result of `run`; a promise of it where the release is remote and files have to be fetched. `run` may be called repeatedly. */
export function settled<T>({ settled: far }: Pick<Context, 'settled'>, run: () => T): T | Promise<T> {
  return far ? far(run) : run();
}

function success(payload: Payload, missing: Success['missing']): Success {
  const page = payload['page'];
  const cursor =
    typeof page === 'object' && page !== null && !Array.isArray(page) ? page['next_cursor'] : null;
  const next = typeof cursor === 'string' ? cursor : null;
  return { ok: true, payload, next, missing };
}

/** The payload of an unavailable response; null for operations that have none. */
export function unavailableData(
  operation: Operation,
  input: Input,
  context: Context,
  { message, payload }: Fault,
  report: Report,
): JsonObject | null {
  try {
    return payload ?? operation.unavailable?.(input, context, message) ?? null;
  } catch (another) {
    report(another);
    return null;
  }
}

/** Arguments as a transport received them. */
export type RawInput = { [name: string]: unknown };

/** The input schemas made so far. They are kept because the validator compiles each schema object once. */
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

/** Reads a query string into raw input: percent-decoded UTF-8, no parameter twice, numbers where the schema says integer; other text is left to `readInput`. */
export function readQuery(operation: Operation, search: string): RawInput {
  const input: RawInput = {};
  const query = search.startsWith('?') ? search.slice(1) : search;
  if (query === '') return input;
  const known = parametersOf(operation);
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const given = decoded(equals < 0 ? pair : pair.slice(0, equals));
    const parameter = known.get(given);
    if (!parameter) throw unknownParameter(operation, given);
    const { name } = parameter;
    const text = decoded(equals < 0 ? '' : pair.slice(equals + 1), name);
    if (input[name] !== undefined)
      throw new Fault(
        'invalid_request',
        `Parameter "${name}" was given more than once. It accepts ${parameter.accepts}, one value; it got ${quoted(String(input[name]))} and ${quoted(text)}.`,
      );
    const isInteger = parameter.schema['type'] === 'integer' && /^(0|-?[1-9][0-9]{0,14})$/.test(text);
    input[name] = isInteger ? Number(text) : text;
  }
  return input;
}

/** The parameters of each operation by name, made on first use. */
const parametersByName = new Map<Operation, Map<string, Parameter>>();

function parametersOf(operation: Operation): Map<string, Parameter> {
  const known = parametersByName.get(operation);
  if (known) return known;
  const made = new Map(operation.parameters.map((parameter) => [parameter.name, parameter]));
  parametersByName.set(operation, made);
  return made;
}

/** Validates raw input and returns it typed. Throws invalid_request. Defaults are not filled in: each operation applies its own. */
export function readInput(operation: Operation, raw: RawInput, context?: Pick<Context, 'release'>): Input {
  const violations = validator(inputSchema(operation))(raw);
  const [first] = violations ?? [];
  if (first) throw explained(operation, raw, first, context);
  for (const name in raw) {
    const value = raw[name];
    if (typeof value !== 'string') continue;
    if (value.includes('\0')) throw invalidParameter(name, value, 'text without NUL');
    // The cheap test comes first: most text has no surrogates at all. The second matches only unpaired ones.
    if (/[\ud800-\udfff]/.test(value) && /\p{Surrogate}/u.test(value))
      throw invalidParameter(name, value, 'well-formed Unicode text');
  }
  return raw as Input;
}

function explained(
  operation: Operation,
  raw: RawInput,
  violation: Violation,
  context: Pick<Context, 'release'> | undefined,
): Fault {
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
  const accepts = parameter?.accepts ?? 'another value';
  if (violation.keyword !== 'type') {
    const closest = parameter ? closestTo(raw[name], parameter, context?.release) : [];
    return invalidParameter(name, raw[name], `${accepts}${closestHint(closest)}`);
  }
  const instead = raw[name] === null ? '; leave it out instead of null' : '';
  return invalidParameter(
    name,
    raw[name],
    `${accepts} (JSON type ${String(parameter?.schema['type'])})${instead}`,
  );
}

/** The accepted values closest to a text, for parameters with a closed list of values and for countries. */
function closestTo(given: unknown, { name, schema }: Parameter, release: Release | undefined): string[] {
  if (typeof given !== 'string') return [];
  const choices = [schema['enum'] ?? []].flat().filter((choice) => typeof choice === 'string');
  if (choices.length > 0) return closestOf(given, choices);
  if (name !== 'iso3' || !release) return [];
  return closestPlaces(given, release).filter((code) => /^[A-Z]{3}$/.test(code));
}

function unknownParameter(operation: Operation, name: string): Fault {
  if (Object.hasOwn(operation.refused, name))
    return new Fault(
      'invalid_request',
      `${operation.name} does not accept parameter "${name}". ${operation.refused[name]} It accepts ${namesOf(operation)}.`,
    );
  return new Fault(
    'invalid_request',
    `Unknown parameter ${quoted(name)}; ${operation.name} accepts ${namesOf(operation)}${closestParameter(operation, name)}.`,
  );
}

/** Other words that people use for a parameter, by its name. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = otherNames;

/** Names the parameter that was probably meant: one with a similar name, else one that is known by that other word. */
function closestParameter({ parameters }: Operation, given: string): string {
  const own = parameters.map(({ name }) => candidateOf(name));
  const others = parameters.map(({ name }) => candidateOf(name, OTHER_NAMES[name] ?? []));
  const [closest] = [...nearest(given, own, STRONG), ...nearest(given, others, SAME)];
  return closest ? `; closest: "${closest.value}"` : '';
}

function namesOf(operation: Operation): string {
  return operation.parameters.length === 0
    ? 'none'
    : operation.parameters.map(({ name }) => `"${name}"`).join(', ');
}

/** Percent-decodes the value of `parameter`, or a parameter name. Throws invalid_request for anything but UTF-8. */
function decoded(text: string, parameter?: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    const what = parameter === undefined ? 'A parameter name' : `The value of parameter "${parameter}"`;
    throw new Fault('invalid_request', `${what} is not valid percent-encoded UTF-8: ${quoted(text)}.`, {
      cause,
    });
  }
}
