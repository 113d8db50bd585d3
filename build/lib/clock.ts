/** Dates of evidence, never of the machine: the data clock, whether a source is overdue, and whether a date exists. */
import { lastDay } from '../../shim/core/editions.ts';
import type { DatasetSource } from '../../shim/core/records.ts';
import type { Dataset, Source } from './dataset.ts';

/** A source's freshness against the data clock. */
export interface Freshness {
  /** Last day the edition is current, `YYYY-MM-DD`; null where the publisher does not renew it. */
  staleAfter: string | null;
  stale: boolean;
}

/** The data clock: the latest retrieval of these datasets, date-time. A month counts as its first day, so that the clock is never too late. */
export function dataClock(datasets: readonly Pick<Dataset, 'descriptor'>[]): string {
  const dates = datasets.flatMap(({ descriptor }) =>
    descriptor.sources.map(({ retrievedAt: day }) => (day.length === 7 ? `${day}-01` : day)),
  );
  return `${dates.sort().at(-1) ?? '1970-01-01'}T00:00:00Z`;
}

/** The moment one year after a clock, date-time. */
export function oneYearAfter(clock: string): string {
  const date = new Date(clock);
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Whether `clock` lies past the edition's date plus its cadence. A month counts as its last day. */
export function freshnessOf({ dated, cadence }: Source, clock: string): Freshness {
  if (cadence === null) return { staleAfter: null, stale: false };
  const staleAfter = afterCadence(lastDay(dated), cadence);
  return { staleAfter, stale: staleAfter < clock.slice(0, 10) };
}

/** A source as every document shows it. */
export function sourceFacts(source: Source, clock: string): DatasetSource {
  const { id, title: name, publisher, url, path: downloadUrl, license, licenseUrl, rights } = source;
  const { dated, retrievedAt, cadence, sha256: hash, bytes, notes } = source;
  const published = { id, name, publisher, url, downloadUrl, license, licenseUrl, rights };
  const read = { dated, retrievedAt, cadence, ...freshnessOf(source, clock), sha256: hash, bytes, notes };
  return { ...published, ...read };
}

/** The sentence that an overdue source adds to limitations; empty where the source is current. */
export function staleNote(source: Source, clock: string): string[] {
  const { stale, staleAfter } = freshnessOf(source, clock);
  return stale
    ? [`Source ${source.id} is dated ${source.dated} and overdue: a newer edition was due by ${staleAfter}.`]
    : [];
}

/** The note shown with designations everywhere: the date of the list, whether it is overdue, how many are withheld. */
export function listNote(
  { listDate, withheldAfterWithdrawal }: { listDate: string; withheldAfterWithdrawal: number },
  { stale, staleAfter }: Freshness,
): string {
  const due = stale ? `; a newer one was due by ${staleAfter}` : '';
  return `The list is dated ${listDate}${due}. ${withheldAfterWithdrawal} designations are withheld: they have left the list.`;
}

/** Years, months and days of the units of a cadence. */
const UNITS: Record<string, number[]> = { D: [0, 0, 1], W: [0, 0, 7], M: [0, 1, 0], Y: [1, 0, 0] };

function afterCadence(day: string, cadence: string): string {
  const [, count, unit = ''] = /^P(\d+)([DWMY])$/.exec(cadence) ?? [];
  const [years = 0, months = 0, days = 0] = (UNITS[unit] ?? []).map((each) => each * Number(count));
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  // A month after the last day of May is the last day of June, which has no 31st.
  const end = new Date(Date.UTC(year + years, month + months, 0)).getUTCDate();
  const first = Date.UTC(year + years, month - 1 + months, Math.min(date, end) + days);
  return new Date(first).toISOString().slice(0, 10);
}

/** Whether `YYYY-MM-DD` or `YYYY-MM` is a day or month of the calendar. It may lie in the future. */
export function isCalendarDate(text: string): boolean {
  const moment = /^\d{4}-\d{2}(-\d{2})?$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}
