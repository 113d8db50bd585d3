/** data/editions.json, the payload of `editions`: every edition of every dataset, one entry for each source file. */
import { lastDay } from '../../../shim/core/editions.ts';
import { absolute, datasetDocumentPath, EDITIONS, packPath, timeMapPath } from '../../../shim/core/paths.ts';
import { pick } from '../../lib/dataset.ts';
import type { SourceRows } from '../../pack/coverage.ts';
import type { PackedData } from '../../pack/pack.ts';
import type { DatasetDocument } from '../../../shim/core/records.ts';
import { jsonArtifact, textArtifact, type Artifact } from '../../lib/tree.ts';

const LIMITATIONS = [
  'An edition is dated by its publisher. A month counts as its last day, so that nothing is said to have been published earlier than it was.',
  'The list of designations is published in its current edition only.',
];

/** The counts of a source from which an edition has no rows. */
const NO_ROWS: SourceRows = { rows: 0, periods: { first: null, last: null, count: 0 } };

/** An entry: what an edition of a dataset has from one source file. */
export type PublishedEdition = ReturnType<typeof entriesOf>[number];

function entriesOf(packed: PackedData['editions'], documents: ReadonlyMap<string, DatasetDocument>) {
  return packed.flatMap(({ entry: { id: pack }, coverage }) => {
    const document = documents.get(pack);
    if (!document) return [];
    const [records] = document.files;
    return document.sources.map(({ id, name, publisher, dated, retrievedAt, sha256, bytes }) => ({
      dataset: document.id,
      source: id,
      name,
      publisher,
      edition: dated,
      datasetEdition: document.edition,
      current: !pack.includes('@'),
      retrieved: retrievedAt,
      sha256,
      bytes,
      ...(coverage.sources[id] ?? NO_ROWS),
      records: records ? pick(records, 'path', 'bytes', 'sha256') : null,
      document: datasetDocumentPath(pack),
      timemap: document.kind === 'entities' ? null : timeMapPath(document.id),
    }));
  });
}

/** Renders the list; `documents` are those of all editions by the id of their pack. */
export function renderEditions(
  { manifest: { generatedAt }, editions: packed }: Pick<PackedData, 'manifest' | 'editions'>,
  documents: ReadonlyMap<string, DatasetDocument>,
): Artifact {
  return jsonArtifact(EDITIONS, {
    schema: 'svc.api.editions.v1',
    generatedAt,
    editions: entriesOf(packed, documents),
    limitations: LIMITATIONS,
  });
}

/** The TimeMaps: for each dataset its records as a resource whose past is the files of its editions. */
export function renderTimeMaps(documents: ReadonlyMap<string, DatasetDocument>, siteUrl: string): Artifact[] {
  const maps = new Map<string, string[]>();
  for (const { id, kind, edition, files } of documents.values()) {
    if (kind === 'entities') continue;
    const original = `<${absolute(siteUrl, packPath(id))}>;rel="original"`;
    const self = `<${absolute(siteUrl, timeMapPath(id))}>;rel="self";type="application/link-format"`;
    const datetime = new Date(`${lastDay(edition)}T00:00:00Z`).toUTCString();
    const memento = `<${absolute(siteUrl, files[0]?.path ?? '')}>;rel="memento";datetime="${datetime}"`;
    maps.set(id, [...(maps.get(id) ?? [original, self]), memento]);
  }
  return [...maps].map(([id, links]) => textArtifact(timeMapPath(id), `${links.join(',\n')}\n`));
}
