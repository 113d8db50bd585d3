/**
 * data/datasets/<id>.json: what a dataset is, what its records cover, where they come from and in which files they are
 * published. Each document is made once; the catalog, the bulk metadata, the corridors and files.json read these objects.
 */
import { dataClock, sourceFacts } from '../../lib/clock.ts';
import { pick, type Descriptor } from '../../lib/dataset.ts';
import type { DatasetDocument, Observation } from '../../../shim/core/records.ts';
import { type Artifact, jsonArtifact, type TreeFile } from '../../lib/tree.ts';
import type { PackedData } from '../../pack/pack.ts';
import { mediaTypeOf } from '../../../shim/core/headers.ts';
import { datasetDocumentPath } from '../../../shim/core/paths.ts';

/** The documents of packed editions by the id of their pack, in order; `files` are the published forms of each, NDJSON first, once they are made. */
export function datasetDocuments(
  { manifest, editions }: Pick<PackedData, 'manifest' | 'editions'>,
  files: ReadonlyMap<string, readonly TreeFile[]> = new Map(),
): Map<string, DatasetDocument> {
  return new Map(
    editions.map((edition) => {
      const { descriptor, entry, coverage } = edition;
      const forms = [...(files.get(entry.id) ?? []), entry.index];
      return [
        entry.id,
        {
          schema: 'svc.dataset.v1',
          id: descriptor.name,
          ...pick(descriptor, 'title', 'description'),
          kind: descriptor.kind,
          edition: entry.edition,
          generatedAt: dataClock([edition]),
          ...ownFacts(descriptor),
          sources: descriptor.sources.map((source) => sourceFacts(source, manifest.generatedAt)),
          records: entry.rows,
          ...pick(coverage, 'firstPeriod', 'lastPeriod', 'geographies', 'indicators'),
          fields: descriptor.kind === 'atlas' ? descriptor.fields : [],
          limitations: descriptor.limitations,
          files: forms.map(({ path, bytes, sha256 }) => {
            return { path, mediaType: mediaTypeOf(path), bytes, sha256 };
          }),
        },
      ];
    }),
  );
}

/** The documents of the current editions. */
export function currentDocuments(documents: ReadonlyMap<string, DatasetDocument>): DatasetDocument[] {
  return [...documents].flatMap(([pack, document]) => (pack.includes('@') ? [] : document));
}

/** A document as it is published. */
export function datasetArtifact([pack, document]: readonly [
  pack: string,
  document: DatasetDocument,
]): Artifact {
  return jsonArtifact(datasetDocumentPath(pack), document);
}

/** The file with all records of a dataset, by its path from the site root, as the lists of datasets give it. */
export function recordsFile({ files: [file] }: DatasetDocument): Pick<TreeFile, 'path' | 'bytes' | 'sha256'> {
  return { path: `/${file?.path ?? ''}`, bytes: file?.bytes ?? 0, sha256: file?.sha256 ?? '' };
}

/** What only one kind of dataset has. */
function ownFacts(descriptor: Descriptor): Partial<DatasetDocument> {
  if (descriptor.kind === 'observations') return {};
  if (descriptor.kind === 'entities')
    return pick(descriptor, 'listDate', 'withheldAfterWithdrawal', 'withheldInDoubt', 'programs');
  return pick(descriptor, 'domain', 'unit', 'rights', 'caveats');
}

/** How many records have each status, and how many are a zero the source printed. */
export function countsOf(records: readonly Observation[]): Record<Observation['status'] | 'zeros', number> {
  const counted = (status: Observation['status']): number =>
    records.filter((record) => record.status === status).length;
  return {
    reported: counted('reported'),
    estimated: counted('estimated'),
    unavailable: counted('unavailable'),
    zeros: records.filter(({ value }) => value === 0).length,
  };
}
