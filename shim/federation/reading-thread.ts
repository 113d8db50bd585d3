/** Runs in the thread that thread.ts starts: reads bodies one after the other. */
import { parentPort } from 'node:worker_threads';
import { readLane } from './reading.ts';
import type { Answer, Task } from './thread.ts';

parentPort?.on('message', ({ id, received }: Task) => {
  const lane = readLane(received);
  const answer: Answer = { id, lane };
  parentPort?.postMessage(answer, [lane.bytes.buffer as ArrayBuffer]);
});
