/**
 * The one way into an operation, for every transport: validate, run, and return a Result. It never throws: an expected Fault
 * is returned as it is, anything else is handed to `report` and returned as a masked `internal_error`. What an unavailable
 * response carries is decided here too; a transport only writes it down.
 */
import { readInput, type RawInput } from './arguments.ts';
import { Fault, internalFault } from './faults.ts';
import type { Input, Operation } from './operation.ts';
import { RawList, type Context, type JsonObject, type Payload } from './types.ts';

/** What an operation gave: a payload, or why there is none. */
export type Result = Success | Failure;

/** `next` is the `next_cursor` of a page; `partial` says that evidence is missing that may be back soon. */
export interface Success {
  ok: true;
  payload: Payload;
  next: string | null;
  partial: boolean;
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
  const failed = (error: unknown): Failure => failure(operation, input, context, error, report);
  try {
    input = readInput(operation, typeof raw === 'function' ? raw() : raw);
    // Looks up the release once: all of a response comes from the same data.
    const payload = operation.run(input, { ...context });
    return payload instanceof Promise ? payload.then(success).catch(failed) : success(payload);
  } catch (error) {
    return failed(error);
  }
}

function success(payload: Payload): Success {
  return {
    ok: true,
    payload,
    next: nextCursor(payload['page']),
    partial: payload['status'] === 'partial',
  };
}

function nextCursor(page: Payload[string] | undefined): string | null {
  if (typeof page !== 'object' || page === null || Array.isArray(page) || page instanceof RawList)
    return null;
  const cursor = page['next_cursor'];
  return typeof cursor === 'string' ? cursor : null;
}

function failure(
  operation: Operation,
  input: Input,
  context: Context,
  error: unknown,
  report: Report,
): Failure {
  if (!(error instanceof Fault)) {
    report(error);
    return { ok: false, fault: internalFault(), data: null };
  }
  if (error.code !== 'unavailable') return { ok: false, fault: error, data: null };
  report(error);
  try {
    const data = error.payload ?? operation.unavailable?.(input, context, error.message) ?? null;
    return { ok: false, fault: error, data };
  } catch (another) {
    report(another);
    return { ok: false, fault: error, data: null };
  }
}
