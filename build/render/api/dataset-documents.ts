/** data/datasets/<id>.json: what a dataset is and where it is from, in one document per dataset of any kind. */
import { sourceFacts, type PackedData } from '../../pack/pack.ts';
import type { Descriptor } from '../../lib/dataset.ts';
import { jsonArtifact, type Artifact } from '../../lib/tree.ts';

/** Path of a dataset's document. */
export function datasetDocument(id: string): string {
  return `data/datasets/${id}.json`;
}

/** Renders the document of every dataset. */
export function renderDatasetDocuments(descriptors: Descriptor[], { manifest }: PackedData): Artifact[] {
  return descriptors.map((descriptor) => {
    const { name: id, title, description, kind, limitations } = descriptor;
    const sources = descriptor.sources.map((source) => sourceFacts(source, manifest.generatedAt));
    return jsonArtifact(datasetDocument(id), {
      schema: 'svc.dataset.v1',
      id,
      title,
      description,
      kind,
      ...factsOf(descriptor),
      sources,
      limitations,
    });
  });
}

function factsOf(descriptor: Descriptor): object {
  if (descriptor.kind === 'observations') return { indicators: descriptor.indicators };
  if (descriptor.kind === 'entities') return {};
  const { domain, unit, rights, caveats, fields } = descriptor;
  return { domain, unit, rights, caveats, fields };
}
