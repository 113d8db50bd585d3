/**
 * The one way into an operation, for every transport: read the arguments, validate, run, and return a Result. It never
 * throws: an expected Fault is returned as it is, anything else is handed to `report` and returned as a masked
 * `internal_error`. A query string gives text, which is read by the parameter's type and never clamped or coerced; MCP gives
 * JSON values. What an unavailable response carries is decided here too; a transport only writes it down.
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
import { closestOf, nearest, SAME, spelling, STRONG, type Candidate } from './words.ts';

/** What an operation gave: a payload, or why there is none. */
export type Result = Success | Failure;

/** `next` is the `next_cursor` of a page; `missing` says why evidence is not in it that may be back soon, null where it is whole. */
export interface Success {
  ok: true;
  payload: Payload;
  next: string | null;
  missing: Error | null;
}

/** `data` is the schema-valid payload that says unavailable, of the operations that have one. */
export interface Failure {
  ok: false;
  fault: Fault;
  data: JsonObject | null;
}

/** Receives what was masked as internal_error, and the cause of what is unavailable. */
export type Report = (error: unknown) => void;

/** Runs one call. Operations over packaged data return at once, live ones a promise. */
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
    const { payload, missing } = runOf(operation, input, context);
    return payload instanceof Promise
      ? payload.then((given) => success(given, null)).catch(failed)
      : success(payload, missing);
  } catch (error) {
    return failed(error);
  }
}

/** The payload of a run, and the reason why evidence is missing from it. */
interface Ran extends Pick<Success, 'missing'> {
  payload: ReturnType<Operation['run']>;
}

/**
 * Evidence may be found damaged while it is read: from then on it is missing, which most operations answer without. Or it may have
 * been replaced a moment ago: then the release that took its place has it.
 */
function runOf(operation: Operation, input: Input, context: Context): Ran {
  const { settings, peers, most, settled: far } = context;
  // All of a response comes from the same data.
  const run = (release: Release): Ran => {
    let missing: Error | null = null;
    const missed = (why: Error): void => void (missing = why);
    return {
      payload: operation.run(input, { settings, release, peers, most, settled: far, missed }),
      missing,
    };
  };
  return ofNewest(context, run, ({ missing }) => missing === null);
}

/**
 * What `run` gives of the release of a context. Where that is unavailable or not whole, it is of the release that may have taken its
 * place meanwhile.
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

/** What `run` gives over the release of a context: at once where that is at hand. It may run more than once. */
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

/** What the response that says unavailable carries, of the operations that have such a payload. */
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

/** The schema of each operation, made once: validators are compiled for each object. There are as many as operations. */
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
    if (parameter.schema['type'] !== 'integer') input[name] = text;
    else if (/^(0|-?[1-9][0-9]{0,14})$/.test(text)) input[name] = Number(text);
    else throw invalidParameter(name, text, parameter.accepts);
  }
  return input;
}

/** The parameters of each operation, made once. There are as many as operations. */
const parametersByName = new Map<Operation, Map<string, Parameter>>();

/** The parameters of an operation by name. */
function parametersOf(operation: Operation): Map<string, Parameter> {
  const known = parametersByName.get(operation);
  if (known) return known;
  const made = new Map(operation.parameters.map((parameter) => [parameter.name, parameter]));
  parametersByName.set(operation, made);
  return made;
}

/** Validates raw input; returns it typed. Defaults are not filled in: operations know theirs. A refusal names what is close. */
export function readInput(operation: Operation, raw: RawInput, context?: Pick<Context, 'release'>): Input {
  const violations = validator(inputSchema(operation))(raw);
  const [first] = violations ?? [];
  if (first) throw explained(operation, raw, first, context);
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
    const hint = closest.length > 0 ? `; closest: ${closest.join(', ')}` : '';
    return invalidParameter(name, raw[name], `${accepts}${hint}`);
  }
  const instead = raw[name] === null ? '; leave it out instead of null' : '';
  return invalidParameter(
    name,
    raw[name],
    `${accepts} (JSON type ${String(parameter?.schema['type'])})${instead}`,
  );
}

/** The values that a text may have meant, of a parameter with a list of them or with a country. */
function closestTo(given: unknown, { name, schema }: Parameter, release: Release | undefined): string[] {
  if (typeof given !== 'string') return [];
  const choices = [schema['enum'] ?? []].flat().filter((choice) => typeof choice === 'string');
  if (choices.length > 0) return closestOf(given, choices);
  if (name !== 'iso3' || !release) return [];
  return closestPlaces(given, release).filter((code) => /^[A-Z]{3}$/.test(code));
}

function unknownParameter(operation: Operation, name: string): Fault {
  const reason = operation.refused?.[name];
  if (reason !== undefined && Object.hasOwn(operation.refused ?? {}, name))
    return new Fault(
      'invalid_request',
      `${operation.name} does not accept parameter "${name}". ${reason} It accepts ${namesOf(operation)}.`,
    );
  return new Fault(
    'invalid_request',
    `Unknown parameter ${quoted(name)}; ${operation.name} accepts ${namesOf(operation)}${closestParameter(operation, name)}.`,
  );
}

/** What people call parameters instead, by their names. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = otherNames;

/** The parameter that a name may have meant: one spelled like it, or else one that is called so elsewhere. */
function closestParameter({ parameters }: Operation, given: string): string {
  const called = ({ name }: Parameter, names: readonly string[] = []): Candidate => {
    return { value: name, spellings: names.map(spelling), hasRows: true };
  };
  const own = parameters.map((parameter) => called(parameter, [parameter.name]));
  const others = parameters.map((parameter) => called(parameter, OTHER_NAMES[parameter.name]));
  const [closest] = [...nearest(given, own, STRONG), ...nearest(given, others, SAME)];
  return closest ? `; closest: "${closest.value}"` : '';
}

function namesOf(operation: Operation): string {
  return operation.parameters.length === 0
    ? 'none'
    : operation.parameters.map(({ name }) => `"${name}"`).join(', ');
}

/** Percent-decoded text, the value of `parameter` or a name; decodeURIComponent refuses what is not UTF-8. */
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
