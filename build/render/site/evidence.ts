/** The current records as pages need them: by dataset and by place, with what differs between editions. Designations are not part of it. */
import { byCodeUnits } from '../../lib/dataset.ts';
import type { Packed } from '../../pack/pack-file.ts';
import type { PackedData } from '../../pack/pack.ts';
import { newerDay, type EditionPair } from '../../pack/revisions.ts';
import type { AtlasRecord, DatasetDocument, Observation, Revision } from '../../../shim/core/records.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import { REVISIONS } from '../../../shim/core/paths.ts';

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
  /** The records of the current editions by dataset, in the order of their packs. */
  observations: ReadonlyMap<string, readonly Observation[]>;
  atlas: ReadonlyMap<string, readonly AtlasRecord[]>;
  /** Every geography that has records, by its code, in the order of the first name printed for it. */
  places: ReadonlyMap<string, PlaceEvidence>;
  /** What differs between neighbouring editions, newest first, and the counts of each pair. */
  revisions: readonly Revision[];
  pairs: readonly (EditionPair & { datasetId: string })[];
}

/** One geography and its records. */
export interface PlaceEvidence {
  code: string;
  level: Observation['geoLevel'];
  /** Each name as printed, with the datasets that print it; the first is that of most datasets. */
  names: readonly { name: string; datasets: readonly string[] }[];
  /** Its records by dataset, only datasets that have any. */
  observations: ReadonlyMap<string, readonly Observation[]>;
  atlas: ReadonlyMap<string, readonly AtlasRecord[]>;
}

/** Reads the evidence out of the packs, where its records are not given; `documents` holds every edition by the id of its pack. */
export function evidenceOf(
  packed: Pick<PackedData, 'manifest' | 'observations'> & {
    packs: readonly Pick<Packed, 'entry' | 'records'>[];
  },
  documents: ReadonlyMap<string, DatasetDocument>,
  siteUrl: string,
): Evidence {
  const { manifest, packs } = packed;
  const bytes = new Map(packs.map(({ entry, records }) => [entry.id, records]));
  const rowsOf = <T>(id: string): T[] =>
    (bytes.get(id)?.toString('utf8') ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as T);
  const current = manifest.packs.filter(({ kind }) => kind === 'observations' || kind === 'context');
  const observations = new Map(
    current.map(({ id }) => [id, packed.observations.get(id) ?? rowsOf<Observation>(id)]),
  );
  const atlas = new Map(
    manifest.packs.filter(({ kind }) => kind === 'atlas').map(({ id }) => [id, rowsOf<AtlasRecord>(id)]),
  );
  return {
    siteUrl,
    generatedAt: manifest.generatedAt,
    documents: new Map([...documents].filter(([pack]) => !pack.includes('@'))),
    editions: groupedBy(
      [...documents.values()].sort((a, b) => byCodeUnits(a.edition, b.edition)),
      ({ id }) => id,
    ),
    observations,
    atlas,
    places: placesOf(observations, atlas, documents),
    revisions: rowsOf<Revision>(REVISIONS).sort((a, b) => byCodeUnits(newerDay(b), newerDay(a))),
    pairs: (manifest.revisions?.meta['pairs'] ?? []) as unknown as Evidence['pairs'],
  };
}

function placesOf(
  observations: Evidence['observations'],
  atlas: Evidence['atlas'],
  documents: ReadonlyMap<string, DatasetDocument>,
): Map<string, PlaceEvidence> {
  const observed = placed(observations, ({ geoCode }) => geoCode);
  const assessed = placed(atlas, ({ data }) => data.iso3);
  const known = new Map<string, { level: Observation['geoLevel']; names: Map<string, string[]> }>();
  for (const dataset of [...observations.keys(), ...atlas.keys()].sort())
    for (const { code, name, level } of documents.get(dataset)?.geographies ?? []) {
      const place = known.get(code) ?? { level, names: new Map<string, string[]>() };
      place.names.set(name, [...(place.names.get(name) ?? []), dataset]);
      known.set(code, place);
    }
  const places = [...known].map(([code, { level, names }]): PlaceEvidence => {
    return {
      code,
      level,
      names: [...names]
        .map(([name, datasets]) => ({ name, datasets }))
        .sort((a, b) => b.datasets.length - a.datasets.length || byCodeUnits(a.name, b.name)),
      observations: observed.get(code) ?? new Map(),
      atlas: assessed.get(code) ?? new Map(),
    };
  });
  const nameOf = ({ names }: PlaceEvidence): string => names[0]?.name ?? '';
  return new Map(
    places
      .sort((a, b) => byCodeUnits(nameOf(a), nameOf(b)) || byCodeUnits(a.code, b.code))
      .map((place) => [place.code, place]),
  );
}

/** Records of each place by dataset. */
function placed<T>(
  datasets: ReadonlyMap<string, readonly T[]>,
  codeOf: (record: T) => string,
): Map<string, Map<string, T[]>> {
  const places = new Map<string, Map<string, T[]>>();
  for (const [dataset, records] of datasets)
    for (const [code, own] of groupedBy(records, codeOf)) {
      const place = places.get(code) ?? new Map<string, T[]>();
      places.set(code, place.set(dataset, own));
    }
  return places;
}
