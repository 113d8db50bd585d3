/** A pack of a remote release: its index was fetched, and the blocks of its records are fetched as they are needed. */
import type { Pack, PackEntry, PackIndex } from '../core/types.ts';
import { blockRows, blocksOf, everyBlock, isBlock, deriving } from '../store/blocks.ts';
import type { BlockCache, BlockSpan } from '../store/blocks.ts';
import type { Fetches } from './fetches.ts';
import type { Recent } from './recent.ts';
import type { Rounds } from './rounds.ts';
import { SourceError, type Source } from './source.ts';
import { checked, digestOf } from './trust.ts';

/** The parts that the packs of a release share. */
export interface PackHost {
  source: Source;
  runs: Rounds;
  fetches: Fetches;
  /** Blocks as they were sent, by `<path> <number>`; and those of them cut into lines. */
  blocks: Recent<Uint8Array>;
  lines: BlockCache;
  /** Whether the host is known to send parts of files. Until then each fetch waits for the one before, which may bring the whole file. */
  givesParts: boolean;
}

/** Bytes that one request may cover. */
const RANGE_BYTES = 1024 * 1024;
/** Blocks this close are fetched together with those between them: a request costs more than what it carries. */
const GAP_BYTES = 80 * 1024;

/** Opens a pack whose index was read and checked. */
export function remotePack(entry: PackEntry, index: PackIndex, host: PackHost): Pack {
  const { fetches } = host;
  const layout = { rows: entry.rows, bytes: entry.bytes, index };
  const what = `Dataset ${entry.id}`;
  const nameOf = (number: number): string => `${entry.path} ${number}`;
  const copy = blockRows(
    layout,
    ({ number }) => {
      const block = host.blocks.get(nameOf(number));
      if (!block) throw new Error(`block ${number} of ${entry.path} did not stay in memory`);
      return block.slice();
    },
    { digest: null, cache: host.lines },
  );

  const fetchPart = async (wanted: readonly BlockSpan[]): Promise<void> => {
    const { start = 0 } = wanted[0] ?? {};
    const last = wanted.at(-1) ?? { start, length: 0 };
    const received = await host.source.part(entry.path, start, last.start + last.length - start, entry.bytes);
    host.givesParts = !received.isWhole;
    if (received.isWhole) await checked(entry.path, received.bytes, entry.sha256);
    const wrong: BlockSpan[] = [];
    for (const span of received.isWhole ? everyBlock(layout) : wanted) {
      const at = span.start - (received.isWhole ? 0 : start);
      // A copy: a view would keep the whole response in memory as long as one block of it.
      const block = received.bytes.slice(at, at + span.length);
      if (received.isWhole || isBlock(index.column('blockHash'), span.number, await digestOf(block)))
        host.blocks.set(nameOf(span.number), block);
      else wrong.push(span);
    }
    const [damaged] = wrong;
    if (damaged)
      throw new SourceError(
        entry.path,
        `bytes ${damaged.start} to ${damaged.start + damaged.length - 1} do not match their sha256: they were changed, or belong to another release`,
      );
  };

  const fetchBlocks = async (numbers: ReadonlySet<number>): Promise<void> => {
    const isFree = (number: number): boolean =>
      !host.blocks.has(nameOf(number)) && !fetches.underway(nameOf(number));
    // A fetch of another run may fail because of a block that is not needed here; what is missing then is fetched in the next round.
    const pending = [...numbers].map(async (number) =>
      fetches.underway(nameOf(number))?.catch(() => undefined),
    );
    const free = [...numbers].filter(isFree);
    const all = everyBlock(layout);
    for (const near of neighbours(all, free, isFree)) {
      if (!near.some(({ number }) => isFree(number))) continue;
      const [names = [], expected] = [near, host.givesParts ? near : all].map((spans) =>
        spans.map(({ number }) => nameOf(number)),
      );
      const started = fetches.once(names, what, async () => fetchPart(near), expected);
      pending.push(started);
      if (!host.givesParts) await started;
    }
    await Promise.all(pending);
  };

  let wanted = new Set<number>();
  return {
    entry,
    index,
    derive: deriving(host.runs.isWhole),
    copy(from, to, chunks) {
      const absent = blocksOf(layout, from, to).filter(({ number }) => !host.blocks.has(nameOf(number)));
      if (absent.length === 0) return copy(from, to, chunks);
      for (const { number } of absent) {
        const known = fetches.failure(nameOf(number), what);
        if (known) throw known;
        wanted.add(number);
      }
      host.runs.lacks(entry.path, async () => {
        const numbers = wanted;
        wanted = new Set();
        await fetchBlocks(numbers);
      });
      // The result of this run is thrown away: it is repeated when the blocks are there.
      return [];
    },
  };
}

/** Groups the wanted blocks into requests of a bounded size. Blocks that are near share one, with the free blocks between them. */
function neighbours(
  all: readonly BlockSpan[],
  wanted: readonly number[],
  isFree: (number: number) => boolean,
): BlockSpan[][] {
  const groups: BlockSpan[][] = [];
  for (const number of wanted.toSorted((a, b) => a - b)) {
    const group = groups.at(-1) ?? [];
    const between = all.slice((group.at(-1)?.number ?? number) + 1, number + 1);
    const { start = 0 } = group[0] ?? {};
    const length = between.reduce((sum, span) => sum + span.length, 0);
    const end = (group.at(-1)?.start ?? 0) + (group.at(-1)?.length ?? 0);
    const isNear = group.length > 0 && length <= GAP_BYTES && end + length - start <= RANGE_BYTES;
    if (isNear && between.every((span) => isFree(span.number))) group.push(...between);
    else groups.push(all.slice(number, number + 1));
  }
  return groups;
}
