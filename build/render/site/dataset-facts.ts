/** What the pages of one dataset are made from: the dataset and nothing else. */
import type { DatasetSource } from '../../../shim/core/records.ts';
import type { BulkDataset } from '../bulk/release.ts';
import { designationsNote, type RecordFacts } from '../facts.ts';
import type { PlacesFigure } from '../map/maps.ts';
import { fileAddress, type SourceFile } from './source-files.ts';

/** What these pages are made from. */
export type DatasetFacts = ReturnType<typeof datasetFacts>;

/** A map as lists name it. */
export type MapListed = Pick<PlacesFigure, 'id' | 'title' | 'period' | 'places'>;

/** The facts of one dataset of a release, `files` being all files of publishers. */
export function datasetFacts(
  { siteUrl, evidence, descriptors, world }: RecordFacts,
  dataset: BulkDataset,
  files: ReadonlyMap<string, SourceFile>,
) {
  const { id, kind } = dataset.document;
  const { generatedAt } = evidence;
  const own = descriptors.filter(({ name }) => name === id);
  return {
    site: { siteUrl, generatedAt },
    dataset,
    /** Every edition, oldest first. */
    editions: evidence.editions.get(id) ?? [],
    pairs: evidence.pairs.filter(({ datasetId }) => datasetId === id),
    note: kind === 'entities' ? designationsNote(own, generatedAt) : null,
    /** Address of the page of each publisher's file. */
    fileOf: (source: DatasetSource) => fileAddress(files, source),
    places: new Map([...evidence.places.values()].map(({ code, rows }) => [code, rows.get(id) ?? 0])),
    world,
    /** Whether every row is on a page: the dataset is not too large. */
    hasRowPages: evidence.hasRowPages(id),
    observations: (indicator: string) => evidence.observations(id, { indicator }),
    /** The same a part at a time, and those of them that its figure may be of. */
    passing: (indicator: string) => evidence.passing(id, { indicator }),
    lastOf: (indicator: string) => evidence.lastOf(id, indicator),
    atlas: () => evidence.atlas(id),
    revisions: (indicator: string) => evidence.revisions({ dataset: id, indicator }),
  };
}
