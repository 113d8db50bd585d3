/** What the metadata documents share: the release they describe, its words, and each dataset's licences and dates. */
import type { DatasetDocument } from '../../lib/records.ts';
import type { BulkFile } from './bulk.ts';

/** A release as the metadata documents see it. */
export interface BulkRelease {
  siteUrl: string;
  /** The data clock, date-time. */
  generatedAt: string;
  datasets: BulkDataset[];
}

/** A dataset's document, and its files with their columns. */
export interface BulkDataset {
  document: DatasetDocument;
  files: readonly BulkFile[];
}

/** Name, title, publisher and description of the collection in every metadata document. */
export const COLLECTION = {
  name: 'public-evidence',
  title: 'Public evidence on illicit economies',
  publisher: 'Public Evidence API',
  description:
    'Aggregate official data on illicit economies and national context, one record a source cell, each with its unit as printed, source file, sha256 and locator. A missing value is null with a reason and never zero; nothing is converted, summed or estimated here. Each source governs reuse of its data.',
};

/** What a file is called in every metadata document: `drug-seizures.csv`, `drug-seizures.seizures.parquet`. */
export function fileName(dataset: string, { indicator, form }: BulkFile): string {
  return [dataset, ...(indicator === null ? [] : [indicator]), form].join('.');
}

/** The columns that identify a row. */
export function keyOf({ kind }: DatasetDocument): readonly string[] {
  if (kind === 'observations') return ['id'];
  return kind === 'atlas' ? ['domain', 'data.iso3', 'data.year'] : ['sanctions_entity_number'];
}

/** A licence of a dataset, in the publisher's words. */
export interface Licence {
  text: string;
  url: string | null;
}

/** The distinct licences of a dataset's sources, in their order. */
export function licencesOf({ sources }: DatasetDocument): Licence[] {
  return distinct(
    sources.map(({ license, licenseUrl }) => ({ text: license, url: licenseUrl })),
    ({ text }) => text,
  );
}

/** The distinct publishers of a dataset's sources, in their order. */
export function publishersOf({ sources }: DatasetDocument): string[] {
  return distinct(
    sources.map(({ publisher }) => publisher),
    (publisher) => publisher,
  );
}

/** What a dataset is about, as words to search by. */
export function keywordsOf({ kind, domain, indicators }: DatasetDocument): string[] {
  if (domain !== undefined) return [domain];
  if (kind === 'entities') return ['designations', 'sanctions'];
  return distinct(
    indicators.map(({ market }) => market),
    (market) => market,
  );
}

/** The latest retrieval of a dataset's sources, as precise as it is known: `YYYY-MM-DD` or `YYYY-MM`. */
export function retrievedOf({ sources }: DatasetDocument): string {
  return (
    sources
      .map(({ retrievedAt }) => retrievedAt)
      .sort()
      .at(-1) ?? ''
  );
}

/** The members of a list that differ by key, first come first. */
export function distinct<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.toReversed().map((item) => [key(item), item])).values()].toReversed();
}
