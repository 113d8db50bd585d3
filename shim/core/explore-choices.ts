/** What the lists of the explorer's form hold: an indicator of the dataset, a place of the indicator, a label of the place; only what has rows. */
import { openPack } from './editions.ts';
import type { Choice, Choices } from './explore-answer.ts';
import { knownValues, selectedIndicators, without, type Known, type KnownIndicator } from './known-values.ts';
import { valuesWithRows } from './matching-runs.ts';
import { marketPacks } from './market-packs.ts';
import { sortedByName } from './name-order.ts';
import type { Context, Input, Release } from './types.ts';

/** What the form offers in addition to what was given: an indicator of the dataset, a place of the indicator, a label of the place. */
export function choicesOf(given: Readonly<Record<string, string>>, context: Context): Choices {
  const { release } = context;
  const known = release.derive(knownValues);
  const isKnown = (id: string | undefined, ids: readonly string[]): string | undefined =>
    id !== undefined && ids.includes(id) ? id : undefined;
  const dataset = isKnown(
    given['dataset'],
    known.datasets.map(({ id }) => id),
  );
  const ofDataset = selectedIndicators(known, defined({ dataset }));
  const indicator = isKnown(
    given['indicator'],
    ofDataset.map(({ id }) => id),
  );
  const selected = ofDataset.filter(({ id }) => indicator === undefined || id === indicator);
  const geos = new Set(selected.flatMap(({ geo }) => geo));
  const geo = given['geo'] !== undefined && geos.has(given['geo']) ? given['geo'] : undefined;
  const labels = labelsOf({ dataset, indicator, geo, category: given['category'] }, selected, release);
  return {
    dataset: known.datasets.map(({ id, title }): Choice => [id, title]),
    indicator: ofDataset.map(({ id, label }): Choice => [id, label]),
    geo: sortedByName(
      [...geos].map((code): Choice => [code, placeName(code, known)]),
      ([, name]) => name,
      ([code]) => code,
    ),
    ...labels,
  };
}

function placeName(code: string, { places }: Known): string {
  const [name = code] = places.get(code) ?? [];
  return name;
}

/** Categories and subgroups that have rows for what is chosen; of a dataset alone those of the catalog, of everything none: too many to choose from. */
function labelsOf(
  { category, ...chosen }: Record<'dataset' | 'indicator' | 'geo' | 'category', string | undefined>,
  selected: readonly KnownIndicator[],
  release: Release,
): Pick<Choices, 'category' | 'subgroup'> {
  const filters = defined(chosen);
  const datasets = new Set(selected.map(({ dataset }) => dataset));
  const listed = (label: 'category' | 'subgroup'): string[] => [
    ...new Set(selected.flatMap((one) => one[label])),
  ];
  if (chosen.dataset === undefined && chosen.indicator === undefined && chosen.geo === undefined)
    return { category: [], subgroup: [] };
  if (chosen.indicator === undefined && chosen.geo === undefined)
    return {
      category: sortedByName(listed('category'), itself),
      subgroup: sortedByName(listed('subgroup'), itself),
    };
  const packs = release
    .derive(marketPacks)
    .packs.filter(({ id }) => datasets.has(id))
    .flatMap(({ id }) => openPack(release, id));
  const categories = valuesWithRows(packs, filters, 'category');
  const own = category !== undefined && categories.has(category) ? { ...filters, category } : filters;
  return {
    category: sortedByName(categories, itself),
    subgroup: sortedByName(valuesWithRows(packs, without(own, 'subgroup'), 'subgroup'), itself),
  };
}

function defined(filters: Readonly<Record<string, string | undefined>>): Input {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function itself(label: string): string {
  return label;
}
