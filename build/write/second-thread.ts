/** Work shared with a second thread: whoever is free does the next task. */
import { setImmediate } from 'node:timers';
import { Worker } from 'node:worker_threads';
import { perform, type Kind, type Tasks, type Tools, type Work } from '../render/work.ts';
import type { Posted } from './second-thread-worker.ts';

/** Tasks that are handed over before the first of them is done, so that the thread never waits while this one works. */
const AHEAD = 2;

interface Waiting extends Posted {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Starts the thread; `root` is the folder of the tree that grows. */
export function twoThreads(tools: Tools, root: string): Work {
  const worker = new Worker(new URL('./second-thread-start.mjs', import.meta.url), {
    execArgv: [],
    workerData: { root },
    // What tasks hold is bounded; without a limit, garbage is collected late.
    resourceLimits: { maxOldGenerationSizeMb: 768 },
  });
  const queue: Waiting[] = [];
  const handed: Waiting[] = [];
  // How many tasks may be handed over.
  let most = 0;
  let isPlanned = false;
  let ended: unknown = null;
  const next = (): void => {
    while (handed.length < most && queue.length > 0) {
      const waiting = queue.shift();
      if (!waiting) return;
      handed.push(waiting);
      worker.postMessage({ kind: waiting.kind, task: waiting.task }, []);
    }
    if (isPlanned || queue.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      const own = queue.shift();
      if (own) own.resolve(perform(own.kind, own.task, tools));
      next();
    });
  };
  const fail = (error: unknown): void => {
    ended ??= error;
    for (const { reject } of [...handed.splice(0), ...queue.splice(0)]) reject(error);
  };
  // It says first that it is there: it takes a second to start, in which few tasks are done here. Tasks are done in their order,
  // so each result is of the first that was handed over.
  worker.on('message', (result: unknown) => {
    if (most > 0) handed.shift()?.resolve(result);
    most = AHEAD;
    next();
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the second thread of the build ended early')));
  return {
    do: <K extends Kind>(kind: K, task: Tasks[K]['takes']) => {
      const result = new Promise<unknown>((resolve, reject) => {
        // What failed or was closed takes no more work: nobody would remove what it writes.
        if (ended === null) queue.push({ kind, task, resolve, reject });
        else reject(ended);
      });
      next();
      // The border: a thread gives what the task says.
      return result as Promise<Tasks[K]['gives']>;
    },
    async close() {
      fail(new Error('the work was ended'));
      await worker.terminate();
    },
  };
}
