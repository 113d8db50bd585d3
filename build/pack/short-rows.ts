/**
 * The records of an edition in short form, for files that every build makes from all editions: a line for each record with its own
 * values and, where the values that neighbouring records share change, a line with these before it.
 */
import type { Observation } from '../../shim/core/records.ts';

/** The values that neighbouring records share: their source, status, reason and series. */
export type Common = readonly [
  sourceId: string,
  status: string,
  unavailableReason: string | null,
  datasetId: string,
  indicatorId: string,
  geoCode: string,
  geoName: string,
  geoLevel: string,
  category: string,
  subgroup: string,
  group: string,
  unit: string,
  mark: string,
];

/** The values of a single record; `ordinal` numbers the rows of one key. */
export type Own = readonly [
  period: string,
  ordinal: number,
  value: number | null,
  lower: number | null,
  upper: number | null,
  sourceLocator: string,
];

/** Returns a function that gives the lines of the next record in short form. */
export function shortRows(): (record: Observation) => string {
  let last = '';
  return (record) => {
    const { sourceId, status, unavailableReason, datasetId, indicatorId, geoCode, geoName, geoLevel } =
      record;
    const { category, subgroup, group, unit, period, value, lower, upper, sourceLocator } = record;
    const { mark, ordinal } = idParts(record);
    const known = [sourceId, status, unavailableReason] as const;
    const place = [datasetId, indicatorId, geoCode, geoName, geoLevel] as const;
    const series: Common = [...known, ...place, category, subgroup, group, unit, mark];
    const own: Own = [period, ordinal, value, lower, upper, sourceLocator];
    const common = `${JSON.stringify(series)}\n`;
    const before = common === last ? '' : common;
    last = common;
    return `${before}${JSON.stringify(own)}\n`;
  };
}

/** Whether a line holds the values of a single record. */
export function isOwn(line: Common | Own): line is Own {
  return line.length === 6;
}

/** What an id holds after indicator, place and period: the mark of the labels, and which row of one key it is. */
function idParts({ id, indicatorId, geoCode, period }: Observation): { mark: string; ordinal: number } {
  const start = `${indicatorId}.${geoCode}.${period}`;
  if (!id.startsWith(start)) throw new Error(`the id ${id} does not begin with ${start}`);
  const rest = id.slice(start.length);
  const [found = '', digits = '1'] = /\.([0-9]+)$/.exec(rest) ?? [];
  return { mark: rest.slice(0, rest.length - found.length), ordinal: Number(digits) };
}
