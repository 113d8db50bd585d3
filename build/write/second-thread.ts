/** Work of a large build in a second thread, next to the rest of the build. */
import { Worker } from 'node:worker_threads';
import type { Artifact } from '../lib/tree.ts';
import type { Forms } from '../render/bulk/bulk.ts';
import type { Work } from '../render/work.ts';
import type { Task } from './second-thread-worker.ts';

/** Starts the thread; `close` ends it, whatever it does. */
export function secondThread(): Work {
  const worker = new Worker(new URL('./second-thread-start.mjs', import.meta.url), { execArgv: [] });
  const waiting: { resolve: (result: unknown) => void; reject: (error: unknown) => void }[] = [];
  const fail = (error: unknown): void => {
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  // Tasks are done in their order, so each result is of the first that waits.
  worker.on('message', (result: unknown) => waiting.shift()?.resolve(result));
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the second thread of the build ended early')));
  const done = (task: Task): Promise<unknown> => {
    const result = new Promise<unknown>((resolve, reject) => void waiting.push({ resolve, reject }));
    worker.postMessage(task, []);
    return result;
  };
  return {
    async bulk(of, { entry, records }) {
      const forms = (await done({ kind: 'bulk', of, entry, records })) as Forms;
      return { ...forms, artifacts: forms.artifacts.map(asBuffer) };
    },
    async places(inputs, common) {
      const pages = (await done({ kind: 'places', inputs, common })) as Artifact[][];
      return pages.map((own) => own.map(asBuffer));
    },
    close: () => void worker.terminate(),
  };
}

function asBuffer(artifact: Artifact): Artifact {
  const { buffer, byteOffset, byteLength } = artifact.bytes;
  return { ...artifact, bytes: Buffer.from(buffer, byteOffset, byteLength) };
}
