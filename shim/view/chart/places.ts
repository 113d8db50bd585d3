/** One period of many places: which one is drawn of all records, and whether as a map or as a dot plot. */
import { groupedBy } from '../../core/groups.ts';
import type { Observation } from '../../core/records.ts';
import type { Child } from '../node.ts';
import { dotPlot } from './dots.ts';
import type { FigureAbout } from './figure.ts';
import { mapFigure, mapRefusal } from './map.ts';
import type { WorldShapes } from './world.ts';

/** Fewer places than these make no picture of the world. */
export const FEWEST_PLACES = 10;

/** A map where the unit may be mapped, else a dot plot; of records of one period. */
export function figureOfPlaces(
  records: readonly Observation[],
  shapes: WorldShapes,
  about: FigureAbout,
): Child {
  return mapRefusal(records, shapes) === null ? mapFigure(records, shapes, about) : dotPlot(records, about);
}

/** The records of one indicator that are drawn: one period, one label, one unit. */
export interface Drawn {
  period: string;
  category: string;
  subgroup: string;
  unit: string;
  records: readonly Observation[];
}

/**
 * The last period in which at least ten places have a row under one label and unit, and the label with the most places in it;
 * among equals one that the source calls a total, then the first by name. Null where there is no such period.
 */
export function lastOfPlaces(records: readonly Observation[]): Drawn | null {
  const periods = [...groupedBy(records, ({ period }) => period)].sort(([a], [b]) => (a < b ? 1 : -1));
  for (const [period, own] of periods) {
    const [most] = [...groupedBy(own, keyOf).values()]
      .map((rows) => ({ rows, places: new Set(rows.map(({ geoCode }) => geoCode)).size }))
      .filter(({ places }) => places >= FEWEST_PLACES)
      .sort((a, b) => b.places - a.places || (orderOf(a.rows) < orderOf(b.rows) ? -1 : 1));
    const [first] = most?.rows ?? [];
    if (most && first) {
      const { category, subgroup, unit } = first;
      return { period, category, subgroup, unit, records: most.rows };
    }
  }
  return null;
}

function keyOf({ category, subgroup, unit }: Observation): string {
  return JSON.stringify([category, subgroup, unit]);
}

function orderOf([first]: readonly Observation[]): string {
  if (!first) return '';
  const isTotal = /\btotal\b/i.test(`${first.category} ${first.subgroup}`);
  return `${isTotal ? 0 : 1}${keyOf(first)}`;
}
