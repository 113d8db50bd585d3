/** Which places and times the records of a dataset speak of, read from the records. */
import { byCodeUnits, type Descriptor } from '../../lib/dataset.ts';
import type { Table } from './table.ts';

/** Places by code, and the first and last period (`YYYY` or `YYYY-MM`). */
export interface Coverage {
  geographies: { code: string; name: string }[];
  from: string;
  to: string;
}

/** The columns that hold code, name and period; entities have none. */
const PLACE_AND_TIME: Record<Descriptor['kind'], [code: string, name: string, period: string] | null> = {
  observations: ['geoCode', 'geoName', 'period'],
  atlas: ['data.iso3', 'data.country', 'data.year'],
  entities: null,
};

/** The coverage of a table; null where its records have no place and time, or there are none. */
export function coverageOf({ kind }: Descriptor, table: Table): Coverage | null {
  const names = PLACE_AND_TIME[kind];
  if (names === null || table.rows === 0) return null;
  const [codes = [], labels = [], periods = []] = names.map((name) =>
    (table.cells[table.columns.findIndex((column) => column.name === name)] ?? []).map(String),
  );
  const places = new Map(codes.map((code, row) => [code, labels[row] ?? code]));
  const times = [...new Set(periods)].sort(byCodeUnits);
  return {
    geographies: [...places]
      .map(([code, name]) => ({ code, name }))
      .sort((a, b) => byCodeUnits(a.code, b.code)),
    from: times[0] ?? '',
    to: times.at(-1) ?? '',
  };
}
