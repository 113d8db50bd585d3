/** Writes a tree of generated observations that a store opens: records and index line by line, never all in memory. */
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { seriesIndexer, type SeriesIndexer } from '../../build/pack/pack-file.ts';
import type { Observation } from '../../shim/core/records.ts';
import { OBSERVATION_DIMENSIONS } from '../../build/pack/pack.ts';
import { sha256 } from '../../build/lib/tree.ts';
import { PACK_MANIFEST, packIndexPath, packPath } from '../../shim/core/paths.ts';
import type { PackEntry, PackManifest } from '../../shim/core/types.ts';
import { observations } from './scale-records.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
const CLOCK = '2026-01-01T00:00:00Z';

/** Writes packs, indexes and manifest of `rows` observations below `root`; `progress` hears of every finished million. */
export async function writeScaleTree(
  root: string,
  rows: number,
  progress: (line: string) => void,
): Promise<PackManifest> {
  const packs: PackEntry[] = [];
  let open: OpenPack | null = null;
  let written = 0;
  for (const record of observations(rows)) {
    if (open?.id !== record.datasetId) {
      if (open) packs.push(open.finish());
      open = openPack(root, record.datasetId);
    }
    open.add(record);
    written += 1;
    // A signal is heard between these.
    if (written % 50_000 === 0) await setImmediate();
    if (written % 1_000_000 === 0) progress(`${written} of ${rows} records written`);
  }
  if (open) packs.push(open.finish());
  const manifest: PackManifest = {
    schema: 'svc.packs.v1',
    generatedAt: CLOCK,
    packs,
    editions: [],
    revisions: null,
    unavailable: [],
  };
  const text = JSON.stringify(manifest);
  writeFileSync(join(root, PACK_MANIFEST), text);
  writeFileSync(join(root, `${PACK_MANIFEST}.sha256`), `${sha256(text)}  packs.json\n`);
  return manifest;
}

interface OpenPack {
  id: string;
  add(record: Observation): void;
  finish(): PackEntry;
}

function openPack(root: string, id: string): OpenPack {
  const path = packPath(id);
  mkdirSync(dirname(join(root, packIndexPath(id))), { recursive: true });
  const file = openSync(join(root, path), 'w');
  const sum = createHash('sha256');
  const indexer: SeriesIndexer = seriesIndexer(OBSERVATION_DIMENSIONS);
  const indicators = new Set<string>();
  let waiting: Buffer[] = [];
  let held = 0;
  let rows = 0;
  let bytes = 0;
  const flush = (): void => {
    const chunk = Buffer.concat(waiting);
    sum.update(chunk);
    for (let at = 0; at < chunk.length;) at += writeSync(file, chunk, at);
    bytes += chunk.length;
    waiting = [];
    held = 0;
  };
  return {
    id,
    add(record) {
      const line = Buffer.from(`${JSON.stringify(record)}\n`, 'utf8');
      const { indicatorId, geoCode, category, subgroup, period } = record;
      indexer.add({ dims: [indicatorId, geoCode, category, subgroup], period }, line);
      indicators.add(indicatorId);
      waiting.push(line);
      held += line.length;
      rows += 1;
      if (held >= CHUNK_BYTES) flush();
    },
    finish() {
      flush();
      closeSync(file);
      const index = indexer.finish();
      writeFileSync(join(root, packIndexPath(id)), index);
      return {
        id,
        edition: CLOCK.slice(0, 10),
        kind: 'observations',
        rows,
        path,
        bytes,
        sha256: sum.digest('hex'),
        index: { path: packIndexPath(id), bytes: index.length, sha256: sha256(index) },
        meta: { title: `Generated records ${id}`, indicators: [...indicators], staleNotes: [] },
      };
    },
  };
}
