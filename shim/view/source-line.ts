/** What figures and pages say of the publishers' files behind records. */
import type { DatasetDocument } from '../core/records.ts';
import type { FigureSource } from './chart/figure.ts';

/** The files of a dataset with the ids given, in the order of its document. */
export function figureSources(
  document: Pick<DatasetDocument, 'sources'>,
  sourceIds: Iterable<string>,
): FigureSource[] {
  const wanted = new Set(sourceIds);
  return document.sources
    .filter(({ id }) => wanted.has(id))
    .map(({ id, name, publisher, dated, license, stale, staleAfter }) => ({
      id,
      name,
      publisher,
      edition: dated,
      license,
      stale,
      staleAfter,
    }));
}
