/** What the records of an edition cover, counted while they are packed: the facts that documents and lists of editions print. */
import { byCodeUnits, pick, type Dataset, type Indicator } from '../lib/dataset.ts';
import { geographyOf } from '../reference/geography.ts';
import type { DatasetDocument, DatasetIndicator, Observation } from '../../shim/core/records.ts';

/** How many rows of an edition come from one of its sources, and their periods. */
export interface SourceRows {
  rows: number;
  periods: { first: string | null; last: string | null; count: number };
}

/** What an edition covers. */
export interface Coverage extends Pick<
  DatasetDocument,
  'firstPeriod' | 'lastPeriod' | 'geographies' | 'indicators'
> {
  /** Rows and periods of each source, by its id. */
  sources: Record<string, SourceRows>;
}

type Place = DatasetDocument['geographies'][number];

/** Counts observations, which come in batches. Memory grows with labels, not with records. */
export function coverageCounter(indicators: readonly Indicator[]) {
  const places = new Map<string, Place>();
  const periods = new Set<string>();
  const sources = new Map<string, Set<string>>();
  const rows = new Map<string, number>();
  const counted = new Map(indicators.map((indicator) => [indicator.id, indicatorCounter(indicator)]));
  return {
    add(records: readonly Observation[]): void {
      for (const record of records) {
        const { geoCode, geoName, geoLevel, period, sourceId } = record;
        places.set(geoCode, places.get(geoCode) ?? { code: geoCode, name: geoName, level: geoLevel });
        periods.add(period);
        rows.set(sourceId, (rows.get(sourceId) ?? 0) + 1);
        const own = sources.get(sourceId) ?? new Set();
        sources.set(sourceId, own.add(period));
        counted.get(record.indicatorId)?.add(record);
      }
    },
    finish: (): Coverage => ({
      ...extent(places, periods),
      indicators: [...counted.values()].map((counter) => counter.finish()),
      sources: Object.fromEntries(
        [...sources].map(([id, own]) => [id, { rows: rows.get(id) ?? 0, periods: spanOf(own) }]),
      ),
    }),
  };
}

/** What an atlas or a list of designations covers; both are in memory. */
export function coverageOf(dataset: Exclude<Dataset, { kind: 'observations' }>): Coverage {
  const places = new Map<string, Place>();
  const ids = dataset.descriptor.sources.map(({ id }) => id);
  if (dataset.kind === 'entities') {
    const listed = { rows: dataset.rows.length, periods: spanOf(new Set()) };
    const sources = Object.fromEntries(ids.map((id) => [id, listed]));
    return { ...extent(places, new Set()), indicators: [], sources };
  }
  for (const { iso3, country } of dataset.rows)
    places.set(iso3, { code: iso3, name: country, level: geographyOf(country)?.level ?? 'country' });
  const sources = ids.map((id) => {
    const years = dataset.rows.flatMap(({ source, year }) => (source === id ? String(year) : []));
    return [id, { rows: years.length, periods: spanOf(new Set(years)) }];
  });
  const years = new Set(dataset.rows.map(({ year }) => String(year)));
  return { ...extent(places, years), indicators: [], sources: Object.fromEntries(sources) };
}

function extent(
  places: ReadonlyMap<string, Place>,
  periods: ReadonlySet<string>,
): Pick<Coverage, 'firstPeriod' | 'lastPeriod' | 'geographies'> {
  const { first, last } = spanOf(periods);
  return {
    firstPeriod: first,
    lastPeriod: last,
    geographies: [...places.values()].sort((a, b) => byCodeUnits(a.code, b.code)),
  };
}

function spanOf(periods: ReadonlySet<string>): SourceRows['periods'] {
  const all = sorted(periods);
  return { first: all[0] ?? null, last: all.at(-1) ?? null, count: all.length };
}

function indicatorCounter(indicator: Indicator) {
  const [units, periods, known] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [geographies, categories, subgroups] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const counts = { reported: 0, estimated: 0, unavailable: 0, zeros: 0 };
  let [observations, numeric] = [0, 0];
  return {
    add(record: Observation): void {
      observations += 1;
      units.add(record.unit);
      periods.add(record.period);
      if (record.value !== null) known.add(record.period);
      geographies.add(record.geoCode);
      categories.add(record.category);
      subgroups.add(record.subgroup);
      counts[record.status] += 1;
      if (record.value === 0) counts.zeros += 1;
      if (record.value !== null) numeric += 1;
    },
    finish(): DatasetIndicator {
      const printed = sorted(units);
      const [all, withValue] = [spanOf(periods), spanOf(known)];
      return {
        ...pick(indicator, 'id', 'sourceId', 'market', 'label'),
        unit: printed.length === 1 ? (printed[0] ?? null) : null,
        units: printed,
        ...pick(indicator, 'measureType', 'description', 'limitations'),
        coverage: {
          observations,
          numeric,
          ...counts,
          firstPeriod: all.first,
          lastPeriod: all.last,
          firstNumericPeriod: withValue.first,
          lastNumericPeriod: withValue.last,
        },
        geographies: sorted(geographies),
        categories: sorted(categories),
        subgroups: sorted(subgroups),
      };
    },
  };
}

function sorted(texts: ReadonlySet<string>): string[] {
  return [...texts].sort(byCodeUnits);
}
