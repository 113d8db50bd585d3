/**
 * A slice of a pack: the rows with given values of its first dimensions, for a server that just started, whose first response all of a
 * large index would delay. Only the pieces of the index that lead to the rows are read, and each is checked by its hash in the head of the
 * file, which the list of packs has the hash of.
 */
import { columnAt, layoutOf, ofColumn, PIECE_BYTES, PIECES } from '../core/index-file.ts';
import { firstPosition } from '../core/series.ts';
import type { PackEntry } from '../core/types.ts';
import { isBlock, type BlockLayout } from './blocks.ts';
import { digest, openForReading, sha256Hex } from './disk.ts';

/** Values of the dimensions of a pack, by name. */
type Values = Readonly<Record<string, string>>;

/**
 * The blocks of a pack that hold the rows with these values, and the index of these rows, numbered as in the whole. Null where the index
 * has no pieces, or where no value of the first dimension is given or known. Throws an Error where it is damaged or cannot be read.
 */
export function sliceOf(root: string, { rows, bytes, index }: PackEntry, values: Values): BlockLayout | null {
  const { head } = index;
  if (!head) return null;
  const file = openForReading(root, index);
  /** Bytes of the file, where their hash is right. */
  const checked = (start: number, length: number, isRight: (read: Uint8Array) => boolean): Uint8Array => {
    const read = file.readAt(start, length);
    if (isRight(read)) return read;
    throw new Error(`byte ${start} of an index, or one after it, is damaged`);
  };
  const top = checked(0, head.bytes, (read) => sha256Hex(read) === head.sha256);
  const { header, places, end } = layoutOf(top);
  const hashes = columnAt(top, ...ofColumn(places, PIECES));
  const pieces = new Map<number, Uint8Array>();
  const pieceAt = (number: number): Uint8Array => {
    const start = head.bytes + number * PIECE_BYTES;
    const piece =
      pieces.get(number) ??
      checked(start, Math.min(PIECE_BYTES, end - start), (read) => isBlock(hashes, number, digest(read)));
    pieces.set(number, piece);
    return piece;
  };
  /** The values of a column from one position up to another. */
  const part = (name: string, from: number, to: number): Uint32Array => {
    const [at, , width] = ofColumn(places, name);
    const found = new Uint8Array((to - from) * width);
    const begin = at - head.bytes + from * width;
    for (let copied = 0; copied < found.length;) {
      const [number, offset] = [Math.floor((begin + copied) / PIECE_BYTES), (begin + copied) % PIECE_BYTES];
      const piece = pieceAt(number).subarray(offset, offset + found.length - copied);
      found.set(piece, copied);
      copied += piece.length;
    }
    return columnAt(found, 0, to - from, width);
  };
  const valueAt = (name: string, at: number): number => part(name, at, at + 1)[0] ?? 0;
  const size = (name: string): number => ofColumn(places, name)[1];

  const dims = header['dims'] as [name: string, ...values: string[]][];
  let [from, to] = [0, size('row')];
  for (const [at, [name, ...known]] of dims.entries()) {
    const value = values[name];
    const id = value === undefined ? -1 : known.indexOf(value);
    if (id < 0 && at === 0) return null;
    if (id < 0) break;
    from = firstPosition(from, to, (run) => valueAt(name, run) >= id);
    to = firstPosition(from, to, (run) => valueAt(name, run) > id);
  }
  const endOf = (name: string, at: number, otherwise: number): number =>
    at < size(name) ? valueAt(name, at) : otherwise;
  const [firstRow, lastRow] = [endOf('row', from, rows), endOf('row', to, rows)];
  const blocks = size('blockRow');
  const last = firstPosition(0, blocks, (block) => valueAt('blockRow', block) >= lastRow);
  const first = Math.max(0, firstPosition(0, last, (block) => valueAt('blockRow', block) > firstRow) - 1);
  const rangeOf = (name: string): [from: number, to: number] => {
    if (name === 'blockHash') return [first * 8, last * 8];
    if (name.startsWith('block')) return [first, last];
    return /^pattern./.test(name) ? [0, size(name)] : [from, to];
  };
  const names = [...places.keys()].filter((name) => name !== PIECES);
  const columns = new Map(names.map((name) => [name, part(name, ...rangeOf(name))]));
  const start = endOf('blockStart', last, bytes) + endOf('blockStartHigh', last, 0) * 2 ** 32;
  return {
    rows: endOf('blockRow', last, rows),
    bytes: start,
    index: { header: { ...header, rows: lastRow }, column: (name) => ofColumn(columns, name) },
  };
}
