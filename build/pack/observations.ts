/** Observation datasets -> packs: each record serialized once, exactly as answers carry it. */
import {
  byObservationOrder,
  observationId,
  type ObservationRow,
  type ObservationsDescriptor,
} from '../lib/dataset.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { seriesIndex } from './index.ts';
import { packOf, type Packed } from './packed.ts';

/** What tells series of observations apart, in the fixed order; an index has a column for each. */
export const OBSERVATION_DIMENSIONS = ['indicator', 'geo', 'category', 'subgroup'];

/** An observation as the API answers it (decisions, Markets). */
export interface Observation {
  id: string;
  datasetId: string;
  indicatorId: string;
  geoCode: string;
  geoName: string;
  geoLevel: string;
  period: string;
  category: string;
  subgroup: string;
  value: number | null;
  lower: number | null;
  upper: number | null;
  unit: string;
  status: string;
  unavailableReason: string | null;
  sourceId: string;
  sourceLocator: string;
}

/** The rows of a dataset as observations in the fixed order. */
export function observationsOf(descriptor: ObservationsDescriptor, rows: ObservationRow[]): Observation[] {
  const places = new Map(descriptor.geographies.map((geography) => [geography.code, geography]));
  return [...rows].sort(byObservationOrder).map((row) => ({
    id: observationId(row),
    datasetId: descriptor.name,
    indicatorId: row.indicator,
    geoCode: row.geo,
    geoName: places.get(row.geo)?.name ?? row.geo,
    geoLevel: places.get(row.geo)?.level ?? 'country',
    period: row.period,
    category: row.category,
    subgroup: row.subgroup,
    value: row.value,
    lower: row.lower,
    upper: row.upper,
    unit: row.unit,
    status: row.status,
    unavailableReason: row.reason,
    sourceId: row.source,
    sourceLocator: row.locator,
  }));
}

/** One dataset's pack. `meta` carries what answers need before a pack is opened. */
export function packObservations(
  descriptor: ObservationsDescriptor,
  observations: Observation[],
  meta: JsonObject,
): Packed {
  const kind = descriptor.indicators.every(({ market }) => market === 'context') ? 'context' : 'observations';
  const rows = observations.map(({ indicatorId, geoCode, category, subgroup, period }) => ({
    dims: [indicatorId, geoCode, category, subgroup],
    period,
  }));
  return packOf(
    descriptor.name,
    kind,
    observations,
    (lines) => seriesIndex(OBSERVATION_DIMENSIONS, rows, lines),
    {
      indicators: descriptor.indicators.map(({ id }) => id),
      ...meta,
    },
  );
}
