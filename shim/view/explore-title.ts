/** What a query of the explorer is called. */
import type { Exploration } from '../core/explore-answer.ts';
import { labelOf } from './words.ts';

/** What the query shows, in words: `Drug seizures: Belgium, Cocaine-type, 2019 to 2023`. */
export function exploreTitle({ query, choices, indicators, answer, all: drawn }: Exploration): string {
  const { dataset, indicator, geo, category, subgroup, from, to, as_of: asOf, id } = query.given;
  const nameIn = (all: Exploration['choices']['geo'], value: string | undefined): string =>
    value === undefined ? '' : (all.find(([own]) => own === value)?.[1] ?? value);
  // Of several indicators, the labels of one page say nothing about the other pages.
  const [only, another] = drawn === null && indicator === undefined ? [] : Object.values(indicators);
  const what = only !== undefined && another === undefined ? only : nameIn(choices.dataset, dataset);
  const label = labelOf({ category: category ?? '', subgroup: subgroup ?? '' });
  const printed = category === '' && subgroup === undefined ? 'no category' : label;
  const periods =
    from === to
      ? (from ?? '')
      : from === undefined
        ? `to ${to}`
        : to === undefined
          ? `from ${from}`
          : `${from} to ${to}`;
  const parts = [
    nameIn(choices.geo, geo),
    printed,
    id ?? '',
    periods,
    asOf === undefined ? '' : `as published by ${asOf}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
  if (what === '' && parts === '') return answer ? 'All records' : query.find || 'Filters';
  return [what, parts].filter((part) => part !== '').join(': ');
}
