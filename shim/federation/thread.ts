/**
 * Reads bodies in a thread of their own: checking the largest takes most of a second, in which the server could not answer any
 * other request. The server's bundle has the thread as a file; where there is none, bodies are read in the main thread.
 */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { LaneBytes } from '../core/types.ts';
import type { Received } from './reading.ts';

/** A body for the thread, and the lane that it sends back. */
export interface Task {
  id: number;
  received: Received;
}
export interface Answer {
  id: number;
  lane: LaneBytes;
}

/** Next to the part of the bundle that this code is in. */
const FILE = new URL('./reading-thread.cjs', import.meta.url);
/**
 * Memory of the thread in megabytes. It is enough for the 2 MB that need the most of it. A thread that may have more collects its garbage
 * later, and the process grows by as much.
 */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 };

/** A body that takes longer is not read: its thread is ended, and what waits for it is unavailable. */
const READING_MS = 5000;

interface Pending {
  done(lane: LaneBytes): void;
  failed(error: unknown): void;
}

/** A thread, and the bodies that were handed over to it, by the id of the task. */
interface Thread {
  worker: Worker;
  pending: Map<number, Pending>;
  /** Starts the clock for the body that is read next. */
  watch(): void;
}

/** A reader in a thread, which starts now, and again after it has ended; undefined where there is no such file. Only tests give arguments. */
export function readingThread(
  file = FILE,
  mostMs = READING_MS,
): ((received: Received) => Promise<LaneBytes>) | undefined {
  if (file.protocol !== 'file:' || !existsSync(file)) return undefined;
  let last = 0;
  let thread: Thread | null = null;
  const started = (): Thread => {
    const worker = new Worker(file, { resourceLimits: MEMORY });
    const pending: Thread['pending'] = new Map();
    let late: NodeJS.Timeout | undefined;
    const watch = (): void => {
      clearTimeout(late);
      late = pending.size === 0 ? undefined : setTimeout(() => void worker.terminate(), mostMs).unref();
    };
    worker.on('message', ({ id, lane }: Answer) => {
      pending.get(id)?.done(lane);
      pending.delete(id);
      watch();
    });
    const ended = (error: unknown): void => {
      if (thread?.worker === worker) thread = null;
      for (const { failed } of pending.values()) failed(error);
      pending.clear();
      watch();
    };
    worker.on('error', ended);
    worker.on('exit', ended);
    // The process may end whatever the thread does; before it runs, this has no effect.
    worker.once('online', () => worker.unref());
    return { worker, pending, watch };
  };
  thread = started();
  return (received) => {
    const { worker, pending, watch } = (thread ??= started());
    const id = (last += 1);
    const lane = new Promise<LaneBytes>((done, failed) => pending.set(id, { done, failed }));
    if (pending.size === 1) watch();
    const { buffer, byteLength } = received.body;
    // Transferred, not copied: nothing else needs it. A small body shares its memory with others.
    const own = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
    worker.postMessage({ id, received } satisfies Task, own);
    return lane;
  };
}
