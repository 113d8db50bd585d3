/** data/editions.json, the payload of `editions`: every edition of every dataset, one entry for each source file. */
import { lastDay } from '../../../shim/core/editions.ts';
import { absolute, datasetDocumentPath, EDITIONS, packPath, timeMapPath } from '../../../shim/core/paths.ts';
import { byCodeUnits, pick, type Dataset } from '../../lib/dataset.ts';
import type { DatasetDocument } from '../../../shim/core/records.ts';
import { jsonArtifact, textArtifact, type Artifact } from '../../lib/tree.ts';

const LIMITATIONS = [
  'An edition is dated by its publisher. A month counts as its last day, so that nothing is said to have been published earlier than it was.',
  'The list of designations is published in its current edition only.',
];

/** Renders the list; `documents` are those of `datasets`, in the same order, by the id of their pack. */
export function renderEditions(
  datasets: readonly Dataset[],
  documents: ReadonlyMap<string, DatasetDocument>,
  generatedAt: string,
): Artifact {
  const packs = [...documents];
  const editions = datasets.flatMap((dataset, position) => {
    const [pack = '', document] = packs[position] ?? [];
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
      ...rowsOf(dataset, id),
      records: records ? pick(records, 'path', 'bytes', 'sha256') : null,
      document: datasetDocumentPath(pack),
      timemap: dataset.kind === 'entities' ? null : timeMapPath(document.id),
    }));
  });
  return jsonArtifact(EDITIONS, {
    schema: 'svc.api.editions.v1',
    generatedAt,
    editions,
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

/** How many rows a source has in an edition, and their periods. */
function rowsOf(dataset: Dataset, source: string): object {
  if (dataset.kind === 'entities')
    return { rows: dataset.rows.length, periods: { first: null, last: null, count: 0 } };
  const periods =
    dataset.kind === 'atlas'
      ? dataset.rows.filter((row) => row.source === source).map(({ year }) => String(year))
      : dataset.rows.filter(({ sourceId }) => sourceId === source).map(({ period }) => period);
  const distinct = [...new Set(periods)].sort(byCodeUnits);
  const [first = null, last = null] = [distinct[0], distinct.at(-1)];
  return { rows: periods.length, periods: { first, last, count: distinct.length } };
}
