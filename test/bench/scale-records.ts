/**
 * Generated observations of a collection that grows as a real one does: by indicators and datasets, over the same places,
 * categories and years. The same number of rows gives the same records; they mean nothing.
 */
import countries from 'i18n-iso-countries';
import type { Indicator, ObservationRow } from '../../build/lib/dataset.ts';
import { seeded } from '../_support/seeded.ts';
import { items } from '../_support/words.ts';

/** About what a large publication holds: packs of this size are read block by block. */
export const DATASET_ROWS = 2_500_000;

/** ISO 3166-1 alpha-3, sorted. */
export const GEOS: string[] = Object.keys(countries.getAlpha3Codes()).sort();

/** In order of code units, as the fixed order asks. */
export const CATEGORIES = items(`Amphetamine-type stimulants | Cannabis-type drugs |
  Cocaine-type drugs | New psychoactive substances | Opioids | Sedatives and tranquillizers`);
export const SUBGROUPS = ['', 'Kilograms', 'Number of cases'];

/** First and last year any series may have. */
export const YEARS: [first: number, last: number] = [1988, 2023];

/** Exactly `rows` rows of an edition in the fixed order, made one by one; a tenth of the values differ from another edition's. */
export function* observationRows(
  rows: number,
  edition: string,
  indicatorOf: (number: number) => Indicator,
): Generator<ObservationRow> {
  const random = seeded(rows);
  const revised = seeded(Number(edition.replace('-', '')));
  let made = 0;
  for (let number = 0; made < rows; number += 1) {
    const indicator = indicatorOf(number);
    for (const geoCode of GEOS)
      for (const category of CATEGORIES)
        for (const subgroup of SUBGROUPS)
          for (const period of years(random)) {
            if (made === rows) return;
            made += 1;
            const known = random() > 0.1;
            const value = Math.round((random() + (revised() < 0.1 ? 1 : 0)) * 1e6) / 100;
            yield {
              indicatorId: indicator.id,
              geoCode,
              period,
              category,
              subgroup,
              group: '',
              value: known ? value : null,
              lower: null,
              upper: null,
              unit: subgroup || 'Percent',
              status: known ? 'reported' : 'unavailable',
              unavailableReason: known ? null : 'blank_in_source',
              sourceId: indicator.sourceId,
              sourceLocator: `Generated!H${made}`,
            };
          }
  }
}

/** About thirty years, started and ended late or early, one in five series with a gap. */
function years(random: () => number): string[] {
  const [first, last] = YEARS;
  const from = first + Math.floor(random() * 6);
  const to = last - Math.floor(random() * 6);
  const gap = random() < 0.2 ? from + Math.floor(random() * (to - from)) : 0;
  const list: string[] = [];
  for (let year = from; year <= to; year += 1) if (year !== gap) list.push(String(year));
  return list;
}
