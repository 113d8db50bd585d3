/** One designation by its number, and the facts about the list that every page with its entries must state. */
import { recordsOf } from './envelope.ts';
import type { Entity } from './records.ts';
import type { JsonObject, Pack, PackManifest, Release } from './types.ts';

/** The list that designations are from, as of the data clock. */
export type DesignationList = NonNullable<ReturnType<typeof designationList>>;

/** The list of a release; null where it has no designations. */
export function designationList({ packs, generatedAt }: PackManifest) {
  const list = packs.find(({ kind }) => kind === 'entities')?.meta['source'] as JsonObject | undefined;
  if (!list) return null;
  const [file = {}] = list['sources'] as JsonObject[];
  const text = (of: JsonObject, member: string): string => String(of[member] ?? '');
  const date = text(list, 'sanctions_list_date');
  const clock = generatedAt.slice(0, 10);
  return {
    title: text(list, 'title'),
    name: text(file, 'name'),
    publisher: text(file, 'publisher'),
    /** The publisher's address of the current list. */
    url: text(file, 'url'),
    /** sha256 of the publisher's file. */
    sha256: text(file, 'sha256'),
    date,
    /** The data clock, a day, and how many days the list is older. */
    clock,
    days: dayNumber(clock) - dayNumber(date),
    /** Entries that have left the list since. */
    withdrawn: Number(list['withheld_after_withdrawal'] ?? 0),
    /** Names withheld until a person has accepted them. */
    inDoubt: Number(list['withheld_in_doubt'] ?? 0),
    limitations: (list['limitations'] ?? []) as string[],
  };
}

/** The days from 1 March of the year 0 to a day, YYYY-MM-DD. */
function dayNumber(day: string): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  // Years that begin in March have their leap day at the end.
  const y = month < 3 ? year - 1 : year;
  const days = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + date - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + days;
}

/** The entry with this number; null where the edition has none, whether it has left the list or never was on it. */
export function designationOf(number: number, release: Release): Entity | null {
  const entry = release.manifest().packs.find(({ kind }) => kind === 'entities');
  if (!entry) return null;
  const pack = release.pack(entry.id);
  const row = pack.derive(rowsByNumber).get(number);
  return row === undefined ? null : ((recordsOf(pack.copy(row, row + 1))[0] as Entity | undefined) ?? null);
}

function rowsByNumber(pack: Pack): Map<number, number> {
  const all = recordsOf(pack.copy(0, pack.entry.rows)) as Entity[];
  return new Map(all.map(({ sanctions_entity_number: number }, row) => [number, row]));
}
