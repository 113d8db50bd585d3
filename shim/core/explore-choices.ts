/** What the lists of the explorer's form hold: an indicator of the dataset, a place of the indicator, a label of the place; only what has rows. */
import { openPack } from './editions.ts';
import type { Choice, Choices } from './explore-answer.ts';
import { unlessFault } from './faults.ts';
import { knownValues, selectedIndicators, without, type KnownIndicator } from './known-values.ts';
import { valuesWithRows } from './matching-runs.ts';
import { marketPacks } from './market-packs.ts';
import { sortedByName } from './name-order.ts';
import type { Context, Input, Release } from './types.ts';

/** What the form offers in addition to what was given: an indicator of the dataset, a place of the indicator, a label of the place. */
export function choicesOf(given: Readonly<Record<string, string>>, { release }: Context): Choices {
  const known = release.derive(knownValues);
  /** A filter that was given, where its value is one of these. */
  const among = (name: string, values: readonly string[]): Input => {
    const value = given[name];
    return value !== undefined && values.includes(value) ? { [name]: value } : {};
  };
  const dataset = among('dataset', idsOf(known.datasets));
  const ofDataset = selectedIndicators(known, dataset);
  const chosen = { ...dataset, ...among('indicator', idsOf(ofDataset)) };
  const selected = selectedIndicators(known, chosen);
  const geos = new Set(selected.flatMap(({ geo }) => geo));
  const places = release.derive(placesByName);
  return {
    dataset: known.datasets.map(({ id, title }): Choice => [id, title]),
    indicator: ofDataset.map(({ id, label }): Choice => [id, label]),
    geo: places.filter(([code]) => geos.has(code)),
    place: places.find(([code]) => code === given['geo'])?.[1] ?? null,
    ...labelsOf({ ...chosen, ...among('geo', [...geos]) }, given['category'], selected, release),
  };
}

function idsOf(items: readonly { id: string }[]): string[] {
  return items.map(({ id }) => id);
}

/** Every place of the catalog by its name. */
export function placesByName(release: Release): Choice[] {
  const { values, places } = release.derive(knownValues);
  return sortedByName(
    [...values.geo].map((code): Choice => [code, places.get(code)?.[0] ?? code]),
    ([, name]) => name,
    ([code]) => code,
  );
}

/** Categories and subgroups that have rows for what is chosen; of a dataset alone those of the catalog, of everything none: too many to choose from. */
function labelsOf(
  chosen: Input,
  category: string | undefined,
  selected: readonly KnownIndicator[],
  release: Release,
): Pick<Choices, 'category' | 'subgroup'> {
  const datasets = new Set(selected.map(({ dataset }) => dataset));
  const listed = (label: 'category' | 'subgroup'): string[] => [
    ...new Set(selected.flatMap((one) => one[label])),
  ];
  if (Object.keys(chosen).length === 0) return { category: [], subgroup: [] };
  if (chosen['indicator'] === undefined && chosen['geo'] === undefined)
    return {
      category: sortedByName(listed('category'), itself),
      subgroup: sortedByName(listed('subgroup'), itself),
    };
  const entries = unlessFault(() => release.derive(marketPacks).packs, []);
  const packs = entries.filter(({ id }) => datasets.has(id)).flatMap(({ id }) => openPack(release, id));
  const categories = valuesWithRows(packs, chosen, 'category');
  const own = category !== undefined && categories.has(category) ? { ...chosen, category } : chosen;
  return {
    category: sortedByName(categories, itself),
    subgroup: sortedByName(valuesWithRows(packs, without(own, 'subgroup'), 'subgroup'), itself),
  };
}

function itself(label: string): string {
  return label;
}
