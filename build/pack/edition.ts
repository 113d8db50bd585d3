/** One edition of a dataset -> its pack, and the facts of it that the rest of the build needs. */
import type { JsonObject, PackEntry } from '../../shim/core/types.ts';
import type { Observation } from '../../shim/core/records.ts';
import { sourceFacts } from '../lib/clock.ts';
import type { Dataset, Descriptor, ObservationsDescriptor, Source } from '../lib/dataset.ts';
import { growingFile, type TreeFile, type TreeFolder } from '../lib/tree.ts';
import { coverageCounter, coverageOf, type Coverage } from './coverage.ts';
import { growingPack, nameIndexer, seriesIndexer, writePack } from './pack-file.ts';
import { atlasRecords, entitiesOf } from './records.ts';
import { seriesCollector, type SeriesTable } from './series-index.ts';
import { shortRows } from './short-rows.ts';

/** The dimensions of series of observations, in the fixed order; an index has a column for each. */
const OBSERVATION_DIMENSIONS = ['indicator', 'geo', 'category', 'subgroup'];

/** The name under which an edition is packed, and what its pack says about it. */
export interface NamedPack extends Pick<PackEntry, 'id' | 'edition'> {
  /** Sentences that go with every response: a source is overdue, or the edition is not the current one. */
  notes: string[];
  /** The data clock of the release. */
  clock: string;
}

/** What the build keeps of a packed edition. It grows with series and labels, not with records. */
export interface PackedEdition {
  entry: PackEntry;
  coverage: Coverage;
  /** The series of a current market dataset; null for any other edition. */
  series: SeriesTable | null;
  /** Its records in short form, in a file that is not published; null for other kinds of dataset, and for more than MOST_SHORT. */
  short: TreeFile | null;
}

/** Most records of an edition in short form; one with more is left out of the files made from all editions. */
export const MOST_SHORT = 250_000;

/** The kind of the pack of a dataset: national context is not a market. */
export function packKind(descriptor: Descriptor): PackEntry['kind'] {
  if (descriptor.kind !== 'observations') return descriptor.kind;
  return descriptor.indicators.every(({ market }) => market === 'context') ? 'context' : 'observations';
}

/** Packs observations that come in the fixed order, those of one indicator and place at a time. */
export function observationPacker(
  folder: TreeFolder,
  descriptor: ObservationsDescriptor,
  { id, edition, notes }: NamedPack,
): { add(records: readonly Observation[]): void; finish(): PackedEdition } {
  const kind = packKind(descriptor);
  const pack = growingPack(folder, { id, edition, kind }, seriesIndexer(OBSERVATION_DIMENSIONS));
  const { indicators } = descriptor;
  const coverage = coverageCounter(indicators);
  const series = kind === 'observations' && !id.includes('@') ? seriesCollector() : null;
  const sources = new Map<string, Set<string>>();
  const short = growingFile(folder, `.${id}.short`);
  const inShort = shortRows();
  let rows = 0;
  return {
    add(records) {
      rows += records.length;
      if (rows <= MOST_SHORT) short.add(Buffer.from(records.map(inShort).join('')));
      let dims: string[] = [];
      for (const record of records) {
        const { indicatorId, geoCode, category, subgroup, period, sourceId } = record;
        const [indicator, geo, label, sublabel] = dims;
        if (sublabel !== subgroup || label !== category || geo !== geoCode || indicator !== indicatorId)
          dims = [indicatorId, geoCode, category, subgroup];
        pack.add(record, { dims, period });
        const own = sources.get(indicatorId);
        if (own) own.add(sourceId);
        else sources.set(indicatorId, new Set([sourceId]));
      }
      coverage.add(records);
      series?.add(records);
    },
    finish() {
      const file = short.finish();
      if (rows > MOST_SHORT) folder.remove(file.path);
      const entry = pack.finish({
        indicators: indicators.map((indicator) => indicator.id),
        indicatorLimitations: Object.fromEntries(
          indicators.map((indicator) => [indicator.id, indicator.limitations]),
        ),
        indicatorSources: Object.fromEntries([...sources].map(([indicator, ids]) => [indicator, [...ids]])),
        limitations: descriptor.limitations,
        sources: descriptor.sources.map((source) => citedSource(source, descriptor.name)),
        staleNotes: notes,
      });
      return {
        entry,
        coverage: coverage.finish(),
        series: series?.finish() ?? null,
        short: rows > MOST_SHORT ? null : file,
      };
    },
  };
}

/** Packs an atlas or a list of designations; both are in memory. */
export function packInMemory(
  folder: TreeFolder,
  dataset: Exclude<Dataset, { kind: 'observations' }>,
  { id, edition, notes: staleNotes, clock }: NamedPack,
): PackedEdition {
  const titled = titledOf(dataset, clock);
  const named = { id, edition, kind: dataset.kind };
  const facts = { coverage: coverageOf(dataset), series: null, short: null };
  if (dataset.kind === 'atlas') {
    const { domain, unit, rights } = dataset.descriptor;
    const records = atlasRecords(dataset.descriptor, dataset.rows).map(
      (record) => [record, { dims: [record.data.iso3], period: String(record.data.year) }] as const,
    );
    const meta = { domain, metadata: { ...titled, unit, rights }, staleNotes };
    return { ...facts, entry: writePack(folder, named, records, seriesIndexer(['iso3']), meta) };
  }
  const { listDate, withheldAfterWithdrawal, withheldInDoubt, programs } = dataset.descriptor;
  const records = entitiesOf(dataset.descriptor, dataset.rows).map((record) => [record, record] as const);
  const list = {
    sanctions_list_date: listDate,
    withheld_after_withdrawal: withheldAfterWithdrawal,
    withheld_in_doubt: withheldInDoubt,
  };
  const meta = { source: { ...titled, ...list }, staleNotes };
  return { ...facts, entry: writePack(folder, named, records, nameIndexer(programs), meta) };
}

/**
 * The packed edition. Throws an Error unless it has a record for each of the `rows` that were read: no other rule would notice
 * missing records.
 */
export function withAllRows(packed: PackedEdition, rows: number): PackedEdition {
  const { id, rows: records } = packed.entry;
  if (records === rows) return packed;
  throw new Error(`${records} of the ${rows} rows of ${id} were packed; nothing was written. Build again.`);
}

function titledOf({ descriptor }: Dataset, clock: string): JsonObject {
  return {
    id: descriptor.name,
    title: descriptor.title,
    sources: descriptor.sources.map((source) => ({ ...sourceFacts(source, clock) })),
    limitations: descriptor.limitations,
  };
}

/** A source as responses name it with the records they show. */
function citedSource(source: Source, datasetId: string): JsonObject {
  const { id, title: name, publisher, dated: edition, sha256: hash, url } = source;
  const { license, licenseUrl, rights } = source;
  return { id, datasetId, name, publisher, edition, sha256: hash, url, license, licenseUrl, rights };
}
