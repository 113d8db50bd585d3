/**
 * The records of an edition in short, for what is made of all editions each time: a line for each record, and before it one for
 * what it has in common with those that follow, where that is not what those before had in common.
 */
import type { Observation } from '../../shim/core/records.ts';

/** What neighbouring records have in common: their series, and how each of its values is known. */
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

/** What a record has of its own; `ordinal` says which row of one key it is. */
export type Own = readonly [
  period: string,
  ordinal: number,
  value: number | null,
  lower: number | null,
  upper: number | null,
  sourceLocator: string,
];

/** Writes records in short: gives the lines of the next one. */
export function shortRows(): (record: Observation) => string {
  let last = '';
  return (record) => {
    const { sourceId, status, unavailableReason, datasetId, indicatorId, geoCode, geoName, geoLevel } =
      record;
    const { category, subgroup, group, unit, period, value, lower, upper, sourceLocator } = record;
    const { mark, ordinal } = idParts(record);
    const said = [sourceId, status, unavailableReason] as const;
    const place = [datasetId, indicatorId, geoCode, geoName, geoLevel] as const;
    const series: Common = [...said, ...place, category, subgroup, group, unit, mark];
    const own: Own = [period, ordinal, value, lower, upper, sourceLocator];
    const common = `${JSON.stringify(series)}\n`;
    const before = common === last ? '' : common;
    last = common;
    return `${before}${JSON.stringify(own)}\n`;
  };
}

/** Whether a line has what a record has of its own. */
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
