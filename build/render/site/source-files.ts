/** Every publisher's file that an edition of a dataset was read from, once each, with what was taken from it. */
import { lastDay } from '../../../shim/core/editions.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import { EDITIONS } from '../../../shim/core/paths.ts';
import type { DatasetDocument, DatasetIndicator, DatasetSource } from '../../../shim/core/records.ts';
import { sourceAddress } from '../../../shim/view/address.ts';
import { byCodeUnits } from '../../lib/dataset.ts';
import type { Tree } from '../../lib/tree.ts';
import type { RecordFacts } from '../facts.ts';
import type { PublishedEdition } from '../api/editions.ts';

/** A publisher's file. */
export interface SourceFile {
  source: DatasetSource;
  address: string;
  /** The newest file of the same source, where this is not it. */
  newer: SourceFile | null;
  /** Editions of datasets that were read from it, the newest first. */
  uses: readonly SourceUse[];
}

interface SourceUse {
  document: DatasetDocument;
  /** Whether the edition is the current one of its dataset. */
  isCurrent: boolean;
  /** Rows from this file and their periods; null for designations, whose rows come from all files together. */
  rows: number | null;
  periods: { first: string | null; last: string | null };
  indicators: readonly DatasetIndicator[];
}

/** A source of an edition, and what the edition has from it. */
interface Used {
  source: DatasetSource;
  use: SourceUse;
}

/** The sources of every edition of every dataset, the newest edition of each first. */
function usedSources({ evidence, manifest }: RecordFacts, tree: Tree): Used[] {
  const { editions: published } = JSON.parse(String(tree.read(EDITIONS))) as { editions: PublishedEdition[] };
  const sourcesOf = new Map(
    [...manifest.packs, ...manifest.editions].map(({ id, meta }) => [
      id,
      (meta['indicatorSources'] ?? {}) as Record<string, string[]>,
    ]),
  );
  return [...evidence.editions.values()].flatMap((documents) =>
    documents.toReversed().flatMap((document, position) => {
      const isCurrent = position === 0;
      const tables = sourcesOf.get(isCurrent ? document.id : `${document.id}@${document.edition}`) ?? {};
      return document.sources.map((source) => {
        const entry = published.find(
          ({ dataset, datasetEdition, source: id }) =>
            dataset === document.id && datasetEdition === document.edition && id === source.id,
        );
        const rows = document.kind === 'entities' ? null : (entry?.rows ?? null);
        const periods = entry?.periods ?? { first: null, last: null };
        const indicators = document.indicators.filter(({ id }) => tables[id]?.includes(source.id));
        return { source, use: { document, isCurrent, rows, periods, indicators } };
      });
    }),
  );
}

/** The newest first; of one date those that are current. */
function byNewest(a: Used, b: Used): number {
  return (
    byCodeUnits(lastDay(b.source.dated), lastDay(a.source.dated)) ||
    Number(b.use.isCurrent) - Number(a.use.isCurrent) ||
    byCodeUnits(a.source.sha256, b.source.sha256)
  );
}

/** All files by the key of their source: those of one source next to each other, the newest first. */
export function sourceFiles(facts: RecordFacts, tree: Tree): Map<string, SourceFile> {
  const files = new Map<string, SourceFile>();
  for (const ofSource of groupedBy(usedSources(facts, tree), ({ source }) => source.id).values()) {
    let newest: SourceFile | null = null;
    const taken = new Set<string>();
    for (const [key, same] of groupedBy(ofSource.toSorted(byNewest), ({ source }) => keyOf(source))) {
      const [first] = same;
      if (!first) continue;
      const { source } = first;
      const isTaken = taken.has(source.dated);
      taken.add(source.dated);
      // Two files of one source and date are distinguished by their hash.
      const edition = isTaken ? `${source.dated}-${source.sha256.slice(0, 8)}` : source.dated;
      const address = newest === null ? sourceAddress(source.id) : sourceAddress(source.id, edition);
      const file: SourceFile = { source, address, newer: newest, uses: same.map(({ use }) => use) };
      newest ??= file;
      files.set(key, file);
    }
  }
  return files;
}

/** The page of the file that a source of a document is. */
export function fileAddress(files: ReadonlyMap<string, SourceFile>, source: DatasetSource): string {
  return files.get(keyOf(source))?.address ?? sourceAddress(source.id);
}

/** Files are the same where source, date and hash are. */
function keyOf({ id, dated, sha256 }: DatasetSource): string {
  return `${id} ${dated} ${sha256}`;
}
