/**
 * The closed table of expected failures: code, HTTP status, caching. `call` throws nothing else; anything that is not a
 * Fault is `internal_error`, logged where it happened and masked to the client.
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

export type FaultCode = keyof typeof FAULTS;

/** An expected failure. `message` tells the client what to do next; never a stack, never a path of the machine. */
export class Fault extends Error {
  readonly code: FaultCode;
  /** For `unavailable`: the schema-valid payload of the 503, where the failure itself knows it best. */
  readonly payload: JsonObject | undefined;

  constructor(code: FaultCode, message: string, options: { cause?: unknown; payload?: JsonObject } = {}) {
    super(message, options);
    this.name = 'Fault';
    this.code = code;
    this.payload = options.payload;
  }
}

/** What a client is told of a failure nobody expected: nothing of it. */
export function internalFault(): Fault {
  return new Fault(
    'internal_error',
    'Something went wrong on our side. It has been logged; try again later.',
  );
}

/** A 400 that names the parameter, what it got and what it accepts. */
export function invalidParameter(name: string, got: unknown, accepts: string): Fault {
  return new Fault('invalid_request', `Parameter "${name}" got ${quoted(got)}; it accepts ${accepts}.`);
}

/** Evidence that cannot be given now; `what` is the dataset, pack or artifact. */
export function unavailable(what: string, cause?: unknown): Fault {
  return new Fault('unavailable', `${what} is unavailable. Nothing is substituted for it; try again later.`, {
    cause,
  });
}

/** A value as a message shows it: JSON, cut to 100 characters, none of them in halves. */
export function quoted(value: unknown): string {
  const characters = [...jsonOf(value)];
  return characters.length > 100 ? `${characters.slice(0, 100).join('')}...` : characters.join('');
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return 'a value nested too deeply to show';
  }
}
