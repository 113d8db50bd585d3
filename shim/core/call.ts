/**
 * The one door behind all doors: validate -> run -> wrap. It answers with bytes and never throws: an expected Fault becomes
 * its envelope, anything else `internal_error`, handed to `report` and masked.
 */
import { readInput, type RawInput } from './arguments.ts';
import { failure, success, unavailableEnvelope } from './envelope.ts';
import { Fault, FAULTS, internalFault, type FaultCode } from './faults.ts';
import type { Input, Operation } from './operation.ts';
import { RawJson, RawList } from './raw.ts';
import type { Context, JsonObject, Payload } from './types.ts';

/** The resources whose 503 carries a payload, by contract; every other unavailable answer is the generic error. */
export const ENVELOPED: ReadonlySet<string> = new Set(['atlas', 'entities', 'federation']);

/** An answer as bytes; `fault` is null on success. */
export interface Answer {
  status: number;
  fault: FaultCode | null;
  body: Uint8Array;
  /** `next_cursor` of a paged answer. */
  next: string | null;
  /** Whether evidence is missing that may be back soon. */
  partial: boolean;
}

/** Receives what was masked as internal_error. */
export type Report = (error: unknown) => void;

/** Answers one call. Synchronous operations answer at once, live ones with a promise. */
export function call(
  operation: Operation,
  raw: RawInput | (() => RawInput),
  context: Context,
  report: Report,
): Answer | Promise<Answer> {
  let input: Input = {};
  const failed = (error: unknown): Answer => failedAnswer(operation, input, context, error, report);
  try {
    input = readInput(operation, typeof raw === 'function' ? raw() : raw);
    const payload = operation.run(input, context);
    return payload instanceof Promise
      ? payload.then((made) => answered(operation, made)).catch(failed)
      : answered(operation, payload);
  } catch (error) {
    return failed(error);
  }
}

/** The payload of one call as the build and MCP need it: throws the Fault. */
export function payloadOf(operation: Operation, raw: RawInput, context: Context): Payload | Promise<Payload> {
  return operation.run(readInput(operation, raw), context);
}

/** The answer of a failure: also for doors that fail before an operation is known. */
export function faultAnswer(fault: Fault): Answer {
  return {
    status: FAULTS[fault.code].status,
    fault: fault.code,
    body: failure(fault.code, fault.message),
    next: null,
    partial: false,
  };
}

function answered(operation: Operation, payload: Payload): Answer {
  return {
    status: 200,
    fault: null,
    body: success(operation.name, payload),
    next: nextCursor(payload['page']),
    partial: payload['status'] === 'partial',
  };
}

function nextCursor(page: Payload[string] | undefined): string | null {
  if (typeof page !== 'object' || page === null || Array.isArray(page)) return null;
  if (page instanceof RawList || page instanceof RawJson) return null;
  const cursor = page['next_cursor'];
  return typeof cursor === 'string' ? cursor : null;
}

function failedAnswer(
  operation: Operation,
  input: Input,
  context: Context,
  error: unknown,
  report: Report,
): Answer {
  if (!(error instanceof Fault)) {
    report(error);
    return faultAnswer(internalFault());
  }
  if (error.code !== 'unavailable') return faultAnswer(error);
  report(error);
  if (!ENVELOPED.has(operation.name)) return faultAnswer(error);
  const data = error.payload ?? unavailablePayload(operation, input, context, error.message, report);
  if (!data) return faultAnswer(error);
  return {
    status: 503,
    fault: 'unavailable',
    body: unavailableEnvelope(operation.name, error.message, data),
    next: null,
    partial: false,
  };
}

function unavailablePayload(
  operation: Operation,
  input: Input,
  context: Context,
  message: string,
  report: Report,
): JsonObject | null {
  try {
    return operation.unavailable?.(input, context, message) ?? null;
  } catch (error) {
    report(error);
    return null;
  }
}
