/** Work shared with a second thread: the thread that is free does the next task. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers';
import { Worker } from 'node:worker_threads';
import { formsOf, perform, type Kind, type Tasks, type Tools, type Work } from '../render/work.ts';
import type { Posted } from './second-thread-worker.ts';

/** Tasks that are handed over before the first of them is done, so that the thread never waits while this one works. */
const AHEAD = 2;
/** So many tasks are left for this thread when one is handed over ahead: the last of them are done by the thread that is free first. */
const LEFT = 6;

/** What this thread does first; less waits for the others, which the other one does first. */
const OURS: readonly Kind[] = ['edition', 'compare', 'revisions', 'places'];
const THEIRS: readonly Kind[] = ['tables', 'workbook'];

interface Waiting extends Posted {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Starts the thread; `root` is the folder of the tree that grows. `turns` counts how often the build let others go first: while it
 * does not, it waits for tasks.
 */
export function twoThreads(tools: Tools, root: string, turns: () => number): Work {
  const queue: Waiting[] = [];
  const handed: Waiting[] = [];
  // How many tasks may be handed over.
  let most = 0;
  let isPlanned = false;
  let ended: unknown = null;
  const taken = (...kinds: readonly Kind[]): Waiting | undefined => {
    for (const kind of kinds) {
      const at = queue.findIndex((waiting) => waiting.kind === kind);
      if (at >= 0) return queue.splice(at, 1)[0];
    }
    return undefined;
  };
  const hand = (waiting: Waiting): void => {
    handed.push(waiting);
    worker.postMessage({ kind: waiting.kind, task: waiting.task }, []);
  };
  const next = (): void => {
    // The one long task is never done here. It comes after the tables, whose workbooks this thread can make meanwhile.
    const isNext = handed.length === 0 && queue.every(({ kind }) => kind !== 'tables');
    const long = isNext ? taken('database') : undefined;
    if (long) hand(long);
    while (handed.length < most && queue.length > (handed.length === 0 ? 0 : LEFT)) {
      const waiting = taken(...THEIRS, ...OURS);
      if (!waiting) break;
      hand(waiting);
    }
  };
  /**
   * Hands tasks over once all of them are known, and does one here: of those that the other one does first, only while the build
   * waits for it.
   */
  const plan = (seen = -1): void => {
    if (isPlanned || queue.length === 0) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      next();
      const own = taken(...OURS) ?? (turns() === seen ? taken(...THEIRS) : undefined);
      if (!own) {
        // What is never done here is handed over when the thread has done its task.
        if (queue.some(({ kind }) => kind !== 'database')) plan(turns());
        return;
      }
      perform(own.kind, own.task, tools).then(own.resolve, (error: unknown) => {
        own.reject(error);
        fail(error);
      });
      plan();
    });
  };
  const fail = (error: unknown): void => {
    ended ??= error;
    for (const { reject } of [...handed.splice(0), ...queue.splice(0)]) reject(error);
  };
  const worker = new Worker(join(import.meta.dirname, 'second-thread-start.mjs'), {
    execArgv: [],
    workerData: { root },
    // The memory of tasks is bounded; without a limit, garbage is collected late.
    resourceLimits: { maxOldGenerationSizeMb: 768 },
  });
  // It says first that it is there: before, only the long task is handed over. Tasks are done in their order, so each result is of
  // the first that was handed over.
  worker.on('message', (result: unknown) => {
    if (most > 0) handed.shift()?.resolve(result);
    most = AHEAD;
    next();
    plan();
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the second thread of the build ended early')));
  const add = async (kind: Kind, task: Posted['task']): Promise<unknown> => {
    // A thread that failed or was closed takes no more tasks: files that it writes would not be removed.
    if (ended !== null) throw ended;
    const result = new Promise<unknown>((resolve, reject) => {
      queue.push({ kind, task, resolve, reject });
    });
    plan();
    return result;
  };
  return {
    async do<K extends Kind>(kind: K, task: Tasks[K]['takes']) {
      const result = kind === 'forms' ? formsOf(this, task as Tasks['forms']['takes']) : add(kind, task);
      // The border: a thread gives what the task says.
      return (await result) as Tasks[K]['gives'];
    },
    async close() {
      fail(new Error('the work was ended'));
      await worker.terminate();
    },
  };
}
