/**
 * data/svc-producerp-corridors-v1.json, the payload of `producerp-corridors`: official country aggregates for China,
 * Myanmar and Pakistan, dataset by dataset, each record exactly as packaged. Datasets are listed one after the other; nothing is
 * summed, compared or joined beyond country and time. The document stays small enough for one response, and says what it
 * leaves to the full query.
 */
import { API_ROOT, CORRIDORS, datasetDocumentPath } from '../../../shim/core/paths.ts';
import { groupedBy } from '../../../shim/core/groups.ts';
import { recordsOf } from '../../../shim/core/envelope.ts';
import { selectSeries } from '../../../shim/core/series.ts';
import type { JsonObject, Pack, Release } from '../../../shim/core/types.ts';
import type { DatasetDocument, Observation } from '../../../shim/core/records.ts';
import { filledText } from '../../lib/html.ts';
import { pick } from '../../lib/dataset.ts';
import { jsonArtifact, type Artifact } from '../../lib/tree.ts';
import { countsOf, recordsFile } from './dataset-documents.ts';
import corridors from './corridors.json' with { type: 'json' };

const { countries, datasets, disclosure, limitations } = corridors;

/** The whole document stays below this: an agent's client takes it in one response. */
export const MAX_BYTES = 79_000;
const MAX_RECORDS = 60;

/** A dataset that is shown; all are compilations of official national or intergovernmental statistics. */
interface Shown {
  id: string;
  topic: string;
  /** `market_evidence` or `national_context`. */
  lane: string;
  document: DatasetDocument;
  /** Its records of the countries of the document, by country. */
  records: ReadonlyMap<string, Observation[]>;
}

/** Renders the document with as many records as fit; throws when not even one of each indicator does. */
export function renderCorridors(documents: readonly DatasetDocument[], release: Release): Artifact {
  const manifest = release.manifest();
  const shown: Shown[] = [];
  const unavailableDatasets: JsonObject[] = [];
  for (const listed of datasets) {
    const { id } = listed;
    const document = documents.find((one) => one.id === id);
    const reason = manifest.unavailable.find((dataset) => dataset.id === id)?.reason;
    if (document) shown.push({ ...listed, document, records: recordsByCountry(release.pack(id)) });
    else unavailableDatasets.push({ id, reason: reason ?? 'It is not packaged.' });
  }
  const documentOf = (cap: number): Artifact =>
    jsonArtifact(CORRIDORS, {
      schema: 'svc.api.producerp-corridors.v1',
      dataAsOf:
        shown
          .map(({ document }) => document.generatedAt)
          .sort()
          .at(-1) ?? manifest.generatedAt,
      geographies: countries.map(({ code }) => code),
      disclosure: {
        ...disclosure,
        recordSelection: filledText(disclosure.recordSelection, { cap: String(cap) }),
        recordsPerCountryTarget: cap,
      },
      datasets: shown.map((dataset) => datasetOf(dataset, cap)),
      unavailableDatasets,
      limitations,
    });
  // A binary search: the document grows with the number of records per country.
  let [fits, tooMany]: [Artifact | null, number] = [null, MAX_RECORDS + 1];
  for (let cap = MAX_RECORDS, known = 0; cap > known; cap = Math.floor((known + tooMany) / 2)) {
    const document = documentOf(cap);
    if (document.bytes.length <= MAX_BYTES) [fits, known] = [document, cap];
    else tooMany = cap;
  }
  if (fits) return fits;
  throw new Error(`${CORRIDORS} cannot be kept below ${MAX_BYTES} bytes with one record of each indicator`);
}

function recordsByCountry(pack: Pack): Map<string, Observation[]> {
  return new Map(
    countries.map(({ code }) => {
      const ranges = selectSeries(pack, { equal: { geo: code } }).rows(0, Infinity);
      return [code, recordsOf(ranges.flatMap(([from, to]) => pack.copy(from, to))) as Observation[]];
    }),
  );
}

function datasetOf({ id, topic, lane, document, records }: Shown, cap: number): JsonObject {
  const { title, sources } = document;
  const inCountries = new Set([...records.values()].flat().map(({ indicatorId }) => indicatorId));
  return {
    id,
    title,
    topic,
    lane,
    ...recordsFile(document),
    document: `/${datasetDocumentPath(id)}`,
    publishers: [...new Set(sources.map(({ publisher }) => publisher))],
    licenses: [...new Set(sources.map(({ license }) => license))],
    sources: sources.map(({ dated: edition, ...source }) => ({
      ...pick(source, 'id', 'name', 'publisher'),
      edition,
      ...pick(source, 'url', 'license', 'licenseUrl', 'rights', 'sha256', 'notes'),
    })),
    indicators: document.indicators
      .filter(({ id: indicator }) => inCountries.has(indicator))
      .map((indicator) => pick(indicator, 'id', 'label', 'unit', 'sourceId')),
    countries: countries.map(({ code, name }) => {
      const own = records.get(code) ?? [];
      const query = `/${API_ROOT}/market-observations?dataset=${id}&geo=${code}`;
      return {
        geoCode: code,
        geoName: name,
        ...countryOf(own, cap),
        queryPath: lane === 'market_evidence' ? query : null,
      };
    }),
  };
}

/** The records of one country and dataset, counted and selected. */
function countryOf(own: Observation[], cap: number): JsonObject {
  const records = selectRecords(own, cap);
  const periods = own.map(({ period }) => period).sort();
  return {
    coverageStatus: own.length > 0 ? 'observed' : 'no_matching_rows',
    counts: { records: own.length, ...countsOf(own) },
    firstPeriod: periods[0] ?? null,
    lastPeriod: periods.at(-1) ?? null,
    records: records.map((record) => ({ ...record })),
    latestNotShown: latestRecords(own).length - records.length,
  };
}

/**
 * Records of one country and dataset in the fixed order -> the selected ones in the same order: those of the latest period of
 * each indicator. One of each indicator always; further ones follow until there are `cap`, in turn by indicator and category,
 * so that none gives its second record before every other gave its first.
 */
export function selectRecords(records: readonly Observation[], cap: number): Observation[] {
  const indicators = [...groupedBy(latestRecords(records), ({ indicatorId }) => indicatorId).values()].map(
    (own) => inTurn([...groupedBy(own, ({ category }) => category).values()]),
  );
  const chosen = new Set(inTurn(indicators).slice(0, Math.max(indicators.length, cap)));
  return records.filter((record) => chosen.has(record));
}

/** Every record of the latest period of its indicator. */
function latestRecords(records: readonly Observation[]): Observation[] {
  const last = new Map<string, string>();
  for (const { indicatorId, period } of records)
    if (period > (last.get(indicatorId) ?? '')) last.set(indicatorId, period);
  return records.filter(({ indicatorId, period }) => last.get(indicatorId) === period);
}

function inTurn(groups: readonly Observation[][]): Observation[] {
  const rounds = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => groups.flatMap((group) => group[round] ?? [])).flat();
}
