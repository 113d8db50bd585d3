/**
 * Which datasets have pages for people with every row on them. A row is about a kilobyte of a page, so they are bounded: the
 * smallest datasets first, while their current records together stay within the bound. A larger one has pages with counts.
 */
import type { PackManifest } from '../../shim/core/types.ts';
import { byCodeUnits } from '../lib/dataset.ts';

/** Current records whose rows are on pages. */
export const MOST_ROWS = 250_000;

/** Marks the current packs of a manifest whose rows are on no page. */
export function boundRowPages({ packs }: PackManifest, most = MOST_ROWS): void {
  let rows = 0;
  // The atlas has a record for each country and year, and no more.
  const shown = packs.filter(({ kind }) => kind === 'observations' || kind === 'context');
  for (const pack of shown.toSorted((a, b) => a.rows - b.rows || byCodeUnits(a.id, b.id))) {
    rows += pack.rows;
    if (rows > most) pack.rowPages = false;
  }
}
