/**
 * The work that takes longest and needs nothing of the rest of the build: bulk forms of packs, and the pages of places and rows.
 * It is done here and now, or by a second thread (build/write/second-thread.ts): the bytes are the same.
 */
import type { DatasetDocument } from '../../shim/core/records.ts';
import type { Artifact } from '../lib/tree.ts';
import type { PackedOf } from '../pack/pack.ts';
import type { Packed } from '../pack/pack-file.ts';
import { formsOf, type Forms } from './bulk/bulk.ts';
import type { PlaceFacts } from './facts.ts';
import { renderPlaces } from './site/places.ts';
import { renderRows } from './site/rows.ts';

/** Who does that work. */
export interface Work {
  /** The bulk forms of a pack. */
  bulk(of: PackedOf, pack: Packed): Promise<Forms>;
  /** The pages of places and rows of the packs that were given to `bulk`; `documents` are those of every edition. */
  placePages(facts: PlaceFacts, documents: ReadonlyMap<string, DatasetDocument>): Promise<Artifact[]>;
  close(): void;
}

/** Does it here and now. */
export const ownWork: Work = {
  bulk: async (of, pack) => formsOf(of, pack),
  placePages: async (facts) => pagesOfPlaces(facts),
  close: () => undefined,
};

/** The pages of places and of rows. */
export function pagesOfPlaces(facts: PlaceFacts): Artifact[] {
  return [...renderPlaces(facts), ...renderRows(facts)];
}
