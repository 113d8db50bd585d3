/** What a query of the explorer is called. */
import type { Exploration } from '../core/explore-answer.ts';
import type { Observation } from '../core/records.ts';
import { labelOf } from './words.ts';

/** What the query shows, in words: `Drug seizures: Belgium, Cocaine-type, 2019 to 2023`. */
export function exploreTitle({ query, choices, indicators, answer, all: drawn }: Exploration): string {
  const { dataset, indicator, geo, category, subgroup, from, to, as_of: asOf, id } = query.given;
  // Of several indicators, the labels of one page say nothing about the other pages.
  const [only, another] = drawn === null && indicator === undefined ? [] : Object.values(indicators);
  const what =
    only !== undefined && another === undefined
      ? only
      : (choices.dataset.find(([own]) => own === dataset)?.[1] ?? dataset ?? '');
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
    geo === undefined
      ? ''
      : (printedName(drawn === 'page' ? answer?.observations : drawn) ?? choices.place ?? geo),
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

/** The name of the place as all records print it; null where they differ, or are none. */
function printedName(records: readonly Observation[] | null | undefined): string | null {
  const [name, another] = new Set(records?.map(({ geoName }) => geoName));
  return another === undefined ? (name ?? null) : null;
}
