/** What pages say of all records of a dataset or an indicator, collected while the records pass in the order of their pack. */
import type { Observation } from '../../../shim/core/records.ts';
import { kindOf, type Kind } from '../../../shim/view/words.ts';

/** The members whose values the codebook counts or lists, with what one and several are called. */
export const COUNTED = [
  ['indicatorId', 'indicator', 'indicators'],
  ['geoCode', 'place', 'places'],
  ['category', 'category', 'categories'],
  ['subgroup', 'subgroup', 'subgroups'],
  ['group', 'group', 'groups'],
  ['unit', 'unit', 'units'],
  ['period', 'period', 'periods'],
  ['sourceId', 'source', 'sources'],
] as const;

/** The records under one pair of labels, or of one place. */
export interface PartSummary {
  first: Observation;
  rows: number;
  valued: number;
  places: number;
  /** The place of its latest record. */
  geoCode: string | null;
  units: Set<string>;
  firstPeriod: string;
  lastPeriod: string;
}

/** The sums; memory grows with labels and places, not with records. */
export class RecordSummary {
  rows = 0;
  /** Records by status, and by reason where there is no value. */
  readonly kinds = new Map<Kind, number>();
  /** Records that share indicator, place, period and labels with another one. */
  shared = 0;
  /** The first record of the latest period that has a value other than zero. */
  example: Observation | null = null;
  readonly labels = new Map<string, PartSummary>();
  readonly places = new Map<string, PartSummary>();
  private readonly values = new Map<string, Set<string>>(COUNTED.map(([name]) => [name, new Set()]));
  private previous: Observation | null = null;
  private isShared = false;

  add(record: Observation): void {
    const { value, period, category, subgroup, geoCode } = record;
    this.rows += 1;
    const kind = kindOf(record);
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    for (const [name] of COUNTED) this.values.get(name)?.add(record[name]);
    const isSame = this.previous !== null && keyOf(record) === keyOf(this.previous);
    if (isSame) this.shared += this.isShared ? 1 : 2;
    this.isShared = isSame;
    this.previous = record;
    if (value !== null && value !== 0 && (this.example === null || period > this.example.period))
      this.example = record;
    addTo(this.labels, `${category}\n${subgroup}`, record);
    addTo(this.places, geoCode, record);
  }

  /** The distinct values of a member that is counted, in the order in which they come. */
  valuesOf(name: string): string[] {
    return [...(this.values.get(name) ?? [])];
  }
}

function keyOf({ indicatorId, geoCode, period, category, subgroup }: Observation): string {
  return [indicatorId, geoCode, period, category, subgroup].join('\n');
}

function addTo(parts: Map<string, PartSummary>, key: string, record: Observation): void {
  const { period, value, unit, geoCode } = record;
  let part = parts.get(key);
  if (!part) {
    const none = { rows: 0, valued: 0, places: 0, geoCode: null, units: new Set<string>() };
    part = { first: record, ...none, firstPeriod: period, lastPeriod: period };
    parts.set(key, part);
  }
  part.rows += 1;
  if (value !== null) part.valued += 1;
  // Records of a place follow one another, within an indicator.
  if (part.geoCode !== geoCode) part.places += 1;
  part.geoCode = geoCode;
  part.units.add(unit);
  if (period < part.firstPeriod) part.firstPeriod = period;
  if (period > part.lastPeriod) part.lastPeriod = period;
}
