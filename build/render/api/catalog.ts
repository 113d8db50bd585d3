/** The market catalog, and the list of all files under data/: both taken from the documents of the datasets. */
import type { PackManifest } from '../../../shim/core/types.ts';
import { absolute, CATALOG, DATA_FILES } from '../../../shim/core/paths.ts';
import { jsonArtifact, treeHash, type Artifact, type Tree } from '../../lib/tree.ts';
import { pick } from '../../lib/dataset.ts';
import type { DatasetDocument } from '../../../shim/core/records.ts';
import { recordsFile } from './dataset-documents.ts';
import catalog from './catalog.json' with { type: 'json' };

/** Renders data/catalog.json, the payload of `markets`; national context is not a market and is not in it. */
export function renderCatalog(
  documents: readonly DatasetDocument[],
  { generatedAt, unavailable, packs }: PackManifest,
  siteUrl: string,
): Artifact {
  const listed = documents.filter((document) =>
    packs.some(({ id, kind }) => id === document.id && kind === 'observations'),
  );
  return jsonArtifact(CATALOG, {
    schema: 'svc.global-market-catalog.v1',
    status: listed.length === 0 ? 'unavailable' : unavailable.length > 0 ? 'partial' : 'available',
    generatedAt,
    unavailableDatasets: unavailable.map(({ id, reason }) => ({ id, reason })),
    limitations: catalog.limitations,
    datasets: listed.map(datasetOf),
    relatedResources: catalog.relatedResources.map(({ name, description }) => ({
      name,
      url: absolute(siteUrl, `api/v1/${name}`),
      description,
    })),
  });
}

/** Renders data/files.json: every file under data/ that is not a page, with its hash; and the freshness of every source. */
export function renderDataFiles(
  tree: Tree,
  documents: readonly DatasetDocument[],
  generatedAt: string,
): Artifact {
  const files = tree.sorted().filter(({ path }) => path.startsWith('data/') && !path.endsWith('.html'));
  const sources = documents.flatMap(({ id: dataset, sources: listed }) =>
    listed.map((source) => ({
      dataset,
      ...pick(source, 'id', 'dated', 'retrievedAt', 'cadence', 'staleAfter', 'stale'),
    })),
  );
  return jsonArtifact(DATA_FILES, {
    schema: 'svc.data-files.v1',
    generatedAt,
    treeSha256: treeHash(files),
    files: files.map((file) => ({ ...file, path: `/${file.path}` })),
    sources,
  });
}

function datasetOf(document: DatasetDocument): object {
  return {
    ...pick(document, 'id', 'title', 'generatedAt'),
    ...recordsFile(document),
    sources: document.sources,
    geographyNames: Object.fromEntries(document.geographies.map(({ code, name }) => [code, name])),
    ...pick(document, 'indicators', 'limitations'),
  };
}
