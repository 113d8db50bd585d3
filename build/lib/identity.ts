/**
 * The identity of an observation: its key (indicator, geography, period, category, subgroup, and an ordinal where a source
 * prints one key several times) as a short readable id. The id holds no position in a file, so it is the same in every
 * edition; `<id>@<edition>` names one cell of one file.
 */
import { sha256 } from './tree.ts';
import type { ObservationRow } from './dataset.ts';
import type { Observation } from '../../shim/core/records.ts';

/** The members of a row that its id is made of. */
type Identified = Pick<ObservationRow, 'indicatorId' | 'geoCode' | 'period' | 'category' | 'subgroup'>;

/** Most characters that an id shows of the category, and of the subgroup. */
const SHOWN = 24;

/** Greatest length of an id. */
const MAX_ID = 96;

/** Number of characters after `~`. */
const MARK = 6;

/** Room for the ordinal, of up to three digits. */
const ORDINAL = '.999'.length;

/**
 * Returns a function that gives ids to rows: `seizures.BEL.2023.cocaine-type-cocaine-hydrochloride~2f1c9a`, and `.2` after it for the
 * second row of the same key. The part after `~` is made from the labels, so that labels that look alike stay apart; `labelKeys` gives
 * the key of a label that an edition spells differently. Each call needs all the rows of one indicator and place, in source order,
 * because ordinals are counted within a call.
 */
export function identifier(
  labelKeys: Readonly<Record<string, string>> = {},
): (rows: readonly Identified[]) => string[] {
  const labels = new Map<string, Label | null>();
  const keys = new Map(Object.entries(labelKeys));
  return (rows) => {
    const seen = new Map<string, number>();
    return rows.map(({ indicatorId, geoCode, period, category, subgroup }) => {
      const printed = `${category}\n${subgroup}`;
      let label = labels.get(printed);
      if (label === undefined) {
        label = labelOf(keys.get(category) ?? category, keys.get(subgroup) ?? subgroup);
        labels.set(printed, label);
      }
      const key = withLabel(`${indicatorId}.${geoCode}.${period}`, label);
      const ordinal = (seen.get(key) ?? 0) + 1;
      seen.set(key, ordinal);
      return ordinal === 1 ? key : `${key}.${ordinal}`;
    });
  };
}

/** The labels of a row in its id: their first words, and the start of their hash, which keeps similar labels apart. */
interface Label {
  shown: string;
  mark: string;
}

function labelOf(category: string, subgroup: string): Label | null {
  if (category === '' && subgroup === '') return null;
  const words = [category, subgroup].map(slug).filter((part) => part !== '');
  return { shown: words.join('-'), mark: sha256(`${category}\n${subgroup}`).slice(0, MARK) };
}

function withLabel(start: string, label: Label | null): string {
  if (!label) return start;
  const room = MAX_ID - ORDINAL - `${start}.~${label.mark}`.length;
  return `${start}.${label.shown.slice(0, Math.max(0, room)).replace(/-$/, '')}~${label.mark}`;
}

/** The first words of a label, without diacritics and in lower case, as many as fit. */
function slug(label: string): string {
  const plain = label.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  let shown = '';
  for (const word of plain.split(/[^a-z0-9]+/).filter((part) => part !== '')) {
    const longer = shown === '' ? word.slice(0, SHOWN) : `${shown}-${word}`;
    if (longer.length > SHOWN) break;
    shown = longer;
  }
  return shown;
}

/** The key that the id of a record names, without the ordinal of its row. */
export function keyOf({
  id,
  indicatorId,
  geoCode,
  period,
}: Pick<Observation, 'id' | 'indicatorId' | 'geoCode' | 'period'>): string {
  const mark = id.indexOf('~');
  return mark === -1 ? `${indicatorId}.${geoCode}.${period}` : id.slice(0, mark + 1 + MARK);
}
