/** Tool results remembered while the packaged data stays: parsing and building a page again costs more than sending it. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RawInput } from '../core/arguments.ts';
import type { Operation } from '../core/operation.ts';
import { boundedCache } from '../core/bounded-cache.ts';

/** Answers one call of an operation. */
export type Caller = (operation: Operation, raw: RawInput) => Promise<CallToolResult>;

const CACHE_BYTES = 32 * 1024 * 1024;

/** The caller with a memory: only complete answers from packaged data are kept, and none survives a new `generation`. */
export function remembered(answer: Caller, generation: () => number): Caller {
  const results = boundedCache<CallToolResult>(CACHE_BYTES, (result) => JSON.stringify(result).length * 2);
  let seen = generation();
  return async (operation, raw) => {
    const current = generation();
    if (current !== seen) results.clear();
    seen = current;
    const key = keyOf(operation, raw);
    const known = key === null ? undefined : results.get(key);
    if (known) return known;
    const made = await answer(operation, raw);
    if (key !== null && isComplete(made) && operation.freshness === 'data' && generation() === current)
      results.set(key, made);
    return made;
  };
}

/** No argument that is accepted holds other values, and writing down what was nested on purpose can exhaust the stack. */
function keyOf(operation: Operation, raw: RawInput): string | null {
  if (typeof raw !== 'object' || raw === null) return null;
  if (Object.values(raw).some((value) => typeof value === 'object')) return null;
  return `${operation.name} ${JSON.stringify(raw)}`;
}

function isComplete({ isError, structuredContent: data }: CallToolResult): boolean {
  return (
    !isError &&
    typeof data === 'object' &&
    data !== null &&
    !('status' in data && data.status === 'unavailable')
  );
}
