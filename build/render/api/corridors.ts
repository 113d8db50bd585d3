/**
 * data/svc-producerp-corridors-v1.json, the payload of `producerp-corridors`: official country aggregates for China,
 * Myanmar and Pakistan, dataset by dataset, each record exactly as packaged. Datasets are listed one after the other; nothing is
 * summed, compared or joined beyond country and time. The document stays small enough for one response, and says what it
 * leaves to the full query.
 */
import { API_ROOT, CORRIDORS, datasetDocumentPath } from '../../../shim/core/paths.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import type { DatasetDocument, Observation } from '../../lib/records.ts';
import type { PackedData } from '../../pack/pack.ts';
import { jsonArtifact, type Artifact } from '../../lib/tree.ts';

/** The whole document stays below this: an agent's client takes it in one response. */
export const MAX_BYTES = 79_000;
const MAX_RECORDS = 60;

const COUNTRIES = [
  ['CHN', 'China'],
  ['MMR', 'Myanmar'],
  ['PAK', 'Pakistan'],
] as const;

/** The datasets shown, in order; all are compilations of official national or intergovernmental statistics. */
const DATASETS: [id: string, topic: string, lane: 'market_evidence' | 'national_context'][] = [
  ['drug-seizures', 'seizures', 'market_evidence'],
  ['drug-prices', 'prices', 'market_evidence'],
  ['coca-cultivation', 'cultivation', 'market_evidence'],
  ['opium-cultivation', 'cultivation', 'market_evidence'],
  ['drug-use-prevalence', 'prevalence', 'market_evidence'],
  ['informal-economy', 'informal_economy', 'market_evidence'],
  ['informal-employment', 'informal_economy', 'market_evidence'],
  ['national-indicators', 'national_indicators', 'national_context'],
];

/** Renders the document with as many records as fit; throws when not even one of each category does. */
export function renderCorridors(
  documents: readonly DatasetDocument[],
  { manifest, observations }: Pick<PackedData, 'manifest' | 'observations'>,
): Artifact {
  const shown = DATASETS.flatMap(([id, topic, lane]): Shown[] => {
    const document = documents.find((one) => one.id === id);
    const records = observations.get(id);
    return document && records ? [{ topic, lane, document, records }] : [];
  });
  const missing = DATASETS.filter(([id]) => !shown.some((dataset) => dataset.document.id === id)).map(
    ([id]) => ({
      id,
      reason:
        manifest.unavailable.find((dataset) => dataset.id === id)?.reason ?? 'not packaged in this release',
    }),
  );
  for (let cap = MAX_RECORDS; cap > 0; cap -= 1) {
    const artifact = jsonArtifact(CORRIDORS, documentOf(shown, missing, manifest.generatedAt, cap));
    if (artifact.bytes.length <= MAX_BYTES) return artifact;
  }
  throw new Error(`${CORRIDORS} cannot be kept below ${MAX_BYTES} bytes with one record of each category`);
}

interface Shown {
  topic: string;
  lane: 'market_evidence' | 'national_context';
  document: DatasetDocument;
  records: Observation[];
}

function documentOf(shown: Shown[], missing: JsonObject[], dataAsOf: string, cap: number): JsonObject {
  return {
    schema: 'svc.api.producerp-corridors.v1',
    dataAsOf,
    geographies: COUNTRIES.map(([code]) => code),
    disclosure: {
      level: 'public_country_aggregate',
      sourcePolicy: 'official_only',
      joinPolicy: 'geography_and_time_only',
      causalJoin: 'prohibited',
      aggregation: 'none',
      missingValuePolicy: 'unavailable_not_zero',
      recordSelection: `The records of the latest period of each indicator in the country: one of each indicator and category always, further ones in turn until the dataset has ${cap} for the country. counts cover every period; latestNotShown counts what was left out; queryPath, or the file at path, gives the rest.`,
      recordsPerCountryTarget: cap,
    },
    datasets: shown.map((dataset) => datasetOf(dataset, cap)),
    unavailableDatasets: missing,
    limitations: LIMITATIONS,
  };
}

function datasetOf({ topic, lane, document, records }: Shown, cap: number): JsonObject {
  const { id, title, sources } = document;
  const [file] = document.files;
  return {
    id,
    title,
    topic,
    lane,
    path: file?.path ?? '',
    bytes: file?.bytes ?? 0,
    sha256: file?.sha256 ?? '',
    // Names of indicators, and licence, hash and notes of each source: too long to repeat here.
    document: datasetDocumentPath(id),
    publishers: [...new Set(sources.map(({ publisher }) => publisher))],
    licenses: [...new Set(sources.map(({ license }) => license))],
    countries: COUNTRIES.map(([code, name]) =>
      countryOf(
        id,
        code,
        name,
        records.filter(({ geoCode }) => geoCode === code),
        lane === 'market_evidence',
        cap,
      ),
    ),
  };
}

function countryOf(
  dataset: string,
  code: string,
  name: string,
  own: Observation[],
  queryable: boolean,
  cap: number,
): JsonObject {
  const records = selectRecords(own, cap);
  const counted = (status: string): number => own.filter((record) => record.status === status).length;
  const periods = own.map(({ period }) => period).sort();
  return {
    geoCode: code,
    geoName: name,
    coverageStatus: own.length > 0 ? 'observed' : 'no_matching_rows',
    counts: {
      records: own.length,
      reported: counted('reported'),
      estimated: counted('estimated'),
      unavailable: counted('unavailable'),
      zeros: own.filter(({ value }) => value === 0).length,
    },
    firstPeriod: periods[0] ?? null,
    lastPeriod: periods.at(-1) ?? null,
    records: records.map((record) => ({ ...record })),
    latestNotShown: latestRecords(own).length - records.length,
    queryPath: queryable ? `${API_ROOT}/market-observations?dataset=${dataset}&geo=${code}` : null,
  };
}

const LIMITATIONS = [
  'Country aggregates only: nothing here describes a corridor, port, route, project, actor or place below the country.',
  'Datasets share country and time only. They are never joined causally, and national indicators are context, never evidence about drugs, conflict or infrastructure.',
  'Nothing is summed across drugs, units, periods or countries; units are as printed, and rows marked as totals by a source are listed next to their parts.',
  'no_matching_rows means that the source has no row for the country: not reported or not covered, never zero.',
  'null is unavailable and never zero; a 0 is a zero the source printed.',
  'Latest periods differ by country, dataset and indicator; records of different years are not comparable as if of one.',
  'A seizure is an administrative observation, not an estimate of a market; estimates and survey results are not counts.',
];

/**
 * Records of one country and dataset in the fixed order -> the selected ones in the same order: those of the latest period of
 * each indicator. One of each indicator and category always; further ones follow in turn until there are `cap`, so that no
 * category is cut away before another gives its second.
 */
export function selectRecords(records: readonly Observation[], cap: number): Observation[] {
  const groups = grouped(latestRecords(records), ({ indicatorId, category }) =>
    JSON.stringify([indicatorId, category]),
  );
  const chosen = new Set(inTurn(groups).slice(0, Math.max(groups.length, cap)));
  return records.filter((record) => chosen.has(record));
}

/** Every record of the latest period of its indicator. */
export function latestRecords(records: readonly Observation[]): Observation[] {
  const last = new Map<string, string>();
  for (const { indicatorId, period } of records)
    if (period > (last.get(indicatorId) ?? '')) last.set(indicatorId, period);
  return records.filter(({ indicatorId, period }) => last.get(indicatorId) === period);
}

function inTurn(groups: readonly Observation[][]): Observation[] {
  const rounds = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => groups.flatMap((group) => group[round] ?? [])).flat();
}

function grouped(records: readonly Observation[], key: (record: Observation) => string): Observation[][] {
  const groups = new Map<string, Observation[]>();
  for (const record of records) {
    const group = groups.get(key(record));
    if (group) group.push(record);
    else groups.set(key(record), [record]);
  }
  return [...groups.values()];
}
