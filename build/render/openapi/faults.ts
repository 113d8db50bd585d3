/** What each fault means to a caller and what to do next: one table for OpenAPI and the documentation page. */
import { FAULTS, type FaultCode } from '../../../shim/core/faults.ts';

/** A fault as it is documented. */
export interface FaultMeaning {
  /** Name of its response in OpenAPI's components. */
  response: string;
  meaning: string;
  next: string;
}

/** Complete by construction: a code without words does not compile. */
export const FAULT_MEANINGS: Record<FaultCode, FaultMeaning> = {
  invalid_request: {
    response: 'BadRequest',
    meaning:
      'A parameter is unknown, repeated, empty, out of range or of the wrong form, or a cursor does not belong to these filters.',
    next: 'Read the message: it names the parameter, what it got and what it accepts. Nothing is ignored, clamped or coerced.',
  },
  stale_cursor: {
    response: 'BadRequest',
    meaning: 'The cursor was made from other data bytes than those published now.',
    next: 'Restart from the first page, without a cursor.',
  },
  not_found: {
    response: 'NotFound',
    meaning: 'There is no such resource, page or file.',
    next: 'Look the address up in capabilities, llms.txt or the site map.',
  },
  method_not_allowed: {
    response: 'MethodNotAllowed',
    meaning: 'The method is not GET, HEAD or OPTIONS. Every operation is a read.',
    next: 'Use a method that the Allow header lists.',
  },
  uri_too_long: {
    response: 'UriTooLong',
    meaning: 'The URL is longer than 8,192 bytes.',
    next: 'Shorten the filters.',
  },
  internal_error: {
    response: 'InternalError',
    meaning: 'Something failed that nobody expected. The message says nothing about it; it was logged.',
    next: 'Try again later.',
  },
  unavailable: {
    response: 'Unavailable',
    meaning:
      'The evidence is missing, malformed, oversized or late. Nothing is substituted for it, least of all zero.',
    next: 'Try again after the seconds in Retry-After; treat the value as unknown meanwhile.',
  },
};

/** Codes that share a status, by status, ascending. */
export function faultsByStatus(): [status: number, codes: FaultCode[]][] {
  const grouped = new Map<number, FaultCode[]>();
  for (const code of Object.keys(FAULTS) as FaultCode[]) {
    const { status } = FAULTS[code];
    grouped.set(status, [...(grouped.get(status) ?? []), code]);
  }
  return [...grouped].sort(([a], [b]) => a - b);
}
