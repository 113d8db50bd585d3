/**
 * Groups rows by indicator and place, in the order of the two. A file that is packaged in this order is grouped while it is read,
 * and its order is checked; any other is sorted, in parts on disk where it is large.
 */
import { byCodeUnits, type ObservationRow } from '../lib/dataset.ts';
import { growingFile, piecesOf, type TreeFile, type TreeFolder } from '../lib/tree.ts';

/** A row with its line in records.csv. */
export interface NumberedRow {
  row: ObservationRow;
  line: number;
}

/** Takes rows one by one and passes each group on. */
export interface Grouping {
  add(row: ObservationRow, line: number): void;
  finish(): void;
}

/** Receives a group: its rows in the order of their lines. */
export type TakeGroup = (group: readonly NumberedRow[]) => void;

/** Rows that are not in the fixed order of their groups. */
export class OutOfOrder extends Error {
  override name = 'OutOfOrder';
}

/** Groups rows that are in order; throws OutOfOrder at the first that is not. */
export function orderedGroups(take: TakeGroup): Grouping {
  let group: NumberedRow[] = [];
  return {
    add(row, line) {
      const last = group[0]?.row;
      if (last && (last.geoCode !== row.geoCode || last.indicatorId !== row.indicatorId)) {
        if (byGroup(last, row) > 0) throw new OutOfOrder();
        take(group);
        group = [];
      }
      group.push({ row, line });
    },
    finish() {
      if (group.length > 0) take(group);
      group = [];
    },
  };
}

/** Most rows that are sorted in memory; more are sorted in parts of this size. */
const PART_ROWS = 200_000;

/** Groups rows in any order. Parts are written to `scratch`; without it all rows are kept in memory. */
export function sortedGroups(
  take: TakeGroup,
  scratch: { folder: TreeFolder; path: string } | null = null,
  partRows = PART_ROWS,
): Grouping {
  const parts: TreeFile[] = [];
  let rows: NumberedRow[] = [];
  const sorted = (): NumberedRow[] => rows.sort(byGroupOfRow);
  return {
    add(row, line) {
      rows.push({ row, line });
      if (!scratch || rows.length < partRows) return;
      parts.push(writtenPart(scratch.folder, `${scratch.path}.${parts.length}`, sorted()));
      rows = [];
    },
    finish() {
      const groups = orderedGroups(take);
      const runs = parts.map((part) => (scratch ? recordsIn<NumberedRow>(scratch.folder, part) : []));
      for (const { row, line } of merged([...runs, sorted()], byGroupOfRow)) groups.add(row, line);
      groups.finish();
      for (const { path } of parts) scratch?.folder.remove(path);
    },
  };
}

/** The rows of one indicator at one place are a group. */
type Group = Pick<ObservationRow, 'indicatorId' | 'geoCode'>;

/** The order of groups: by indicator, then place. */
export function byGroup(a: Group, b: Group): number {
  return byCodeUnits(a.indicatorId, b.indicatorId) || byCodeUnits(a.geoCode, b.geoCode);
}

function byGroupOfRow(a: NumberedRow, b: NumberedRow): number {
  return byGroup(a.row, b.row);
}

function writtenPart(folder: TreeFolder, path: string, rows: readonly NumberedRow[]): TreeFile {
  const file = growingFile(folder, path);
  for (const row of rows) file.add(Buffer.from(`${JSON.stringify(row)}\n`));
  return file.finish();
}

/** The records of a file that the build wrote, one in a line. */
export function* recordsIn<T>(folder: Pick<TreeFolder, 'pieces'>, file: TreeFile): Generator<T> {
  for (const line of linesOf(piecesOf(folder, file))) yield JSON.parse(line) as T;
}

/** The lines of a text in pieces, without their ends. */
export function* linesOf(pieces: Iterable<Uint8Array>): Generator<string> {
  let rest: Uint8Array = new Uint8Array();
  for (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const end = bytes.lastIndexOf(0x0a);
    if (end >= 0) yield* bytes.toString('utf8', 0, end).split('\n');
    rest = bytes.subarray(end + 1);
  }
  if (rest.length > 0) yield Buffer.from(rest).toString('utf8');
}

/** Merges sorted runs into one; equal items come in the order of their runs. */
export function* merged<T>(runs: readonly Iterable<T>[], compare: (a: T, b: T) => number): Generator<T> {
  const half = Math.ceil(runs.length / 2);
  const [first = [], second = []] =
    runs.length > 2 ? [merged(runs.slice(0, half), compare), merged(runs.slice(half), compare)] : runs;
  const others = second[Symbol.iterator]();
  let other = others.next();
  for (const item of first) {
    for (; !other.done && compare(other.value, item) < 0; other = others.next()) yield other.value;
    yield item;
  }
  for (; !other.done; other = others.next()) yield other.value;
}
