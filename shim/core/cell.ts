/**
 * One cell and what surrounds it: the record of an id in every edition of its dataset, the other rows of its series and of its
 * period, and the rows closest to an id that no record has. Market observations, records of national context and the
 * country-years of the atlas are found by their ids alone; designations have no such ids.
 */
import { jsonIn, readJson } from './json.ts';
import { datasetOf, editionsOf, indicatorsOf, isRecordId, sourcesIn } from './editions.ts';
import { recordsOf } from './envelope.ts';
import { Fault, orFault, unlessFault } from './faults.ts';
import { atlasRecordId, datasetDocumentPath, RELEASE } from './paths.ts';
import type { AtlasRecord, DatasetDocument, DatasetSource, Observation } from './records.ts';
import { selectSeries, type SeriesFilter } from './series.ts';
import type { Pack, PackEntry, PackManifest, Release } from './types.ts';

/** A record of one edition: of a market or context dataset, or a country and year of the atlas. */
export type Cell = CellFacts &
  ({ kind: 'observation'; record: Observation } | { kind: 'atlas'; record: AtlasRecord });

interface CellFacts {
  id: string;
  /** The edition of the record's source: what `@` names. */
  edition: string;
  /** The cell or row of the publisher's file. */
  locator: string;
  pack: PackEntry;
  document: DatasetDocument;
  source: DatasetSource;
}

/** One edition of a dataset, with its record of an id. */
export interface EditionOfCell {
  pack: PackEntry;
  /** Null where the edition has no such row, or cannot be opened now. */
  cell: Cell | null;
  /** How many rows it has of the key of the id: with several, only the order in the file tells them apart. */
  rows: number;
  fault: Fault | null;
  /** First and last period of the edition, null where it cannot be opened. */
  periods: { first: string | null; last: string | null } | null;
}

/** The parts of a record id, which say where its record would be. */
export interface CellPlace {
  dataset: string;
  kind: Cell['kind'];
  /** Id of the indicator; null for the atlas. */
  indicator: string | null;
  geo: string;
  period: string;
}

/** Parses a record id; null where it begins with no indicator and no atlas dataset of the release. */
export function placeOf(id: string, manifest: PackManifest): CellPlace | null {
  if (!isRecordId(id)) return null;
  const partsAfter = (prefix: string): string[] => id.slice(prefix.length + 1).split('.');
  // Indicator ids may contain full stops, so the longest one that matches is taken.
  let found: CellPlace | null = null;
  for (const pack of [...manifest.packs, ...manifest.editions]) {
    const dataset = datasetOf(pack);
    if (pack.kind === 'atlas') {
      // Stories call a country-year by its domain.
      const prefix = [dataset, String(pack.meta['domain'])].find((name) => id.startsWith(`${name}.`));
      if (prefix === undefined) continue;
      const [geo = '', period = ''] = partsAfter(prefix);
      return { dataset, kind: 'atlas', indicator: null, geo, period };
    }
    for (const indicator of indicatorsOf(pack)) {
      if (!id.startsWith(`${indicator}.`) || indicator.length < (found?.indicator?.length ?? 0)) continue;
      const [geo = '', period = ''] = partsAfter(indicator);
      found = { dataset, kind: 'observation', indicator, geo, period };
    }
  }
  return found;
}

/** The record of an id in every edition of its dataset, oldest first, the current one last. */
export function editionsOfCell(given: string, place: CellPlace, release: Release): EditionOfCell[] {
  const id = place.kind === 'atlas' ? given.replace(/^[^.]+/, place.dataset) : given;
  const read = (pack: PackEntry): EditionOfCell => {
    const document = documentOf(pack, release);
    const periods = { first: document.firstPeriod, last: document.lastPeriod };
    const cells = cellsIn(release.pack(pack.id), document, filterOf(place));
    const rows = cells.filter((cell) => keyIn(cell.id) === keyIn(id)).length;
    return { pack, cell: cells.find((cell) => cell.id === id) ?? null, rows, fault: null, periods };
  };
  return editionsOf(release.manifest(), place.dataset).map((pack) => {
    const found = orFault(() => read(pack));
    return found instanceof Fault ? { pack, cell: null, rows: 0, fault: found, periods: null } : found;
  });
}

/** An id without the ordinal of its row; a period has more digits than an ordinal. */
export function keyIn(id: string): string {
  return id.replace(/\.\d{1,3}$/, '');
}

/** The editions that a pack holds: its own, and those of its sources. */
export function editionsIn(pack: PackEntry): string[] {
  return [pack.edition, ...sourcesIn(pack).map(({ edition }) => edition)];
}

/** The cells of the same series, and those of the same place and period under other labels: those of its category first. */
export function cellsBeside(cell: Cell, release: Release): { series: Cell[]; labels: Cell[] } {
  const pack = release.pack(cell.pack.id);
  const select = (filter: SeriesFilter): Cell[] => cellsIn(pack, cell.document, filter);
  if (cell.kind === 'atlas')
    return { series: select({ equal: { iso3: cell.record.data.iso3 } }), labels: [] };
  const { indicatorId: indicator, geoCode: geo, category, subgroup, period } = cell.record;
  const isOther = ({ record }: Cell): boolean =>
    !('category' in record) || record.category !== category || record.subgroup !== subgroup;
  const isNear = ({ record }: Cell): boolean => 'category' in record && record.category === category;
  const others = select({ equal: { indicator, geo }, from: period, to: period }).filter(isOther);
  return {
    series: select({ equal: { indicator, geo, category, subgroup } }),
    labels: [...others.filter(isNear), ...others.filter((other) => !isNear(other))],
  };
}

/** The most cells that `cellsNear` returns. */
const MOST_NEAR = 8;
/** The most cells of a place that are compared with an id. */
const MOST_LOOKED_AT = 1000;

/** Current cells of the place in an id: those of its period, else those of any. Those of its label come first, then ids that begin most alike. */
export function cellsNear(id: string, place: CellPlace, release: Release): Cell[] {
  const entry = editionsOf(release.manifest(), place.dataset).at(-1);
  if (!entry) return [];
  const pack = release.pack(entry.id);
  const document = documentOf(entry, release);
  const { equal } = filterOf(place);
  const same = cellsIn(pack, document, filterOf(place));
  const found = same.length > 0 ? same : cellsIn(pack, document, { equal }, MOST_LOOKED_AT);
  const [, label] = id.split(`.${place.period}.`);
  const likeness = (one: string): number =>
    (label !== undefined && one.endsWith(`.${label}`) ? id.length : 0) + shared(one, id);
  return found.toSorted((a, b) => likeness(b.id) - likeness(a.id)).slice(0, MOST_NEAR);
}

/** How many characters two texts have in common at their beginning. */
function shared(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function filterOf({ indicator, geo, period }: CellPlace): SeriesFilter {
  return { equal: indicator === null ? { iso3: geo } : { indicator, geo }, from: period, to: period };
}

function cellsIn(pack: Pack, document: DatasetDocument, filter: SeriesFilter, most?: number): Cell[] {
  const { matched, rows } = selectSeries(pack, filter);
  const chunks = rows(0, Math.min(matched, most ?? matched)).flatMap(([from, to]) => pack.copy(from, to));
  return recordsOf(chunks).flatMap((record) => cellOf(record, pack.entry, document) ?? []);
}

function cellOf(record: unknown, pack: PackEntry, document: DatasetDocument): Cell | null {
  const sourceOf = (id: string): DatasetSource | undefined =>
    document.sources.find((source) => source.id === id);
  if (pack.kind === 'atlas') {
    const own = record as AtlasRecord;
    const source = sourceOf(own.meta.source);
    if (!source) return null;
    const { edition } = pack;
    const id = atlasRecordId(document.id, own.data.iso3, own.data.year);
    return { kind: 'atlas', id, edition, locator: own.meta.locator, pack, document, source, record: own };
  }
  const own = record as Observation;
  const source = sourceOf(own.sourceId);
  if (!source) return null;
  const { id, edition, sourceLocator: locator } = own;
  return { kind: 'observation', id, edition, locator, pack, document, source, record: own };
}

/** The dataset documents that were read so far, by the id of their pack. */
function documents(_release: Release): Map<string, DatasetDocument> {
  return new Map();
}

function documentOf({ id }: PackEntry, release: Release): DatasetDocument {
  const known = release.derive(documents);
  const document = known.get(id) ?? readJson<DatasetDocument>(release, datasetDocumentPath(id));
  known.set(id, document);
  return document;
}

/** The facts of release.json that pages and citations show. */
export interface ReleaseFacts {
  serial: number;
  generatedAt: string;
  treeSha256: string;
  signed: boolean;
}

/** Members of release.json, before its list of files. */
type Manifest = Omit<ReleaseFacts, 'signed'> & { signature: unknown };

/** More bytes than release.json has before its list of files, which is its last member and grows with the site. */
const HEAD_BYTES = 16 * 1024;

/** Reads release.json but for its list of files; null where it cannot be read, so that a page can leave these facts out. */
export function releaseFacts(release: Release): ReleaseFacts | null {
  return release.derive(readRelease).facts;
}

function readRelease(release: Release): { facts: ReleaseFacts | null } {
  const bytes = unlessFault(() => release.document(RELEASE), new Uint8Array());
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  const manifest = jsonIn(`${head.slice(0, head.indexOf('"files"'))}"files":[]}`);
  if (manifest === undefined) return { facts: null };
  const { serial, generatedAt, treeSha256, signature } = manifest as unknown as Manifest;
  return { facts: { serial, generatedAt, treeSha256, signed: signature !== null } };
}
