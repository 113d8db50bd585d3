/** The legend of a figure: only what is drawn in it, in a fixed order, and that nothing drawn means no row. */
import { el, type Child } from '../node.ts';
import { hasRange, kindOf, REASONS, type Kind, type Reason } from '../words.ts';
import { alone, glyph, whisker, type Marked } from './mark.ts';

/** The kinds of the grammar in the order of legends. */
const WORDS: readonly (readonly [kind: Kind, words: string])[] = [
  ['reported', 'reported'],
  ['estimated', 'estimated'],
  ['zero', '0: a zero the source prints'],
  ...(Object.entries(REASONS) as [Reason, string][]),
];

/** What a figure draws besides its marks. */
export interface Drawn {
  /** Statuses of the records that lines join. */
  joined?: ReadonlySet<string>;
  /** Several rows of one period are drawn side by side. */
  several?: boolean;
  /** What it means where nothing is drawn, and how that looks if it is not blank. */
  nothing?: string | undefined;
  none?: Child;
}

/** What it means where nothing is drawn, unless a figure says otherwise. */
export const NO_ROW = 'no row in the source';

/** The legend of records as they are drawn. */
export function legend(
  records: readonly Marked[],
  { joined, several, nothing = NO_ROW, none = '' }: Drawn = {},
): Child {
  const kinds = new Set(records.map(kindOf));
  const entries: [Child, string][] = WORDS.filter(([kind]) => kinds.has(kind)).map(([kind, words]) => [
    joined?.has(kind) === true
      ? alone([el('path', { class: `join ${kind}`, d: 'M-12 0h24' }), glyph(kind)], 24)
      : alone(glyph(kind)),
    words,
  ]);
  if (records.some((record) => record.value !== null && hasRange(record)))
    entries.push([alone(whisker(-6, 6, 0, false)), 'range the source prints']);
  if (records.some((record) => record.value === null && hasRange(record)))
    entries.push([alone(whisker(-6, 6, 0, true)), 'range of a cell without a value']);
  if (several === true)
    entries.push([
      alone(el('path', { class: 'bracket', d: 'M-7 4v-4h14v4' })),
      'several rows for one period: the source does not say how they differ; they are not added',
    ]);
  return el('ul', { class: 'kinds' }, [
    entries.map(([shape, words]) => el('li', {}, shape, words)),
    el('li', {}, none === '' ? `nothing drawn: ${nothing}` : [none, nothing]),
  ]);
}
