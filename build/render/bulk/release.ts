/** The release as the three metadata documents describe it: its words, and the files, licences and key of each dataset. */
import { listNote } from '../../lib/clock.ts';
import { distinct } from '../../lib/dataset.ts';
import type { Field } from '../../../shim/core/fields.ts';
import type { DatasetDocument, DatasetSource } from '../../../shim/core/records.ts';
import { mediaTypeOf } from '../../../shim/core/headers.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** One published file of a dataset, with more facts than the document of the dataset has. */
export interface BulkFile {
  path: string;
  /** Its name in every metadata document: `drug-seizures.csv`, `drug-seizures.seizures.parquet`. */
  name: string;
  form: 'ndjson' | 'csv' | 'parquet' | 'xlsx';
  /** The only indicator in the file; null for a whole dataset. */
  indicator: string | null;
  columns: readonly Field[];
  rows: number;
  bytes: number;
  sha256: string;
}

/** A release as the metadata documents see it: its licences, publishers and keywords are those of its datasets. */
export type BulkRelease = ReturnType<typeof bulkRelease>;

/** A dataset's document, and what the metadata documents read from it. */
export type BulkDataset = BulkRelease['datasets'][number];

/** Name, title, publisher and description of the collection in every metadata document. */
export const { collection: COLLECTION } = vocabulary;

/** The release of these documents and their files. */
export function bulkRelease(
  /** `generatedAt` is the data clock, date-time. */
  site: { siteUrl: string; generatedAt: string },
  documents: readonly DatasetDocument[],
  files: ReadonlyMap<string, readonly BulkFile[]>,
) {
  const datasets = documents.map((document) => ({
    document,
    description: descriptionOf(document),
    files: files.get(document.id) ?? [],
    /** The columns that identify a row. */
    key: keyOf(document),
    licences: licencesOf(document),
    /** Whether its data may be passed on, a sentence or two per distinct statement. */
    rights: distinct(document.sources.map((source) => rightsText(source.rights))),
    publishers: distinct(document.sources.map(({ publisher }) => publisher)),
    /** What it is about, as words to search by. */
    keywords: keywordsOf(document),
  }));
  return {
    ...site,
    datasets,
    licences: distinct(
      datasets.flatMap(({ licences }) => licences),
      ({ text }) => text,
    ),
    publishers: distinct(datasets.flatMap(({ publishers }) => publishers)),
    keywords: distinct(datasets.flatMap(({ keywords }) => keywords)),
  };
}

/** The description of a dataset; for designations also the date of the list and how many are withheld. */
export function descriptionOf({
  description,
  listDate,
  withheldAfterWithdrawal,
  sources,
}: DatasetDocument): string {
  const [list] = sources;
  if (listDate === undefined || withheldAfterWithdrawal === undefined || !list) return description;
  return `${description} ${listNote({ listDate, withheldAfterWithdrawal }, list)}`;
}

function keyOf({ kind }: DatasetDocument): string[] {
  if (kind === 'observations') return ['id'];
  return kind === 'atlas' ? ['domain', 'data.iso3', 'data.year'] : ['sanctions_entity_number'];
}

/** The licences of the sources, in the publishers' words. */
function licencesOf({ sources }: DatasetDocument) {
  return distinct(
    sources.map(({ license, licenseUrl }) => ({ text: license, url: licenseUrl })),
    ({ text }) => text,
  );
}

/** What the check of a source's terms found, in words. */
export function rightsText({ verdict, evidence, checked }: DatasetSource['rights']): string {
  return `${vocabulary.rights[verdict]} ${evidence} Checked ${checked}.`;
}

function keywordsOf({ kind, domain, indicators }: DatasetDocument): string[] {
  if (domain !== undefined) return [domain];
  if (kind === 'entities') return ['designations', 'sanctions'];
  return distinct(indicators.map(({ market }) => market));
}

/** The media type of a file without its parameters. */
export function plainMediaType({ path }: BulkFile): string {
  return mediaTypeOf(path).split(';')[0] ?? '';
}
