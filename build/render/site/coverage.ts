/** What the catalog holds and what of it a place has: every indicator and dataset is known, without a value, or absent there. */
import type { SiteFacts } from '../facts.ts';
import type { Evidence, PlaceEvidence } from './evidence.ts';
import { atlasValue } from '../../../shim/core/fields.ts';
import type { IndicatorCount } from './counts.ts';
import type { PackManifest } from '../../../shim/core/types.ts';
import type {
  AtlasRecord,
  DatasetDocument,
  DatasetIndicator,
  Observation,
  Revision,
} from '../../../shim/core/records.ts';
import { pick } from '../../lib/dataset.ts';

/** What pages of places say of a dataset: nothing of it changes with a single record. */
export type PlaceDataset = Pick<DatasetDocument, (typeof SAID)[number]> & { indicators: PlaceIndicator[] };

/** What they say of an indicator. */
type PlaceIndicator = Pick<DatasetIndicator, 'id' | 'label' | 'market' | 'limitations'>;

const SAID = [
  'id',
  'title',
  'description',
  'unit',
  'domain',
  'caveats',
  'limitations',
  'fields',
  'sources',
] as const;

/** The datasets that place pages count, those of the market catalog and of the atlas, as plain JSON. */
interface Catalog {
  market: PlaceDataset[];
  atlas: PlaceDataset[];
  /** Shown apart from all else. */
  context: PlaceDataset[];
  /** Whether the release has any; none is on these pages. */
  hasDesignations: boolean;
  /** Every period in which an indicator or a dataset of the atlas has a row anywhere, ascending, by its id. */
  periods: { [id: string]: string[] };
}

/** Whether a place has values of something, only rows without any, or no row at all. */
type Standing = 'known' | 'valueless' | 'absent';

/** An indicator of the catalog at a place. */
export interface IndicatorAt {
  document: PlaceDataset;
  indicator: PlaceIndicator;
  standing: Standing;
  records: readonly Observation[];
  /** In place of its records, where they are too many. */
  count?: IndicatorCount;
}

/** A dataset of the catalog at a place. */
export interface DatasetAt {
  document: PlaceDataset;
  standing: Standing;
  /** What a market dataset has of the place. */
  indicators: readonly IndicatorAt[];
  /** What a dataset of the atlas has of the place. */
  records: readonly AtlasRecord[];
}

/** The records of a place by dataset, only datasets that have any. */
export interface PlaceRecords {
  observations: ReadonlyMap<string, readonly Observation[]>;
  atlas: ReadonlyMap<string, readonly AtlasRecord[]>;
  /** For datasets that are too large for pages of their rows: how many records each indicator has. */
  counted: ReadonlyMap<string, readonly IndicatorCount[]>;
}

/** Reads the catalog of a release. Designations are not part of it. */
function catalogOf({ documents, periods }: Evidence, { packs }: PackManifest): Catalog {
  const ofKind = (kind: string): PlaceDataset[] =>
    packs.flatMap((pack) => {
      const document = pack.kind === kind ? documents.get(pack.id) : undefined;
      if (!document) return [];
      const indicators = document.indicators.map((one) => pick(one, 'id', 'label', 'market', 'limitations'));
      return { ...pick(document, ...SAID), indicators };
    });
  const known = packs.flatMap(({ id, kind }) => (kind === 'entities' ? [] : [...periods(id)]));
  return {
    market: ofKind('observations'),
    atlas: ofKind('atlas'),
    context: ofKind('context'),
    hasDesignations: packs.some(({ kind }) => kind === 'entities'),
    periods: Object.fromEntries(known),
  };
}

/** What a place has of each dataset of the catalog, in its order. */
export function coverageOf(place: PlaceRecords, { market, atlas }: Catalog): DatasetAt[] {
  return [
    ...market.map((document): DatasetAt => {
      const counts = place.counted.get(document.id);
      if (counts) return countedAt(document, counts);
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
        document.fields.some(({ path }) => atlasValue(record, path) !== null);
      return { document, indicators: [], records, standing: standingOf(records, hasValue) };
    }),
  ];
}

function countedAt(document: PlaceDataset, counts: readonly IndicatorCount[]): DatasetAt {
  const indicators = document.indicators.map((indicator): IndicatorAt => {
    const count = counts.find((one) => one.indicator === indicator.id);
    const standing = count ? standingOf([count], ({ valued }) => valued > 0) : 'absent';
    return { document, indicator, standing, records: [], ...(count ? { count } : {}) };
  });
  return { document, indicators, records: [], standing: standingOf(counts, ({ valued }) => valued > 0) };
}

function standingOf<T>(records: readonly T[], hasValue: (record: T) => boolean): Standing {
  if (records.length === 0) return 'absent';
  return records.some(hasValue) ? 'known' : 'valueless';
}

/** What the pages of all places are made from, as plain JSON. */
export interface PlacesCommon {
  site: { siteUrl: string; generatedAt: string };
  /** Datasets that are not in the release. */
  unavailable: string[];
  catalog: Catalog;
}

/** What all pages of places are made from. */
export function placesCommon({ evidence, manifest }: Pick<SiteFacts, 'evidence' | 'manifest'>): PlacesCommon {
  const { siteUrl, generatedAt } = evidence;
  return {
    site: { siteUrl, generatedAt },
    unavailable: manifest.unavailable.map(({ id }) => id),
    catalog: catalogOf(evidence, manifest),
  };
}

/** A place as its page shows it. */
export interface PlacePage extends PlaceRecords, PlacesCommon {
  place: Pick<PlaceEvidence, 'code' | 'level' | 'names'>;
  name: string;
  root: string;
  coverage: readonly DatasetAt[];
  revisions: readonly Revision[];
}
