/** Why a query for a record by its id matches nothing: no edition has it, or which of the other filters excludes it. */
import { NO_ZERO, notSearched } from './absence-message.ts';
import { datasetOf, editionsOfEach, filterOfRecord, recordsNear } from './editions.ts';
import { Fault, orFault, quoted } from './faults.ts';
import { closestPlaces, knownValues, LABELS } from './known-values.ts';
import { holdersOf, type MarketPacks } from './market-packs.ts';
import type { Context, Input, JsonObject, MissingDataset, PackEntry, Release } from './types.ts';

/** Filters that may exclude a record, each with the member of the record that it is compared with. */
const MEMBERS = [
  ['dataset', 'datasetId'],
  ['indicator', 'indicatorId'],
  ['geo', 'geoCode'],
  ['category', 'category'],
  ['subgroup', 'subgroup'],
] as const;

/**
 * The `absence` of a query for a record by its id. The datasets `absent` are not in the release and may have the record. `missed` is
 * called for each edition that could have it and cannot be opened, and where the catalog cannot be read.
 */
export function absenceOfRecord(
  filters: Input,
  market: MarketPacks,
  absent: readonly MissingDataset[],
  { release, missed }: Pick<Context, 'release' | 'missed'>,
): JsonObject {
  const { id, as_of: asOf } = filters;
  const [key = '', edition] = String(id).split('@');
  const known = release.derive(knownValues);
  if (known.fault) missed?.(known.fault);
  const meant = meantKey(key, release);
  const packs = holdersOf(meant, market);
  const there = recordsNear(meant, packs, release);
  const same = there.filter((record) => record.id === key);
  const absence = (
    parameter: string | null,
    reason: string,
    {
      nearest: closest = [],
      periods = [],
      message,
    }: { nearest?: string[]; periods?: string[]; message: string },
  ): JsonObject => ({
    parameter,
    given: parameter === null ? null : String(filters[parameter]),
    reason,
    nearest: [...new Set(closest)].slice(0, 5),
    periods,
    elsewhere: [],
    message: `${message} ${NO_ZERO}`,
  });
  const record = same.at(-1);
  if (!record)
    return absence('id', 'unknown_value', {
      nearest: [...there.filter((near) => near.id.toLowerCase() === meant.toLowerCase()), ...there].map(
        (near) => near.id,
      ),
      message: [
        `No edition of a market dataset has a record with the id ${quoted(key)}.`,
        ...notSearched([
          ...unreadable(packs, { release, missed }),
          ...absent.map(({ id: dataset }) => dataset),
        ]),
      ].join(' '),
    });
  const days = same.map(({ published }) => published).sort();
  if (asOf !== undefined && days.every((day) => day > String(asOf)))
    return absence('as_of', 'outside_as_of', {
      nearest: days,
      message: `No edition published by ${String(asOf)} has the record ${quoted(key)}; later ones do.`,
    });
  const others = MEMBERS.filter(
    ([filter, member]) => filters[filter] !== undefined && filters[filter] !== record[member],
  );
  const bounds = (['from', 'to'] as const).filter(
    (name) =>
      filters[name] !== undefined &&
      filterOfRecord(key, { equal: {}, [name]: String(filters[name]) }) === null,
  );
  const editions = same.map((one) => `${key}@${one.edition}`);
  const isElsewhere = edition !== undefined && same.every((one) => one.edition !== edition);
  if (isElsewhere || others.length + bounds.length === 0)
    return absence('id', 'no_rows', {
      nearest: editions,
      message: `The record ${quoted(key)} is in other editions.`,
    });
  const periods = [record.period];
  const only = others.length + bounds.length === 1;
  const [[filter, member] = [null, null]] = others;
  if (filter === null)
    return absence(only ? (bounds[0] ?? null) : null, 'no_rows_in_period', {
      periods,
      message: `The record ${quoted(key)} is of ${record.period}, outside the period asked for.`,
    });
  const isUnknown = LABELS.some((label) => label === filter && known.isUnknown(label, filters[label]));
  return absence(only ? filter : null, isUnknown && only ? 'unknown_value' : 'no_rows', {
    nearest: only ? [record[member]] : editions,
    periods,
    message: `The record ${quoted(key)} is excluded by the other filters.`,
  });
}

/** The key that was probably meant: its indicator in lower case, and its place as a code of the packaged data. */
function meantKey(key: string, release: Release): string {
  const [indicator = '', geo = '', ...others] = key.split('.');
  const isUnknown = release.derive(knownValues).isUnknown('geo', geo);
  const place = isUnknown ? (closestPlaces(geo, release)[0] ?? geo) : geo;
  return [indicator.toLowerCase(), place, ...others].join('.');
}

/** Editions of these datasets that cannot be opened now. */
function unreadable(
  packs: readonly PackEntry[],
  { release, missed }: Pick<Context, 'release' | 'missed'>,
): string[] {
  return editionsOfEach(packs, release).flatMap((entry) => {
    const opened = orFault(() => release.pack(entry.id));
    if (!(opened instanceof Fault)) return [];
    missed?.(opened);
    return [`${datasetOf(entry)} ${entry.edition}`];
  });
}
