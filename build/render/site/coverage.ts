/** What the catalog holds and what of it a place has: every indicator and dataset is known, without a value, or absent there. */
import type { Evidence, PlaceEvidence } from './evidence.ts';
import { fieldOf } from './atlas-fields.ts';
import type { PackManifest } from '../../../shim/core/types.ts';
import type {
  AtlasRecord,
  DatasetDocument,
  DatasetIndicator,
  Observation,
} from '../../../shim/core/records.ts';

/** The datasets that place pages count: those of the market catalog and of the atlas. */
export interface Catalog {
  market: readonly DatasetDocument[];
  atlas: readonly DatasetDocument[];
  /** Shown apart from all else. */
  context: readonly DatasetDocument[];
  /** Label of each indicator by its id. */
  labels: ReadonlyMap<string, string>;
  /** Every period in which an indicator has a row anywhere, by its id. */
  periods: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Whether a place has values of something, only rows without any, or no row at all. */
export type Standing = 'known' | 'valueless' | 'absent';

/** An indicator of the catalog at a place. */
export interface IndicatorAt {
  document: DatasetDocument;
  indicator: DatasetIndicator;
  standing: Standing;
  records: readonly Observation[];
}

/** A dataset of the catalog at a place. */
export interface DatasetAt {
  document: DatasetDocument;
  standing: Standing;
  /** Those of a market dataset. */
  indicators: readonly IndicatorAt[];
  /** Those of a dataset of the atlas. */
  records: readonly AtlasRecord[];
}

/** Reads the catalog of a release. Designations are not part of it. */
export function catalogOf({ documents, observations }: Evidence, { packs }: PackManifest): Catalog {
  const ofKind = (kind: string): DatasetDocument[] =>
    packs.flatMap((pack) => (pack.kind === kind ? (documents.get(pack.id) ?? []) : []));
  const periods = new Map<string, Set<string>>();
  for (const records of observations.values())
    for (const { indicatorId, period } of records) {
      const known = periods.get(indicatorId);
      if (known) known.add(period);
      else periods.set(indicatorId, new Set([period]));
    }
  const market = ofKind('observations');
  const labels = new Map(market.flatMap(({ indicators }) => indicators.map(({ id, label }) => [id, label])));
  return { market, atlas: ofKind('atlas'), context: ofKind('context'), labels, periods };
}

/** What a place has of each dataset of the catalog, in its order. */
export function coverageOf(place: PlaceEvidence, { market, atlas }: Catalog): DatasetAt[] {
  return [
    ...market.map((document): DatasetAt => {
      const own = place.observations.get(document.id) ?? [];
      const indicators = document.indicators.map((indicator): IndicatorAt => {
        const records = own.filter(({ indicatorId }) => indicatorId === indicator.id);
        return { document, indicator, records, standing: standingOf(records, ({ value }) => value !== null) };
      });
      return { document, indicators, records: [], standing: standingOf(own, ({ value }) => value !== null) };
    }),
    ...atlas.map((document): DatasetAt => {
      const records = place.atlas.get(document.id) ?? [];
      const hasValue = (record: AtlasRecord): boolean =>
        document.fields.some(({ path }) => fieldOf(record, path) !== null);
      return { document, indicators: [], records, standing: standingOf(records, hasValue) };
    }),
  ];
}

function standingOf<T>(records: readonly T[], hasValue: (record: T) => boolean): Standing {
  if (records.length === 0) return 'absent';
  return records.some(hasValue) ? 'known' : 'valueless';
}
