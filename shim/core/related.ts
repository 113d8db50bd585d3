/**
 * Records of one place whose printed group is the same although their labels differ: a total has a category of its own, and
 * its years are often those that the drugs of its group lack. The group is read from the records themselves.
 */
import { without } from './known-values.ts';
import { eachMatch } from './matching-runs.ts';
import { rowTexts, type RowTexts } from './row-texts.ts';
import type { Input, JsonObject, Pack } from './types.ts';
import { closeness, spelling, spellingsOf, WEAK } from './words.ts';

/** The beginning of the limitation that names other labels with records. */
export const ELSEWHERE = 'Periods that are not in this response have records under other labels';

/** The most labels named in one sentence. */
const MOST_LABELS = 3;

/** The group that the source prints in a row; empty where it prints none. Nearly always the rows of one run share it. */
function groupOf(pack: Pack, row: number): string {
  const groups = pack.derive(rowGroups);
  const known = groups.get(row);
  if (known !== undefined) return known;
  const [bytes] = pack.copy(row, row + 1);
  const { group = '' } = JSON.parse(new TextDecoder().decode(bytes)) as { group?: string };
  groups.set(row, group);
  return group;
}

const rowGroups = (pack: Pack): RowTexts => rowTexts(pack);

/**
 * For a query of a dataset or indicator, one place and a label: the limitation that some periods without matches have records
 * under other labels of the same indicator and printed group. Empty where there are no such periods.
 */
export function elsewhereNotes(filters: Input, packs: readonly Pack[]): string[] {
  const { category: _category, subgroup: _subgroup, ...place } = filters;
  /** By indicator: the periods and the groups of the matching records. */
  const shown = new Map<string, { periods: Set<string>; groups: Set<string> }>();
  eachMatch(packs, filters, ({ pack, row, periods, value }) => {
    const indicator = value('indicator');
    const own = shown.get(indicator) ?? { periods: new Set(), groups: new Set() };
    shown.set(indicator, own);
    for (const period of periods) own.periods.add(period);
    own.groups.add(groupOf(pack, row));
    return true;
  });
  for (const [indicator, { groups }] of shown) {
    groups.delete('');
    if (groups.size === 0) shown.delete(indicator);
  }
  if (shown.size === 0) return [];
  const others = new Map<string, Set<string>>();
  eachMatch(packs, place, ({ pack, row, periods, value }) => {
    const own = shown.get(value('indicator'));
    const missing = own ? periods.filter((period) => !own.periods.has(period)) : [];
    if (missing.length === 0 || !own?.groups.has(groupOf(pack, row))) return true;
    const label = `category ${JSON.stringify(value('category'))}, subgroup ${JSON.stringify(value('subgroup'))}`;
    others.set(label, new Set([...(others.get(label) ?? []), ...missing]));
    return true;
  });
  if (others.size === 0) return [];
  // A label that holds more of the missing periods says more.
  const labels = [...others].sort(([a, one], [b, other]) => other.size - one.size || (a < b ? -1 : 1));
  const listed = labels
    .slice(0, MOST_LABELS)
    .map(([label, periods]) => `${label} (${[...periods].sort().join(', ')})`);
  const more = labels.length > MOST_LABELS ? `, and ${labels.length - MOST_LABELS} more` : '';
  return [`${ELSEWHERE} of the same printed group: ${listed.join('; ')}${more}.`];
}

/** The most labels listed for a place. */
const MOST_ELSEWHERE = 8;

/** A label of a place, and how close it is to the requested one. */
interface PlaceLabel {
  category: string;
  subgroup: string;
  periods: Set<string>;
  close: number;
}

/**
 * The labels of the place that have rows in the period: those closest to the requested category and subgroup first, then those with
 * more periods. A label of the same printed group counts as equal. Unrelated labels are listed only where there are no related ones.
 */
export function labelsElsewhere(filters: Input, corrected: Input, packs: readonly Pack[]): JsonObject[] {
  const given = [filters['category'], filters['subgroup']].filter((text) => text !== undefined);
  if (given.length === 0 || corrected['geo'] === undefined) return [];
  const asked = given.filter((text) => text !== '').flatMap((text) => spellingsOf(String(text)));
  const groups = new Set<string>();
  eachMatch(packs, without(corrected, 'from', 'to'), ({ pack, row }) => {
    groups.add(groupOf(pack, row));
    return true;
  });
  groups.delete('');
  const found = new Map<string, PlaceLabel>();
  eachMatch(packs, without(corrected, 'category', 'subgroup'), ({ pack, row, periods, value }) => {
    const [category, subgroup] = [value('category'), value('subgroup')];
    if ((filters['category'] ?? category) === category && (filters['subgroup'] ?? subgroup) === subgroup)
      return true;
    const key = JSON.stringify([category, subgroup]);
    let label = found.get(key);
    if (!label) {
      const group = groupOf(pack, row);
      const texts = [category, subgroup, `${category} ${subgroup}`, group].map(spelling);
      const close = groups.has(group)
        ? 1
        : Math.max(0, ...asked.flatMap((one) => texts.map((text) => closeness(one, text))));
      found.set(key, (label = { category, subgroup, periods: new Set(), close }));
    }
    for (const period of periods) label.periods.add(period);
    return true;
  });
  const all = [...found.entries()].sort(
    ([a, one], [b, other]) =>
      other.close - one.close || other.periods.size - one.periods.size || (a < b ? -1 : 1),
  );
  const related = all.filter(([, { close }]) => close >= WEAK);
  return (related.length > 0 ? related : all).slice(0, MOST_ELSEWHERE).map(([, label]) => {
    return { category: label.category, subgroup: label.subgroup, periods: [...label.periods].sort() };
  });
}
