/** What qualifies a figure of the explorer, in the sentences of its response. */
import type { Exploration } from '../core/explore-answer.ts';
import { groupedBy } from '../core/groups.ts';
import type { Observation } from '../core/records.ts';
import { changeLink, type ExplorePlace } from './explore-link.ts';
import { el, type Child } from './node.ts';

/** Indicators that are named before a sentence. */
const MOST_NAMED = 3;

/** That other labels of the place have records, and that an edition is not the current one: beside a figure, as no mark shows it. */
export function figureNotes(model: Exploration, place: ExplorePlace): Child {
  const labels = { category: undefined, subgroup: undefined };
  return [
    model.beside.map((sentence) =>
      el(
        'p',
        { class: 'note' },
        `${sentence} `,
        changeLink(model, place, labels, 'All labels of this place'),
      ),
    ),
    model.earlier.map((sentence) => el('p', { class: 'note' }, sentence)),
  ];
}

/** How not to read records: each sentence once, and of which indicators it is where others have another. */
export function boundariesOf(
  records: readonly Observation[],
  { boundaries, indicators }: Exploration,
): string[] {
  const ids = [...new Set(records.map(({ indicatorId }) => indicatorId))];
  return [...groupedBy(ids, (id) => boundaries[id] ?? '')].flatMap(([sentence, own]) => {
    if (sentence === '') return [];
    if (own.length === ids.length) return [sentence];
    const names = own.slice(0, MOST_NAMED).map((id) => `“${indicators[id] ?? id}”`);
    const more = own.length > MOST_NAMED ? ` and ${own.length - MOST_NAMED} more` : '';
    return [`${names.join(', ')}${more}: ${sentence}`];
  });
}
