/**
 * The closed table of expected failures: code, HTTP status, caching. Operations throw nothing else; anything that is not a
 * Fault becomes `internal_error`, logged where it happened and masked to the client.
 */
import type { JsonObject } from './types.ts';

const BRIEFLY = 'public, max-age=60';

export const FAULTS = {
  invalid_request: { status: 400, cache: BRIEFLY },
  stale_cursor: { status: 400, cache: BRIEFLY },
  not_found: { status: 404, cache: BRIEFLY },
  method_not_allowed: { status: 405, cache: BRIEFLY },
  uri_too_long: { status: 414, cache: BRIEFLY },
  internal_error: { status: 500, cache: 'no-store' },
  unavailable: { status: 503, cache: 'no-store' },
} as const;

/** When to try again, in seconds, where nothing else is known. */
const RETRY_SECONDS = 60;

export type FaultCode = keyof typeof FAULTS;

/** The error of the API: an expected failure, with its code. `message` says what to do next; it never holds a stack or a path of the machine. */
export class Fault extends Error {
  readonly code: FaultCode;
  /** For `unavailable`: the schema-valid payload of the 503, where the code that failed has made one. */
  readonly payload: JsonObject | undefined;
  /** For `unavailable`: only the operator can change it, so trying again does not help. */
  readonly lasting: boolean;
  /** For `unavailable`: seconds after which trying again may help. */
  readonly retryAfter: number;

  constructor(
    code: FaultCode,
    message: string,
    options: { cause?: unknown; payload?: JsonObject; lasting?: boolean; retryAfter?: number } = {},
  ) {
    super(message, options);
    this.name = 'Fault';
    this.code = code;
    this.payload = options.payload;
    this.lasting = options.lasting ?? false;
    this.retryAfter = Math.max(RETRY_SECONDS, options.retryAfter ?? 0);
  }
}

/** The fault that clients see for an unexpected error; it repeats nothing of that error. */
export function internalFault(): Fault {
  return new Fault('internal_error', 'Unexpected server error. It has been logged; try again later.');
}

/** A 400 that names the parameter, its value and what is expected. */
export function invalidParameter(name: string, got: unknown, accepts: string): Fault {
  return new Fault(
    'invalid_request',
    `Invalid value ${quoted(got)} for parameter "${name}": expected ${accepts}.`,
  );
}

/** The 404 below /api; the build also writes it as a file, for static file hosts. */
export function unknownResource(): Fault {
  return new Fault('not_found', 'Unknown resource. See /api/v1/capabilities.');
}

/** The fault for evidence that cannot be read now; `what` is the dataset, pack or artifact. */
export function unavailable(what: string, cause?: unknown): Fault {
  const message = `${what} is currently unavailable. No substitute values are returned. Try again later.`;
  return new Fault('unavailable', message, { cause });
}

/** The fault for evidence that is not in this release; `reason` is the sentence of the manifest, where it has one. */
export function notInRelease(what: string, reason = 'It is not packaged.'): Fault {
  const message = `${what} is unavailable in this release. ${reason} No substitute values are returned.`;
  return new Fault('unavailable', message, { lasting: true });
}

/** The result of `read`, or the Fault that it throws. */
export function orFault<Value>(read: () => Value): Value | Fault {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** The result of `read`, or `instead` where it throws a Fault, so that a response can leave something out instead of failing. */
export function unlessFault<Value, Other>(read: () => Value, instead: Other): Value | Other {
  const found = orFault(read);
  return found instanceof Fault ? instead : found;
}

/** A value as messages show it: JSON, cut to 100 characters without splitting a surrogate pair. */
export function quoted(value: unknown): string {
  const characters = [...jsonOf(value)];
  if (characters.length <= 100) return characters.join('');
  return `${characters.slice(0, 100).join('')}...${typeof value === 'string' ? '"' : ''}`;
}

function jsonOf(value: unknown): string {
  // JSON.stringify would make null of infinity.
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'undefined');
}

/** A setting whose value cannot be used; credentials in it are not repeated. */
export class BadSetting extends Error {
  constructor(name: string, value: string, expected: string) {
    super(`${name} is ${JSON.stringify(value.replace(/[^/,\s]*@/g, '***@'))}: expected ${expected}`);
    this.name = 'BadSetting';
  }
}
