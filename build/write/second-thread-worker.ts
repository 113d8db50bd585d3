/** What runs in the second thread: tasks in, their results out, in order. */
import { parentPort } from 'node:worker_threads';
import { sha256, type Artifact } from '../lib/tree.ts';
import type { Packed } from '../pack/pack-file.ts';
import type { PackedOf } from '../pack/pack.ts';
import { formsOf } from '../render/bulk/bulk.ts';
import { pagesOfPlace, type PlaceInput, type PlacesCommon } from '../render/site/place-group.ts';

/** One task; its result is that of the method of Work. */
export type Task =
  | { kind: 'bulk'; of: PackedOf; entry: Packed['entry']; records: Uint8Array }
  | { kind: 'places'; inputs: readonly PlaceInput[]; common: PlacesCommon };

parentPort?.on('message', (task: Task) => {
  if (task.kind === 'bulk') {
    const { of, entry } = task;
    const records = Buffer.from(task.records.buffer, task.records.byteOffset, task.records.byteLength);
    const forms = formsOf(of, { entry, records });
    parentPort?.postMessage(forms, buffersOf(forms.artifacts));
    return;
  }
  const { inputs, common } = task;
  const pages = inputs.map((input) =>
    pagesOfPlace(input, common).map((page) => ({ ...page, sha256: sha256(page.bytes) })),
  );
  parentPort?.postMessage(pages, buffersOf(pages.flat()));
});

/** Memory that is handed over instead of copied: that of large files, which is not shared with others. */
function buffersOf(artifacts: readonly Artifact[]): ArrayBuffer[] {
  const buffers = artifacts.flatMap(({ bytes }) =>
    bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength ? [bytes.buffer] : [],
  );
  return [...new Set(buffers)];
}
