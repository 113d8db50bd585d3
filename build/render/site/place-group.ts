/**
 * The pages of one place as a group: its own and those of its rows. They are made from plain data and nothing else, so the data
 * is their key in the cache of the build, and any thread can make them.
 */
import type { Artifact } from '../../lib/tree.ts';
import type { SiteFacts } from '../facts.ts';
import { REVISIONS } from '../../../shim/core/paths.ts';
import type { AtlasRecord, Observation, Revision } from '../../../shim/core/records.ts';
import type { IndicatorCount } from './counts.ts';
import type { PlaceRecords, PlacesCommon } from './coverage.ts';
import { newestFirst, recordsIn, type Filter, type PlaceEvidence } from './evidence.ts';
import { placePage } from './places.ts';
import { rowsOfPlace } from './rows.ts';

/** What the pages of one place are made from: records by dataset, and differences, as texts of evidence or their hashes. */
export interface PlaceInput<Text = Uint8Array> {
  place: Pick<PlaceEvidence, 'code' | 'level' | 'names'>;
  observations: [dataset: string, text: Text][];
  atlas: [dataset: string, text: Text][];
  /** For datasets that are too large for pages of their rows: how many records each indicator has. */
  counted: [dataset: string, counts: IndicatorCount[]][];
  revisions: Text[];
}

/** What the pages of a place are made from; `text` gives the records of a pack that match, or their hash. */
export function placeInput<Text>(
  { code, level, names, rows }: PlaceEvidence,
  { evidence, manifest }: Pick<SiteFacts, 'evidence' | 'manifest'>,
  text: (pack: string, filter: Filter) => Text,
): PlaceInput<Text> {
  const all = manifest.packs.filter(({ id }) => rows.has(id));
  const own = all.filter(({ id }) => evidence.hasRowPages(id));
  const large = all.filter(({ id }) => !evidence.hasRowPages(id));
  const isAtlas = ({ kind }: (typeof own)[number]): boolean => kind === 'atlas';
  return {
    place: { code, level, names },
    observations: own.filter((pack) => !isAtlas(pack)).map(({ id }) => [id, text(id, { geo: code })]),
    atlas: own.filter(isAtlas).map(({ id }) => [id, text(id, { iso3: code })]),
    counted: large.map(({ id }) => [id, [...(evidence.counts(id).get(code) ?? [])]]),
    revisions: [...new Set(evidence.pairs.map(({ datasetId }) => datasetId))]
      .filter((id) => evidence.hasRowPages(id))
      .map((dataset) => text(REVISIONS, { dataset, geo: code })),
  };
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
