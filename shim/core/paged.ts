/**
 * Paging, the same for every collection: one or several packs in order make one sequence of rows; a cursor is a row of it.
 * An operation brings a source per pack (how many match, which rows) and gets the records and the `page` object back.
 */
import { decodeCursor, encodeCursor, type CursorScope } from './cursor.ts';
import { Fault } from './faults.ts';
import type { Input } from './operation.ts';
import type { RowRange } from './series.ts';
import { RawList, type Context, type JsonObject, type PackEntry } from './types.ts';

/** One pack's share of an answer. Row numbers are the pack's own. */
export interface PageSource {
  entry: PackEntry;
  matched: number;
  /** The first `limit` matching rows at or after `start`. */
  rows(start: number, limit: number): RowRange[];
  copy(from: number, to: number): Uint8Array[];
}

/** What a page is cut from. */
export interface PageRequest {
  resource: string;
  /** Parameters that select: all but limit and cursor. */
  filters: Input;
  /** Every pack of the resource in the fixed order, also those the filters exclude: they number the rows. */
  packs: PackEntry[];
  sources: PageSource[];
  limit: number;
  cursor: string | undefined;
}

/** Cuts one page. Throws invalid_request or stale_cursor for a cursor that does not fit. */
export function cutPage(request: PageRequest, { store }: Context): { page: JsonObject; records: RawList } {
  const scope = scopeOf(request.resource, request.filters, request.packs);
  const start = request.cursor === undefined ? 0 : decodeCursor(store, scope, request.cursor);
  const matched = request.sources.reduce((sum, source) => sum + source.matched, 0);
  if (!request.sources.every(({ entry }) => request.packs.includes(entry)))
    throw new Error(`a source of ${request.resource} is none of its packs`);
  const raw: Uint8Array[] = [];
  let returned = 0;
  let following: number | null = null;
  let base = 0;
  for (const pack of request.packs) {
    const source = request.sources.find(({ entry }) => entry === pack);
    const pointedAt = request.cursor !== undefined && start >= base && start < base + pack.rows;
    if (source && following === null && start < base + pack.rows && (source.matched > 0 || pointedAt)) {
      // One row more than the page holds tells whether and where the next one starts.
      const ranges = source.rows(Math.max(0, start - base), request.limit - returned + 1);
      if (pointedAt && ranges[0]?.[0] !== start - base) throw strayCursor();
      const kept = firstRows(ranges, request.limit - returned);
      for (const [from, to] of kept.ranges) raw.push(...source.copy(from, to));
      returned += kept.rows;
      if (kept.next !== null) following = base + kept.next;
    }
    base += pack.rows;
  }
  const next_cursor = following === null ? null : encodeCursor(store, scope, following);
  return {
    page: { limit: request.limit, matched, returned, has_more: next_cursor !== null, next_cursor },
    records: new RawList(raw),
  };
}

/** The inputs of every unfiltered page of a resource: the first, and those its cursors lead to. */
export function pageInputs(resource: string, packs: PackEntry[], limit: number, { store }: Context): Input[] {
  const scope = scopeOf(resource, {}, packs);
  const inputs: Input[] = [{}];
  for (let row = limit; row < scope.rows; row += limit)
    inputs.push({ cursor: encodeCursor(store, scope, row) });
  return inputs;
}

/** The `page` of an unavailable answer, and what has to be said beside it. */
export function emptyPage(limit: number): JsonObject {
  return { limit, matched: 0, returned: 0, has_more: false, next_cursor: null };
}
export const UNCOUNTED =
  'The counts of this page are those of an unavailable answer: they say nothing about the evidence.';

/** Splits validated input into the filters and the paging parameters. */
export function splitInput(
  input: Input,
  defaultLimit: number,
): { filters: Input; limit: number; cursor: string | undefined } {
  const { limit, cursor } = input;
  const filters: Input = {};
  for (const name in input)
    if (name !== 'limit' && name !== 'cursor' && input[name] !== undefined) filters[name] = input[name];
  return {
    filters,
    limit: typeof limit === 'number' ? limit : defaultLimit,
    cursor: typeof cursor === 'string' ? cursor : undefined,
  };
}

function scopeOf(resource: string, filters: Input, packs: PackEntry[]): CursorScope {
  let rows = 0;
  for (const pack of packs) rows += pack.rows;
  return { resource, filters, packs, rows };
}

function strayCursor(): Fault {
  return new Fault(
    'invalid_request',
    'Parameter "cursor" points at no record of this query; restart from the first page, without "cursor".',
  );
}

function firstRows(
  ranges: RowRange[],
  limit: number,
): { ranges: RowRange[]; rows: number; next: number | null } {
  const kept: RowRange[] = [];
  let rows = 0;
  for (const [from, to] of ranges) {
    const end = Math.min(to, from + limit - rows);
    if (end > from) kept.push([from, end]);
    rows += end - from;
    if (end < to) return { ranges: kept, rows, next: end };
  }
  return { ranges: kept, rows, next: null };
}
