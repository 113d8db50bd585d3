/** Observation datasets -> packs: each record serialized once, exactly as responses carry it. */
import {
  byObservationOrder,
  observationId,
  type ObservationRow,
  type ObservationsDescriptor,
} from '../lib/dataset.ts';
import type { Observation } from '../lib/records.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { seriesIndex, packOf, type Packed } from './pack-file.ts';

/** What tells series of observations apart, in the fixed order; an index has a column for each. */
export const OBSERVATION_DIMENSIONS = ['indicator', 'geo', 'category', 'subgroup'];

/** The rows of a dataset as observations in the fixed order. */
export function observationsOf(
  { name, geographies }: ObservationsDescriptor,
  rows: ObservationRow[],
): Observation[] {
  const places = new Map(geographies.map((geography) => [geography.code, geography]));
  return [...rows].sort(byObservationOrder).map((row) => {
    // The rest of a row is in the order of the schema, as it was read.
    const { indicatorId, geoCode, ...rest } = row;
    return {
      id: observationId(row),
      datasetId: name,
      indicatorId,
      geoCode,
      geoName: places.get(geoCode)?.name ?? geoCode,
      geoLevel: places.get(geoCode)?.level ?? 'country',
      ...rest,
    };
  });
}

/** One dataset's pack. `meta` carries what responses need before a pack is opened. */
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
