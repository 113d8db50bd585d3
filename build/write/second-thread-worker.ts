/** What runs in the second thread: tasks in, their results out, in order. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Artifact } from '../lib/tree.ts';
import { perform, type Kind, type Tasks } from '../render/work.ts';
import { realEffects } from './effects.ts';
import { filesIn } from './folder-files.ts';

/** One task, and the place of the tree that grows. */
export interface Posted<K extends Kind = Kind> {
  kind: K;
  task: Tasks[K]['takes'];
}

const { root } = workerData as { root: string };
const tools = { effects: realEffects(), folder: filesIn(root) };

let before = Promise.resolve();
parentPort?.on('message', ({ kind, task }: Posted) => {
  before = before.then(async () => {
    const result = await perform(kind, task, tools);
    parentPort?.postMessage(result, kind === 'places' ? buffersOf(result as Artifact[][]) : []);
  });
});
parentPort?.postMessage('ready', []);

/** Memory that is handed over instead of copied: that of large files, which is not shared with others. */
function buffersOf(pages: readonly Artifact[][]): ArrayBuffer[] {
  const buffers = pages
    .flat()
    .flatMap(({ bytes }) =>
      bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength
        ? [bytes.buffer]
        : [],
    );
  return [...new Set(buffers)];
}
