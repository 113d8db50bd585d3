/** The selector of an opened pack, built once per pack: they live and die together. */
import { nameSelector, type NameSelector } from './names.ts';
import { seriesSelector, type SeriesSelector } from './series.ts';
import type { Pack } from './types.ts';

const series = new WeakMap<Pack, SeriesSelector>();
const names = new WeakMap<Pack, NameSelector>();

/** The series selector of an observations or atlas pack. */
export function selectorOf(pack: Pack): SeriesSelector {
  const known = series.get(pack);
  if (known) return known;
  const made = seriesSelector(pack.index);
  series.set(pack, made);
  return made;
}

/** The name selector of the entities pack. */
export function nameSelectorOf(pack: Pack): NameSelector {
  const known = names.get(pack);
  if (known) return known;
  const made = nameSelector(pack.index);
  names.set(pack, made);
  return made;
}
