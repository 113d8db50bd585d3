/**
 * Paging, the same for every collection: one or several packs in order make one sequence of rows, and a cursor points to one of
 * them. An operation passes a source per pack (how many match, which rows) and gets the records and the `page` object back.
 *
 * Cursors are opaque, without secret or server state: 64 hexadecimal digits, which are base64url too. 4 of the version, 16 of the
 * query's hash (resource and normalized filters, not the limit), 16 of the hash of the packaged data, 12 of the row the next page
 * starts at, 16 of the hash of all before. Every mirror of the same bytes makes and accepts the same ones.
 */
import { Fault, invalidParameter } from './faults.ts';
import type { Selection } from './series.ts';
import type { RowRange } from './run-tables.ts';
import type {
  Context,
  Input,
  JsonObject,
  Operation,
  Pack,
  PackEntry,
  Parameter,
  Payload,
  RawList,
  Release,
} from './types.ts';

/** What `cursor` accepts. */
export const CURSOR_ACCEPTS = 'a next_cursor of this resource, unchanged and with the same filters';

/** The rows of a resource: every pack it is made of, in the fixed order. */
export interface Collection {
  resource: string;
  packs: PackEntry[];
  rows: number;
  /** Hash of the packs' sha256s: it identifies the packaged data. */
  dataHash: string;
}

/** The matching rows of one pack. Row numbers are the pack's own. */
export interface PageSource extends Selection {
  pack: Pack;
}

/** A query, and the page of it to be cut. */
export interface PageRequest {
  collection: Collection;
  /** Parameters that select: all but limit and cursor. */
  filters: Input;
  /** In the order of the collection; packs the filters exclude have none. */
  sources: PageSource[];
  /** Whether some pack that the filters select cannot be read: then a cursor may point into it. */
  isPart?: boolean;
  limit: number;
  cursor: string | undefined;
}

const VERSION = '0002';
/** The form of a cursor: what its hash covers, version, query, data, row, hash. */
export const CURSOR = /^((.{4})(.{16})(.{16})([0-9a-f]{12}))(.{16})$/;

/** The collection of a resource over these packs. */
export function collectionOf(resource: string, packs: PackEntry[], { sha256 }: Release): Collection {
  return {
    resource,
    packs,
    rows: packs.reduce((sum, { rows }) => sum + rows, 0),
    dataHash: sha256(packs.map((pack) => pack.sha256).join(' ')).slice(0, 16),
  };
}

/** The rows of one pack on a page, ascending. */
export interface CutRows {
  pack: Pack;
  ranges: RowRange[];
}

/** Cuts one page. Throws invalid_request or stale_cursor for a cursor that does not fit. */
export function cutPage(
  { collection, filters, sources, isPart = false, limit, cursor }: PageRequest,
  release: Release,
): { page: JsonObject; records: RawList; cut: CutRows[] } {
  const cursors = cursorsOf(release, collection, filters);
  const start = cursor === undefined ? 0 : cursors.decode(cursor);
  const cut: CutRows[] = [];
  const records: RawList = [];
  const rows: number[] = [];
  let decidedBy = '';
  let matched = 0;
  let returned = 0;
  let following: number | null = null;
  let end = 0;
  let at = 0;
  for (const entry of collection.packs) {
    const base = end;
    end += entry.rows;
    const source = sources[at];
    const pointedAt = cursor !== undefined && start >= base && start < end;
    if (source?.pack.entry.id !== entry.id) {
      if (pointedAt && !isPart) throw misplaced();
      continue;
    }
    at += 1;
    matched += source.matched;
    if (following !== null || start >= end || (source.matched === 0 && !pointedAt)) continue;
    const { pack } = source;
    // One row more than the page holds says whether and where the next one starts.
    const ranges = source.rows(Math.max(0, start - base), limit - returned + 1);
    if (pointedAt && ranges[0]?.[0] !== start - base) throw misplaced();
    for (const [from, to] of ranges) returned += to - from;
    const last = ranges.at(-1);
    if (last && returned > limit) {
      returned -= 1;
      last[1] -= 1;
      following = base + last[1];
      if (last[0] === last[1]) ranges.pop();
    }
    if (ranges.length === 0) continue;
    for (const [from, to] of ranges) {
      pack.copy(from, to, records);
      rows.push(from, to);
    }
    decidedBy += `${pack.entry.sha256} ${ranges.length};`;
    cut.push({ pack, ranges });
  }
  if (at < sources.length) throw new Error(`a source of ${collection.resource} is not one of its packs`);
  records.decidedBy = decidedBy;
  records.rows = rows;
  const next_cursor = following === null ? null : cursors.encode(following);
  return {
    page: { limit, matched, returned, has_more: next_cursor !== null, next_cursor },
    records,
    cut,
  };
}

/**
 * Cuts one page out of a list that `find` makes once the cursor is known to be one: a cursor is a position in the list of its
 * query. Throws as cutPage does.
 */
export function cutList<F extends { rows: readonly number[] }>(
  { collection, filters, limit, cursor }: Omit<PageRequest, 'sources'>,
  find: () => F,
  release: Release,
): { page: JsonObject; rows: readonly number[]; found: F } {
  const cursors = cursorsOf(release, collection, filters);
  const from = cursor === undefined ? 0 : cursors.decode(cursor);
  const found = find();
  const matched = found.rows.length;
  if (from >= matched && cursor !== undefined) throw misplaced();
  const to = Math.min(from + limit, matched);
  const next_cursor = to < matched ? cursors.encode(to) : null;
  const page = { limit, matched, returned: to - from, has_more: next_cursor !== null, next_cursor };
  return { page, rows: found.rows.slice(from, to), found };
}

function misplaced(): Fault {
  return new Fault(
    'invalid_request',
    'This cursor does not match this query. Restart from the first page, without "cursor".',
  );
}

/** The limitation that goes with the page of an unavailable response. */
export const UNCOUNTED = 'Counts are 0 because the data is unavailable, not because there are no records.';

/** The filters of a query, and the page that is requested. */
type Asked = Pick<PageRequest, 'filters' | 'limit' | 'cursor'>;

/** A query of a collection, and how its response begins. Operations write it out: a copy made with `...` slows every new answer. */
export interface Query extends Asked {
  schema: string;
  query: JsonObject;
}

/** What is different in operations that give pages of a collection. */
export interface Paged {
  collection(release: Release): Collection;
  run(asked: Query, context: Context): Payload;
  /** The members behind `query` where it is unavailable; `page` is the empty one. */
  unavailable(page: JsonObject, message: string, filters: Input): JsonObject;
}

/** The parameters that select records: those of an operation without limit and cursor. */
type Selecting = readonly Pick<Parameter, 'name' | 'schema'>[];

/** An operation that gives pages of a collection; `schema` is that of its payload. */
export function pagedOperation(
  schema: string,
  { parameters, pageSize }: { parameters: Selecting; pageSize: { default: number } },
  { collection, run, unavailable }: Paged,
): Pick<Operation, 'run' | 'unavailable' | 'prerender'> {
  return {
    run(input, context) {
      const { filters, limit, cursor } = splitInput(input, pageSize.default);
      return run({ schema, query: queryOf(parameters, filters), filters, limit, cursor }, context);
    },
    unavailable(input, _context, message) {
      const { filters, limit } = splitInput(input, pageSize.default);
      const page = { limit, matched: 0, returned: 0, has_more: false, next_cursor: null };
      const others = unavailable(page, message, filters);
      return { schema, status: 'unavailable', query: queryOf(parameters, filters), ...others };
    },
    /** Every unfiltered page: the first, and those its cursors lead to. */
    prerender({ release }) {
      const all = release.derive(collection);
      const { encode } = cursorsOf(release, all, {});
      const further = Math.ceil(all.rows / pageSize.default) - 1;
      return [
        {},
        ...Array.from({ length: further }, (_, at) => ({ cursor: encode((at + 1) * pageSize.default) })),
      ];
    },
  };
}

/** Splits validated input into the filters and the paging parameters; one by one, because a copy made with `...` slows every new answer. */
export function splitInput(input: Input, defaultLimit: number): Asked {
  const filters: Input = {};
  for (const name in input)
    if (name !== 'limit' && name !== 'cursor' && input[name] !== undefined) filters[name] = input[name];
  const limit = typeof input['limit'] === 'number' ? input['limit'] : defaultLimit;
  const cursor = typeof input['cursor'] === 'string' ? input['cursor'] : undefined;
  return { filters, limit, cursor };
}

/** Filters that the `query` of a response has only where they were given. */
const UNLESS_GIVEN = new Set(['as_of', 'id', 'until']);

/** The `query` of a response: every filter of these parameters, its default or null where it was not given. */
export function queryOf(parameters: Selecting, filters: Input): JsonObject {
  const query: JsonObject = {};
  for (const { name, schema } of parameters)
    if (filters[name] !== undefined || !UNLESS_GIVEN.has(name))
      query[name] = filters[name] ?? schema['default'] ?? null;
  return query;
}

/** Writes and reads the cursors of a query over a collection; each stands for the row that a page starts at. */
export function cursorsOf({ sha256 }: Release, { resource, dataHash, rows }: Collection, filters: Input) {
  const short = (text: string): string => sha256(text).slice(0, 16);
  let made: string | null = null;
  const query = (): string => (made ??= short(queryText(resource, filters)));
  return {
    /** The cursor of the page that starts at `row`. */
    encode(row: number): string {
      const bound = `${VERSION}${query()}${dataHash}${row.toString(16).padStart(12, '0')}`;
      return `${bound}${short(bound)}`;
    },
    /** The row a cursor points at. Throws invalid_request (malformed, altered, other filters) or stale_cursor (other data). */
    decode(cursor: string): number {
      const [, bound = '', version, queried, data, digits = '', check] = CURSOR.exec(cursor) ?? [];
      if (version !== VERSION || check !== short(bound))
        throw invalidParameter('cursor', cursor, `${CURSOR_ACCEPTS}; this one is malformed`);
      if (queried !== query())
        throw invalidParameter('cursor', cursor, `${CURSOR_ACCEPTS}; this one belongs to other filters`);
      if (data !== dataHash)
        throw new Fault(
          'stale_cursor',
          'The data has changed since this cursor was issued. Restart from the first page, without "cursor".',
        );
      const row = Number.parseInt(digits, 16);
      if (row <= 0 || row >= rows) throw invalidParameter('cursor', cursor, CURSOR_ACCEPTS);
      return row;
    },
  };
}

/** The query that a cursor belongs to, as JSON: the resource and its filters by name. Names are plain ASCII words and need no escape. */
function queryText(resource: string, filters: Input): string {
  let given = '';
  for (const name of Object.keys(filters).sort())
    given += `${given === '' ? '' : ','}["${name}",${JSON.stringify(filters[name])}]`;
  return `["${resource}",[${given}]]`;
}
