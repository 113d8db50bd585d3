/** The contract of an importer: one file a table family, listed in families.ts. Importers are pure; write.ts writes. */
import type { Dataset, Source } from '../lib/dataset.ts';
import type { Audit } from './audit.ts';

/** A raw publisher file as handed over on the command line. */
export interface SourceFile {
  /** `<parent folder>/<base name>`, for messages and for publishers that name every file alike. */
  name: string;
  bytes: Uint8Array;
  sha256: string;
}

/** What an operator can state about files the importer has no record of. */
export interface ImportOptions {
  /** `YYYY-MM-DD` or `YYYY-MM`: when the copy was obtained. */
  retrieved: string;
}

export interface Imported {
  dataset: Dataset;
  audit: Audit;
}

export interface Family {
  /** The word on the command line. */
  name: string;
  summary: string;
  /** What files it takes, in words: `sdn.csv add.csv withdrawn.csv`. */
  files: string;
  /** Reads whole files or throws a Refusal. The same bytes and options give the same result. */
  read(files: SourceFile[], options: ImportOptions): Imported[];
}

/** The part of a Source an importer knows by heart for its table. */
export type SourceFacts = Pick<
  Source,
  'id' | 'title' | 'publisher' | 'url' | 'path' | 'license' | 'licenseUrl' | 'cadence' | 'notes'
>;

/** A copy we have dates for, by sha256. */
export type KnownCopies = Record<string, { dated: string; retrievedAt: string }>;

/** Completes the facts with the file's own: hash, size, and its dates (known copy, or as the operator states). */
export function describeSource(
  facts: SourceFacts,
  file: SourceFile,
  known: KnownCopies,
  options: ImportOptions,
): Source {
  const dates = known[file.sha256] ?? { dated: options.retrieved, retrievedAt: options.retrieved };
  const { id, title, publisher, url, path, license, licenseUrl, cadence, notes } = facts;
  return {
    id,
    title,
    publisher,
    url,
    path,
    license,
    licenseUrl,
    ...dates,
    cadence,
    sha256: file.sha256,
    bytes: file.bytes.length,
    notes,
  };
}
