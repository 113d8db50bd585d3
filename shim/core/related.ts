/**
 * Records of one place whose printed group is the same although their labels differ: a total has a category of its own, and
 * its years are often those that the drugs of its group lack. The group is read from the records themselves.
 */
import { eachMatch } from './matching-runs.ts';
import { rowTexts, type RowTexts } from './row-texts.ts';
import type { Input, Pack } from './types.ts';

/** How the limitation begins that names other labels with records. */
export const ELSEWHERE = 'Periods that are not in this response have records under other labels';

/** Labels named in one sentence. */
const MOST_LABELS = 3;

/** The group that the source prints in a row; empty where it prints none. Rows of one run share it. */
export function groupOf(pack: Pack, row: number): string {
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
 * For a query of a dataset or indicator, one place and a label: the limitation that periods it does not show have records under
 * other labels of the same indicator and printed group. None where there are no such periods.
 */
export function elsewhereNotes(filters: Input, packs: readonly Pack[]): string[] {
  const { category: _category, subgroup: _subgroup, ...place } = filters;
  const shown = new Map<string, Set<string>>();
  const indicators = new Set<string>();
  eachMatch(packs, filters, ({ pack, row, periods, value }) => {
    const group = groupOf(pack, row);
    if (group === '') return true;
    indicators.add(value('indicator'));
    const key = `${value('indicator')} ${group}`;
    shown.set(key, new Set([...(shown.get(key) ?? []), ...periods]));
    return true;
  });
  if (shown.size === 0) return [];
  const others = new Map<string, Set<string>>();
  eachMatch(packs, place, ({ pack, row, periods, value }) => {
    const indicator = value('indicator');
    const known = indicators.has(indicator) ? shown.get(`${indicator} ${groupOf(pack, row)}`) : undefined;
    const missing = known ? periods.filter((period) => !known.has(period)) : [];
    if (missing.length === 0) return true;
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
