/** A prepared series that holds every kind of mark, a missing year, and three rows in one year. */
import type { Observation } from '../../shim/core/records.ts';

const COMMON: Observation = {
  id: '',
  datasetId: 'prepared',
  edition: '2026-01',
  indicatorId: 'prepared',
  geoCode: 'BEL',
  geoName: 'Belgium',
  geoLevel: 'country',
  period: '',
  category: 'Cocaine',
  subgroup: '',
  group: '',
  value: null,
  lower: null,
  upper: null,
  unit: 'Kilograms',
  status: 'unavailable',
  unavailableReason: null,
  sourceId: 'prepared-1',
  sourceLocator: 'Sheet1!A1',
};

type Cell = Partial<Observation>;

const gone = (unavailableReason: Observation['unavailableReason'], bounds: Cell = {}): Cell => ({
  unavailableReason,
  ...bounds,
});
const reported = (value: number, more: Cell = {}): Cell => ({ value, status: 'reported', ...more });

/** The cells by the name of what each shows; there is no row for 2014. */
const CELLS: readonly (readonly [what: string, period: string, cell: Cell])[] = [
  ['value', '2001', reported(80)],
  ['value', '2002', reported(90)],
  ['near zero', '2003', reported(0.02)],
  ['zero', '2004', reported(0)],
  ['estimate', '2005', reported(60, { status: 'estimated' })],
  ['estimate', '2006', reported(70, { status: 'estimated' })],
  ['bounds', '2007', reported(50, { lower: 30, upper: 95 })],
  ['blank', '2008', gone('blank_in_source')],
  ['suppressed', '2009', gone('suppressed_by_source')],
  ['placeholder', '2010', gone('placeholder_in_source')],
  ['broken formula', '2011', gone('broken_formula_in_source')],
  ['contradictory', '2012', gone('conflicting_source_rows')],
  ['only a range', '2013', gone('no_point_value_in_source', { lower: 20, upper: 60 })],
  ['value', '2015', reported(40)],
  ['several', '2016', reported(10)],
  ['several', '2016', reported(123_026.367 / 2000)],
  ['several', '2016', reported(30)],
];

/** The records of the series, in the order of their cells. */
export const PREPARED: readonly Observation[] = CELLS.map(([, period, cell], index) => ({
  ...COMMON,
  ...cell,
  period,
  id: `prepared.BEL.${period}.${index}`,
}));

/** The first record that shows each kind. */
export const KINDS: ReadonlyMap<string, Observation> = new Map(
  PREPARED.map((record, index): [string, Observation] => [CELLS[index]?.[0] ?? '', record]).toReversed(),
);
