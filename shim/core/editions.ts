/**
 * Editions: `YYYY-MM-DD` or `YYYY-MM`, where a month counts as its last day, so that nothing is claimed too early. A query with
 * `as_of` is answered from the packs of the editions that were published by that day.
 */
import { recordsOf } from './envelope.ts';
import { Fault, invalidParameter, quoted, unlessFault } from './faults.ts';
import type { Observation } from './records.ts';
import { selectSeries, seriesFilter, type Selection, type SeriesFilter } from './series.ts';
import type { Input, JsonObject, Pack, PackEntry, PackManifest, Release } from './types.ts';

/** The day from which an edition counts as published. */
export function lastDay(edition: string): string {
  if (edition.length !== 7) return edition;
  const [year = 0, month = 0] = edition.split('-').map(Number);
  return `${edition}-${daysIn(year, month)}`;
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** The dataset of a pack. */
export function datasetOf({ id }: Pick<PackEntry, 'id'>): string {
  return id.split('@')[0] ?? id;
}

/** Ids of the indicators of a pack. */
export function indicatorsOf({ meta }: Pick<PackEntry, 'meta'>): string[] {
  return (meta['indicators'] ?? []) as string[];
}

/** The newest pack that has an indicator: of one that left its dataset, an earlier edition. */
export function newestWith(indicator: string, { packs, editions }: PackManifest): PackEntry | undefined {
  const has = (pack: PackEntry): boolean => indicatorsOf(pack).includes(indicator);
  return packs.find(has) ?? editions.findLast(has);
}

/** A source of a pack as responses list it. */
export type ListedSource = JsonObject & { id: string; edition: string };

/** The sources of a pack; an atlas and designations list none here. */
export function sourcesIn({ meta }: Pick<PackEntry, 'meta'>): ListedSource[] {
  return (meta['sources'] ?? []) as ListedSource[];
}

/** All editions of a dataset, oldest first, the current one last. */
export function editionsOf({ packs, editions }: PackManifest, dataset: string): PackEntry[] {
  return [...editions, ...packs].filter((pack) => datasetOf(pack) === dataset);
}

/** All editions of the datasets of these packs. */
export function editionsOfEach(packs: readonly PackEntry[], release: Release): PackEntry[] {
  return packs.flatMap((pack) => editionsOf(release.manifest(), datasetOf(pack)));
}

/**
 * For each current pack, the pack of the newest edition of its dataset published by the day `asOf`, where there is one. Throws
 * invalid_request for anything but a calendar day, for a day after the data, and for a day before the first edition of them all.
 */
function packsAsOf(asOf: string, packs: readonly PackEntry[], manifest: PackManifest): PackEntry[] {
  const days = manifest.packs.map(({ edition }) => lastDay(edition));
  // An edition of a month may have been retrieved before the last day of that month, which is accepted too.
  const clock = [manifest.generatedAt.slice(0, 10), ...days].sort().at(-1) ?? '';
  const [year = 0, month = 0, day = 0] = asOf.split('-').map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month))
    throw invalidParameter('as_of', asOf, 'a day of the calendar, YYYY-MM-DD');
  const each = packs.map((pack) => editionsOf(manifest, datasetOf(pack)));
  const known = each.flat();
  const found = each.flatMap((all) => all.findLast(({ edition }) => lastDay(edition) <= asOf) ?? []);
  const first = known.map(({ edition }) => lastDay(edition)).sort()[0] ?? '';
  const there = known.map((pack) => `${datasetOf(pack)} ${pack.edition}`).join(', ');
  if (asOf > clock)
    throw invalidParameter('as_of', asOf, `a day up to ${clock}, the date of the data. Editions: ${there}`);
  if (found.length === 0 && packs.length > 0)
    throw new Fault(
      'invalid_request',
      `Invalid value ${quoted(asOf)} for parameter "as_of": nothing requested had been published by that day; expected one from ${first}. Editions: ${there}.`,
    );
  return found;
}

/** A sentence for each of the current packs that has no edition among `found`. */
function notYetPublished(
  asOf: string,
  packs: readonly PackEntry[],
  found: readonly PackEntry[],
  manifest: PackManifest,
): string[] {
  const names = new Set(found.map(datasetOf));
  return packs
    .filter((pack) => !names.has(datasetOf(pack)))
    .map((pack) => {
      const first = editionsOf(manifest, datasetOf(pack))[0]?.edition ?? pack.edition;
      return `Dataset ${datasetOf(pack)} had no edition by ${asOf}; its first one is ${first}.`;
    });
}

/** The evidence of a past day: the packs that the query selects, all packs, and notes on datasets without an edition by then. */
interface Published {
  packs: PackEntry[];
  all: PackEntry[];
  notes: string[];
}

/**
 * The packs that `as_of` or the edition of an `id` names, null where the query names neither. Throws invalid_request for a day
 * that no edition answers for.
 */
export function publishedPacks(
  { as_of: asOf, id }: Input,
  { current, asked }: { current: readonly PackEntry[]; asked: readonly PackEntry[] },
  release: Release,
): Published | null {
  const manifest = release.manifest();
  const [, edition] = String(id ?? '').split('@');
  if (asOf !== undefined && edition !== undefined)
    throw new Fault(
      'invalid_request',
      `Parameter "as_of" cannot be combined with the edition in "id" (${quoted(id)}): leave one of them out.`,
    );
  if (asOf !== undefined) {
    // Where the filters select no pack, the second call still checks the day.
    const packs = asked.length === 0 ? [] : packsAsOf(String(asOf), asked, manifest);
    const notes = notYetPublished(String(asOf), asked, packs, manifest);
    return { packs, all: packsAsOf(String(asOf), current, manifest), notes };
  }
  if (edition === undefined) return null;
  const hasEdition = (pack: PackEntry): boolean =>
    sourcesIn(pack).some((source) => source.edition === edition);
  const packs = asked.flatMap((pack) => {
    const all = editionsOf(manifest, datasetOf(pack)).filter(hasEdition);
    // A dataset of several files may have two of one date, of which its next edition keeps only one.
    const found = all.length > 1 ? all.findLast((entry) => mayHave(entry, String(id), release)) : undefined;
    return found ?? all.at(-1) ?? [];
  });
  return { packs, all: packs, notes: [] };
}

/** Whether an edition has the record of this id, or cannot be opened now. */
function mayHave(entry: PackEntry, id: string, release: Release): boolean {
  const filter = filterOfRecord(id, { equal: {} });
  return unlessFault(() => {
    const pack = release.pack(entry.id);
    return filter !== null && rowOfRecord(pack, selectSeries(pack, filter), id).matched > 0;
  }, true);
}

/** A filter narrowed to the key of a record id; null where the two contradict each other. */
export function filterOfRecord(id: string, { equal, from, to }: SeriesFilter): SeriesFilter | null {
  const [indicator = '', geo = '', period = ''] = (id.split('@')[0] ?? '').split('.');
  const { indicator: otherIndicator = indicator, geo: otherGeo = geo } = equal;
  const isWithin = period >= (from ?? period) && period.slice(0, (to ?? period).length) <= (to ?? period);
  // A year does not answer a month, whatever the other bound is.
  if (period.length === 4 && (from?.length === 7 || to?.length === 7)) return null;
  if (otherIndicator !== indicator || otherGeo !== geo || !isWithin) return null;
  return { equal: { ...equal, indicator, geo }, from: period, to: period };
}

/** The one row of a selection whose record has this id; an id with an edition names the record of that edition alone. */
export function rowOfRecord(pack: Pack, selection: Selection, id: string): Selection {
  const [key, edition] = id.split('@');
  const found = recordsIn(pack, selection).find(
    (record) => record.id === key && (edition === undefined || record.edition === edition),
  )?.row;
  if (found === undefined) return { matched: 0, rows: () => [] };
  return { matched: 1, rows: (from) => (found >= from ? [[found, found + 1]] : []) };
}

function recordsIn(pack: Pack, { matched, rows }: Selection): (Observation & { row: number })[] {
  return rows(0, matched).flatMap(([from, to]) => {
    const records = recordsOf(pack.copy(from, to)) as Observation[];
    return records.map((record, at) => ({ ...record, row: from + at }));
  });
}

/** The records of all editions of these packs that have the indicator, place and period of an id, oldest edition first. */
export function recordsNear(
  id: string,
  packs: readonly PackEntry[],
  release: Release,
): (Observation & { published: string })[] {
  const filter = filterOfRecord(id, { equal: {} });
  if (!filter) return [];
  return editionsOfEach(packs, release).flatMap(({ id: name, edition }) =>
    openPack(release, name).flatMap((pack) =>
      recordsIn(pack, selectSeries(pack, filter)).map((record) => ({
        ...record,
        published: lastDay(edition),
      })),
    ),
  );
}

/** A list of the pack, empty where it cannot be opened: explanations then say less instead of failing. */
export function openPack(release: Release, id: string): Pack[] {
  return unlessFault(() => [release.pack(id)], []);
}

/** The editions of these datasets that have records for the filters, whatever `as_of` is; those that cannot be opened are left out. */
export function editionsWith(
  filter: SeriesFilter,
  asked: readonly PackEntry[],
  release: Release,
): { entry: PackEntry; pack: Pack }[] {
  return editionsOfEach(asked, release)
    .flatMap((entry) => openPack(release, entry.id).map((pack) => ({ entry, pack })))
    .filter(({ pack }) => selectSeries(pack, filter).matched > 0);
}

/** Editions with the names of their datasets. */
export function named(editions: readonly { entry: PackEntry }[]): string {
  return editions.map(({ entry }) => `${datasetOf(entry)} ${entry.edition}`).join(', ');
}

/** Most records of other editions that are looked for. */
const MOST_COMPARED = 100;

/** The records of `packs` that `others`, packs of other editions, have for these filters: an id stays where a label is printed otherwise. */
export function sameRecords(filters: Input, others: readonly Pack[], packs: readonly Pack[]): Observation[] {
  const ids = others.flatMap((other) => {
    const { matched, rows } = selectSeries(other, seriesFilter(filters));
    return recordsIn(other, { matched: Math.min(matched, MOST_COMPARED), rows }).map(({ id }) => id);
  });
  // Most editions have the same ones.
  return [...new Set(ids)].slice(0, MOST_COMPARED).flatMap((id) => {
    const filter = filterOfRecord(id, { equal: {} });
    if (!filter) return [];
    const near = packs.flatMap((pack) => recordsIn(pack, selectSeries(pack, filter)));
    return near.filter((record) => record.id === id);
  });
}

const RECORD_ID = /^[A-Za-z0-9.~_-]{1,96}$/;

/** Whether a text has the form of a record id: short, readable, safe in a URL. */
export function isRecordId(text: string): boolean {
  return RECORD_ID.test(text);
}
