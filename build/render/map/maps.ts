/** The figures of the last period that many places have: one for each indicator and each field of a scored atlas. */
import type {
  AtlasRecord,
  DatasetDocument,
  DatasetIndicator,
  Observation,
} from '../../../shim/core/records.ts';
import { atlasValue } from '../../../shim/core/fields.ts';
import { apiAddress, atlasRecordId } from '../../../shim/view/address.ts';
import type { MapRecord } from '../../../shim/view/chart/geography.ts';
import { mapFigure, mapRefusal } from '../../../shim/view/chart/map.ts';
import type { WorldShapes } from '../../../shim/view/chart/world.ts';
import { figureOfPlaces, FEWEST_PLACES, lastOfPlaces } from '../../../shim/view/chart/places.ts';
import type { Child } from '../../../shim/view/node.ts';
import { figureSources } from '../../../shim/view/chart/figure.ts';
import { labelOf } from '../../../shim/view/words.ts';

/** A figure of one period and many places. */
export interface PlacesFigure {
  /** Id of the indicator; for an atlas, its dataset and the path of the field. */
  id: string;
  /** What is drawn, without the period. */
  title: string;
  period: string;
  places: number;
  /** Whether it is a map; else it is a dot plot. */
  isMap: boolean;
  /** The figure on a page whose path to the site root is `root`. */
  draw(root: string): Child;
}

/** The figure of an indicator, made from all its records; null where no period has enough places under one label. */
export function indicatorFigure(
  all: readonly Observation[],
  world: WorldShapes,
  document: DatasetDocument,
  { id, label }: Pick<DatasetIndicator, 'id' | 'label'>,
): PlacesFigure | null {
  const drawn = lastOfPlaces(all);
  if (!drawn) return null;
  const { records, period, category, subgroup } = drawn;
  const printed = labelOf(drawn);
  const title = printed === '' ? label : `${label}: ${printed}`;
  const query = { indicator: id, category, subgroup, from: period, to: period };
  return {
    id,
    title,
    period,
    places: placesIn(records),
    isMap: mapRefusal(records, world) === null,
    draw: (root) =>
      figureOfPlaces(records, world, {
        id: 'places',
        root,
        caption: `${title}, ${period}`,
        sources: figureSources(document, records),
        boundary: document.limitations[0] ?? null,
        query: apiAddress('market-observations', query),
        ...(printed === '' ? {} : { nothing: 'no row with this label and unit' }),
      }),
  };
}

/** The figures of the fields of an atlas, made from all its records, each of the last year with enough places; none where its values are not scores. */
export function scoreFigures(
  all: readonly AtlasRecord[],
  world: WorldShapes,
  document: DatasetDocument,
): PlacesFigure[] {
  return document.fields.flatMap((field) => {
    const scores = scoresOf(all, field, document);
    const periods = [...new Set(scores.map(({ period }) => period))].sort().toReversed();
    const last = periods
      .map((period) => scores.filter((score) => score.period === period))
      .find((own) => own.filter(({ value }) => value !== null).length >= FEWEST_PLACES);
    const [first] = last ?? [];
    if (!last || !first || !SCORE.test(first.unit) || mapRefusal(last, world) !== null) return [];
    const { period } = first;
    return {
      id: `${document.id}.${field.path}`,
      title: field.label,
      period,
      places: placesIn(last),
      isMap: true,
      draw: (root) =>
        mapFigure(last, world, {
          id: 'places',
          root,
          caption: `${field.label}, expert score, ${period}`,
          sources: figureSources(document),
          boundary: document.limitations[0] ?? null,
          query: apiAddress('atlas', { domain: document.domain, year: period }),
        }),
    };
  });
}

/** Counts of an atlas are not drawn from it: the same counts are indicators, with a cell and a reason for each. */
const SCORE = /\bscore\b/;

/** One field of the atlas in all records given, as figures draw them. The atlas gives no reason for a field without a value. */
function scoresOf(
  records: readonly AtlasRecord[],
  { path }: DatasetDocument['fields'][number],
  { id, edition, unit = '' }: DatasetDocument,
): MapRecord[] {
  return records.map((record) => {
    const { iso3, country, year } = record.data;
    const value = atlasValue(record, path);
    return {
      id: atlasRecordId(id, iso3, year),
      edition,
      geoCode: iso3,
      geoName: country,
      period: String(year),
      value,
      lower: null,
      upper: null,
      unit,
      status: value === null ? 'unavailable' : 'reported',
      unavailableReason: null,
    };
  });
}

function placesIn(records: readonly MapRecord[]): number {
  return new Set(records.map(({ geoCode }) => geoCode)).size;
}
