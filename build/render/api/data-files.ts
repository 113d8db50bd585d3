/** data/files.json: every packaged file under data/ with its hash, and the freshness of every source. */
import { DATA_FILES } from '../../../shim/core/paths.ts';
import { sha256 } from '../../lib/hash.ts';
import type { DatasetDocument } from '../../lib/records.ts';
import { jsonArtifact, type Artifact, type Tree } from '../../lib/tree.ts';

/** Lists what is under data/ so far; render it last of data/. */
export function renderDataFiles(
  tree: Tree,
  documents: readonly DatasetDocument[],
  generatedAt: string,
): Artifact {
  const files = tree
    .sorted()
    .filter(([path]) => path.startsWith('data/'))
    .map(([path, bytes]) => ({ path: `/${path}`, bytes: bytes.length, sha256: tree.sha256(path) }));
  const lines = files.map((file) => `${file.sha256}  ${file.path.slice(1)}\n`).join('');
  const sources = documents.flatMap(({ id: dataset, sources: listed }) =>
    listed.map(({ id, dated, retrievedAt, cadence, staleAfter, stale }) => ({
      dataset,
      id,
      dated,
      retrievedAt,
      cadence,
      staleAfter,
      stale,
    })),
  );
  return jsonArtifact(DATA_FILES, {
    schema: 'svc.data-files.v1',
    generatedAt,
    treeSha256: sha256(lines),
    files,
    sources,
  });
}
