/** Every value that the filters of observations can have, read from the catalog, for suggestions where a value is unknown. */
import { Fault, orFault } from './faults.ts';
import { readJson } from './json.ts';
import { CATALOG } from './paths.ts';
import { placeSpellings } from './places.ts';
import type { DatasetDocument } from './records.ts';
import type { Input, Release } from './types.ts';
import { nearest, spelling, type Spelling } from './words.ts';

/** The filters that name a value of the records, in the order in which they are looked at. */
export const LABELS = ['geo', 'category', 'subgroup'] as const;
/** A filter of LABELS. */
export type Label = (typeof LABELS)[number];

/** Every value a filter can have in one indicator. */
export interface KnownIndicator {
  dataset: string;
  id: string;
  label: string;
  geo: string[];
  category: string[];
  subgroup: string[];
}

/** The values that the catalog lists, with the spellings of each. */
export type Known = ReturnType<typeof knownValues>;

interface CatalogDataset extends DatasetDocument {
  geographyNames: Record<string, string>;
}

/** The datasets of the catalog; none while it cannot be read, and `fault` says why. */
export function catalogOf(release: Release): { datasets: CatalogDataset[]; fault: Fault | null } {
  const read = orFault(() => readJson<{ datasets: CatalogDataset[] }>(release, CATALOG).datasets);
  return read instanceof Fault ? { datasets: [], fault: read } : { datasets: read, fault: null };
}

/** The catalog as suggestions need it; without any value while it cannot be read, and then `fault` says why. */
export function knownValues(release: Release) {
  const { datasets, fault } = release.derive(catalogOf);
  const places = new Map<string, string[]>();
  for (const { geographyNames } of datasets)
    for (const [code, name] of Object.entries(geographyNames))
      places.set(code, [...new Set([...(places.get(code) ?? []), name])]);
  const made: Record<Label, Map<string, readonly Spelling[]>> = {
    geo: new Map(),
    category: new Map(),
    subgroup: new Map(),
  };
  const listed = datasets.flatMap(({ id: dataset, indicators }) =>
    indicators.map(({ id, label, geographies: geo, ...own }): KnownIndicator => {
      return { dataset, id, label, geo, category: own.categories, subgroup: own.subgroups };
    }),
  );
  const valuesOf = (label: Label): Set<string> => new Set(listed.flatMap((indicator) => indicator[label]));
  const values = { geo: valuesOf('geo'), category: valuesOf('category'), subgroup: valuesOf('subgroup') };
  return {
    fault,
    datasets,
    indicators: listed,
    values,
    /** Whether no record has the value: never while the catalog cannot be read. */
    isUnknown: (label: Label, value: unknown): boolean => fault === null && !values[label].has(String(value)),
    /** Printed names by code. */
    places,
    spellings(label: Label, value: string): readonly Spelling[] {
      let spelled = made[label].get(value);
      if (!spelled) {
        spelled = label === 'geo' ? placeSpellings(value, places.get(value) ?? []) : [spelling(value)];
        made[label].set(value, spelled);
      }
      return spelled;
    },
  };
}

/** The indicators that a query selects. */
export function selectedIndicators({ indicators }: Known, { dataset, indicator }: Input): KnownIndicator[] {
  return indicators.filter(
    (one) =>
      (dataset === undefined || one.dataset === dataset) && (indicator === undefined || one.id === indicator),
  );
}

/** Whether any of these indicators has the value. */
export function isKnown(indicators: readonly KnownIndicator[], label: Label, value: unknown): boolean {
  return indicators.some((one) => one[label].includes(String(value)));
}

/** The filters without those of these names. */
export function without(filters: Input, ...names: string[]): Input {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name)));
}

/** The codes of places closest to a given text, best first. */
export function closestPlaces(given: string, release: Release): string[] {
  const { values, spellings } = release.derive(knownValues);
  const candidates = [...values.geo].map((value) => ({
    value,
    spellings: spellings('geo', value),
    hasRows: true,
  }));
  return nearest(given, candidates).map(({ value }) => value);
}
