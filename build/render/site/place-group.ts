/**
 * The pages of one place as a group: its own and those of its rows. They are made from plain data and nothing else, so the data
 * is their key in the cache of the build, and any thread can make them.
 */
import type { BuildCache } from '../../lib/cache.ts';
import type { Artifact } from '../../lib/tree.ts';
import type { SiteFacts } from '../facts.ts';
import { REVISIONS } from '../../../shim/core/paths.ts';
import type { AtlasRecord, Observation, Revision } from '../../../shim/core/records.ts';
import type { IndicatorCount } from './counts.ts';
import { catalogOf, type Catalog, type PlaceRecords } from './coverage.ts';
import { newestFirst, recordsIn, type PlaceEvidence } from './evidence.ts';
import { placePage } from './places.ts';
import { rowsOfPlace } from './rows.ts';

/** What the pages of all places are made from, as plain JSON. */
export interface PlacesCommon {
  site: { siteUrl: string; generatedAt: string };
  /** Datasets that are not in the release. */
  unavailable: string[];
  catalog: Catalog;
}

/** What the pages of one place are made from: records by dataset, and differences, as texts of evidence. */
export interface PlaceInput {
  place: Pick<PlaceEvidence, 'code' | 'level' | 'names'>;
  observations: [dataset: string, text: Uint8Array][];
  atlas: [dataset: string, text: Uint8Array][];
  /** Of datasets that are too large for pages of their rows: how many records each indicator has. */
  counted: [dataset: string, counts: IndicatorCount[]][];
  revisions: Uint8Array[];
}

/** What all pages of places are made from. */
export function placesCommon({ evidence, manifest }: Pick<SiteFacts, 'evidence' | 'manifest'>): PlacesCommon {
  const { siteUrl, generatedAt } = evidence;
  return {
    site: { siteUrl, generatedAt },
    unavailable: manifest.unavailable.map(({ id }) => id),
    catalog: catalogOf(evidence, manifest),
  };
}

/** What the pages of a place are made from. */
export function placeInput(
  { code, level, names, rows }: PlaceEvidence,
  { evidence, manifest }: Pick<SiteFacts, 'evidence' | 'manifest'>,
): PlaceInput {
  const all = manifest.packs.filter(({ id }) => rows.has(id));
  const own = all.filter(({ id }) => evidence.hasRowPages(id));
  const large = all.filter(({ id }) => !evidence.hasRowPages(id));
  const isAtlas = ({ kind }: (typeof own)[number]): boolean => kind === 'atlas';
  return {
    place: { code, level, names },
    observations: own
      .filter((pack) => !isAtlas(pack))
      .map(({ id }) => [id, evidence.text(id, { geo: code })]),
    atlas: own.filter(isAtlas).map(({ id }) => [id, evidence.text(id, { iso3: code })]),
    counted: large.map(({ id }) => [id, [...(evidence.counts(id).get(code) ?? [])]]),
    revisions: manifest.packs
      .filter(({ id }) => evidence.hasRowPages(id))
      .map(({ id }) => evidence.text(REVISIONS, { dataset: id, geo: code })),
  };
}

/** The key of a place's pages; `common` is the key of what all places share. */
export function placeKey(cache: BuildCache, common: string, input: PlaceInput): string {
  const { place, observations, atlas, counted, revisions } = input;
  const texts = [...observations, ...atlas];
  const ids = [observations, atlas].map((group) => group.map(([dataset]) => dataset));
  const { code, level, names } = place;
  const said = {
    code,
    level,
    names: names.map(({ name, datasets }) => [name, ...datasets]),
    ids,
    counted: JSON.stringify(counted),
  };
  return cache.key('place', common, said, ...texts.map(([, text]) => text), ...revisions);
}

/** Renders the pages of a place. */
export function pagesOfPlace(input: PlaceInput, common: PlacesCommon): Artifact[] {
  const records: PlaceRecords & { revisions: Revision[] } = {
    observations: new Map(input.observations.map(([id, text]) => [id, recordsIn<Observation>(text)])),
    atlas: new Map(input.atlas.map(([id, text]) => [id, recordsIn<AtlasRecord>(text)])),
    counted: new Map(input.counted),
    revisions: newestFirst(input.revisions.flatMap((text) => recordsIn<Revision>(text))),
  };
  return [placePage(input.place, records, common), ...rowsOfPlace(input.place, records, common)];
}
