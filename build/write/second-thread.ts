/** Work shared with a second thread: whoever is free does the next task. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers';
import { Worker } from 'node:worker_threads';
import { perform, type Kind, type Tasks, type Tools, type Work } from '../render/work.ts';
import type { Posted } from './second-thread-worker.ts';

/** Tasks that are handed over before the first of them is done, so that the thread never waits while this one works. */
const AHEAD = 2;

/** The one long task, which the fewest wait for: this thread has pages to make meanwhile. */
const isTheirs = ({ kind }: Posted): boolean => kind === 'database';

/** Tasks that less waits for than for others: the thread has them first, and this one while it has enough of them. */
const canWait = ({ kind }: Posted): boolean => kind === 'database' || kind === 'forms';

interface Waiting extends Posted {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Starts the thread with the first task; `root` is the folder of the tree that grows. */
export function twoThreads(tools: Tools, root: string): Work {
  let worker: Worker | null = null;
  const queue: Waiting[] = [];
  const handed: Waiting[] = [];
  // How many tasks may be handed over.
  let most = 0;
  let isPlanned = false;
  let ended: unknown = null;
  const taken = (at: number): Waiting | undefined => (at < 0 ? undefined : queue.splice(at, 1)[0]);
  const next = (): void => {
    while (handed.length < most) {
      // What would wait there while there is nothing for this thread is better done here.
      const waiting = taken(queue.findIndex(canWait)) ?? taken(queue.length > handed.length + 1 ? 0 : -1);
      if (!waiting) break;
      handed.push(waiting);
      worker?.postMessage({ kind: waiting.kind, task: waiting.task }, []);
    }
    const isLeft = most > 0 ? isTheirs : canWait;
    if (isPlanned || queue.every(isLeft)) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      const own =
        taken(queue.findIndex((waiting) => !canWait(waiting))) ??
        taken(queue.findIndex((waiting) => !isLeft(waiting)));
      if (own) own.resolve(perform(own.kind, own.task, tools));
      next();
    });
  };
  const fail = (error: unknown): void => {
    ended ??= error;
    for (const { reject } of [...handed.splice(0), ...queue.splice(0)]) reject(error);
  };
  const start = (): Worker => {
    const started = new Worker(join(import.meta.dirname, 'second-thread-start.mjs'), {
      execArgv: [],
      workerData: { root },
      // What tasks hold is bounded; without a limit, garbage is collected late.
      resourceLimits: { maxOldGenerationSizeMb: 768 },
    });
    // It says first that it is there: it takes a second to start, in which few tasks are done here. Tasks are done in their
    // order, so each result is of the first that was handed over.
    started.on('message', (result: unknown) => {
      if (most > 0) handed.shift()?.resolve(result);
      most = AHEAD;
      next();
    });
    started.on('error', fail);
    started.on('exit', () => fail(new Error('the second thread of the build ended early')));
    return started;
  };
  return {
    do: <K extends Kind>(kind: K, task: Tasks[K]['takes']) => {
      const result = new Promise<unknown>((resolve, reject) => {
        // What failed or was closed takes no more work: nobody would remove what it writes.
        if (ended === null) queue.push({ kind, task, resolve, reject });
        else reject(ended);
      });
      if (ended === null) worker ??= start();
      next();
      // The border: a thread gives what the task says.
      return result as Promise<Tasks[K]['gives']>;
    },
    async close() {
      fail(new Error('the work was ended'));
      await worker?.terminate();
    },
  };
}
