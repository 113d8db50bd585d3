/** The geographies of a map: the records of one period by place, and what is drawn for each. */
import { groupedBy } from '../../core/groups.ts';
import { sortedByName } from '../../core/name-order.ts';
import type { Observation } from '../../core/records.ts';
import type { Marked } from './mark.ts';
import { classOf, type ValueClass } from './measure.ts';
import type { WorldPlace, WorldShapes } from './world.ts';

/** A record as the map draws it; an observation and a score of the atlas both are. */
export type MapRecord = Marked & Pick<Observation, 'geoCode'>;

/** A geography with its records of the period. */
export interface Geography {
  code: string;
  /** As the source prints it. */
  name: string;
  records: readonly MapRecord[];
  /** Null where the map has no place for it. */
  place: WorldPlace | null;
  state: State;
  /** Whether its value is drawn as an estimate: on a map that has both kinds. */
  estimated: boolean;
}

/** What is drawn: a class of shades from 0, or one of the other states. */
export type State = number | 'amount' | 'zero' | 'gone' | 'several';

/** The geographies of records, by name. Without classes, values are amounts. */
export function geographiesOf(
  records: readonly MapRecord[],
  shapes: WorldShapes,
  classes: readonly ValueClass[],
): Geography[] {
  const isMixed = statusesOf(records).length > 1;
  const places = new Map(shapes.places.map((place) => [place.code, place]));
  const found = [...groupedBy(records, ({ geoCode }) => geoCode)].map(([code, own]) => ({
    code,
    name: own[0]?.geoName ?? code,
    records: own,
    place: places.get(code) ?? null,
    state: stateOf(own, classes),
    estimated: isMixed && own.length === 1 && own[0]?.status === 'estimated',
  }));
  return sortedByName(
    found,
    ({ name }) => name,
    ({ code }) => code,
  );
}

/** The statuses of the values drawn. */
export function statusesOf(records: readonly MapRecord[]): MapRecord['status'][] {
  return [...new Set(records.flatMap(({ value, status }) => (value === null ? [] : [status])))];
}

function stateOf(records: readonly MapRecord[], classes: readonly ValueClass[]): State {
  const [record] = records;
  if (!record || records.length > 1) return 'several';
  if (record.value === null) return 'gone';
  if (record.value === 0) return 'zero';
  return classes.length === 0 ? 'amount' : classOf(record.value, classes);
}

/** The class name of a state. */
export function stateClass({ state, estimated }: Geography): string {
  return typeof state === 'number' ? `shade s${state + 1}${estimated ? ' estimated' : ''}` : state;
}
