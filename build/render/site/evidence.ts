/**
 * The current records as pages need them, with what differs between editions: read from the packs by query, a group at a time,
 * and not kept. Designations are not part of it.
 */
import { byCodeUnits } from '../../lib/dataset.ts';
import { newerDay, type EditionPair } from '../../pack/revisions.ts';
import type { AtlasRecord, DatasetDocument, Observation, Revision } from '../../../shim/core/records.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import { REVISIONS } from '../../../shim/core/paths.ts';
import { readSeries, selectSeries } from '../../../shim/core/series.ts';
import type { Pack, Release } from '../../../shim/core/types.ts';

/** Everything that pages show. */
export interface Evidence {
  /** Address of the service without trailing slash. */
  siteUrl: string;
  /** The data clock, date-time. */
  generatedAt: string;
  /** The current edition of each dataset by its id, designations included. */
  documents: ReadonlyMap<string, DatasetDocument>;
  /** Every edition of each dataset by its id, oldest first. */
  editions: ReadonlyMap<string, readonly DatasetDocument[]>;
  /** Every geography that has records, by its code, in the order of the first name printed for it. */
  places: ReadonlyMap<string, PlaceEvidence>;
  /** The counts of each pair of neighbouring editions. */
  pairs: readonly (EditionPair & { datasetId: string })[];
  /** Records of a dataset of observations in the order of its pack, all or those that match. */
  observations(dataset: string, filter?: { indicator?: string; geo?: string }): Observation[];
  /** Records of a dataset of the atlas, all or those of a place. */
  atlas(dataset: string, filter?: { iso3?: string }): AtlasRecord[];
  /** What differs between neighbouring editions, newest first. */
  revisions(filter: { dataset?: string; indicator?: string; geo?: string }): Revision[];
  /** Such records as the text of a JSON array, of any pack: `recordsIn` reads it. */
  text(pack: string, filter: Filter): Buffer;
  /** The periods, ascending, in which each indicator of a dataset has a row; of a dataset of the atlas, by its own id. */
  periods(dataset: string): [id: string, periods: string[]][];
}

/** Values of dimensions; one that is not given is any. */
type Filter = { [dimension: string]: string | undefined };

/** One geography. */
export interface PlaceEvidence {
  code: string;
  level: Observation['geoLevel'];
  /** Each name as printed, with the datasets that print it; the first is that of most datasets. */
  names: readonly { name: string; datasets: readonly string[] }[];
  /** Its number of records in each dataset that has any. */
  rows: ReadonlyMap<string, number>;
}

/** The evidence of a release; `documents` holds every edition by the id of its pack. */
export function evidenceOf(
  release: Release,
  documents: ReadonlyMap<string, DatasetDocument>,
  siteUrl: string,
): Evidence {
  const { generatedAt, revisions } = release.manifest();
  return {
    siteUrl,
    generatedAt,
    documents: new Map([...documents].filter(([pack]) => !pack.includes('@'))),
    editions: groupedBy(
      [...documents.values()].sort((a, b) => byCodeUnits(a.edition, b.edition)),
      ({ id }) => id,
    ),
    places: placesOf(release, documents),
    pairs: (revisions?.meta['pairs'] ?? []) as unknown as Evidence['pairs'],
    observations: (dataset, filter = {}) => recordsIn<Observation>(textOf(release, dataset, filter)),
    atlas: (dataset, filter = {}) => recordsIn<AtlasRecord>(textOf(release, dataset, filter)),
    revisions: (filter) => newestFirst(recordsIn<Revision>(textOf(release, REVISIONS, filter))),
    text: (pack, filter) => textOf(release, pack, filter),
    periods: (dataset) => periodsOf(release.pack(dataset)),
  };
}

/** The records of a text of evidence. */
export function recordsIn<T extends Observation | AtlasRecord | Revision>(text: Uint8Array): T[] {
  return JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString()) as T[];
}

/** Differences by the day of the newer edition, the newest first. */
export function newestFirst(revisions: Revision[]): Revision[] {
  return revisions.sort((a, b) => byCodeUnits(newerDay(b), newerDay(a)));
}

function textOf(release: Release, id: string, filter: Filter): Buffer {
  const { packs, revisions } = release.manifest();
  const isKnown = revisions?.id === id || packs.some((pack) => pack.id === id);
  const chunks: Uint8Array[] = [];
  if (isKnown) {
    const pack = release.pack(id);
    const equal: { [dimension: string]: string } = {};
    for (const [name, value] of Object.entries(filter)) if (value !== undefined) equal[name] = value;
    for (const [from, to] of selectSeries(pack, { equal }).rows(0, Infinity))
      for (const chunk of pack.copy(from, to)) chunks.push(COMMA, chunk);
  }
  return Buffer.concat([Buffer.from('['), ...chunks.slice(1), Buffer.from(']')]);
}

const COMMA = Buffer.from(',');

/** Of each value of the leading dimension, the periods that its patterns have. */
function periodsOf(pack: Pack): [id: string, periods: string[]][] {
  const { dims, starts, pattern, patternFrom, patternPeriod, periods } = pack.derive(readSeries);
  const ids = pack.entry.kind === 'atlas' ? [pack.entry.id] : [...(dims[0]?.values.keys() ?? [])];
  return ids.map((id, at) => {
    const [from = 0, to = pattern.length] = pack.entry.kind === 'atlas' ? [] : starts.slice(at, at + 2);
    const found = new Set<number>();
    for (const own of new Set(pattern.subarray(from, to)))
      for (const period of patternPeriod.subarray(patternFrom[own], patternFrom[own + 1])) found.add(period);
    return [id, [...found].sort((a, b) => a - b).map((period) => periods[period] ?? '')];
  });
}

function placesOf(
  release: Release,
  documents: ReadonlyMap<string, DatasetDocument>,
): Map<string, PlaceEvidence> {
  const known = new Map<
    string,
    { level: Observation['geoLevel']; names: Map<string, string[]>; rows: Map<string, number> }
  >();
  const ofKind = (...kinds: string[]): string[] =>
    release.manifest().packs.flatMap(({ id, kind }) => (kinds.includes(kind) ? [id] : []));
  for (const dataset of [...ofKind('observations', 'context'), ...ofKind('atlas')].sort())
    for (const { code, name, level } of documents.get(dataset)?.geographies ?? []) {
      const place = known.get(code) ?? { level, names: new Map<string, string[]>(), rows: new Map() };
      place.names.set(name, [...(place.names.get(name) ?? []), dataset]);
      known.set(code, place);
    }
  for (const dataset of [...ofKind('observations', 'context'), ...ofKind('atlas')]) {
    const pack = release.pack(dataset);
    const dimension = pack.entry.kind === 'atlas' ? 'iso3' : 'geo';
    for (const { code } of documents.get(dataset)?.geographies ?? []) {
      const { matched } = selectSeries(pack, { equal: { [dimension]: code } });
      if (matched > 0) known.get(code)?.rows.set(dataset, matched);
    }
  }
  const nameOf = ({ names }: PlaceEvidence): string => names[0]?.name ?? '';
  return new Map(
    [...known]
      .map(([code, { level, names, rows }]): PlaceEvidence => ({
        code,
        level,
        names: [...names]
          .map(([name, datasets]) => ({ name, datasets }))
          .sort((a, b) => b.datasets.length - a.datasets.length || byCodeUnits(a.name, b.name)),
        rows,
      }))
      .sort((a, b) => byCodeUnits(nameOf(a), nameOf(b)) || byCodeUnits(a.code, b.code))
      .map((place) => [place.code, place]),
  );
}
