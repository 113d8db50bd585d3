/**
 * The parts of documents that a request selects, and their short forms (`detail=summary`), which count and name the contents and
 * say what was left out. No value is changed.
 */
import definitions from './definitions.json' with { type: 'json' };
import { expectedId } from '../expected-id.ts';
import { invalidParameter, notInRelease } from '../faults.ts';
import { membersOf, rowsOf } from '../json.ts';
import { requireDataset, requireIndicator } from '../left-out.ts';
import type { Input, JsonObject, JsonValue, Release } from '../types.ts';
import { closestHint, closestOf } from '../words.ts';

/** The datasets and indicators of the catalog that were requested. Throws invalid_request for an unknown id. */
export function catalogPart(catalog: JsonObject, input: Input, release: Release): JsonObject {
  const { market, dataset, indicator, detail } = input;
  if (Object.keys(input).length === 0) return catalog;
  const all = rowsOf(catalog, 'datasets');
  requireKnown('dataset', dataset, all, release);
  const indicators = all.flatMap((row) => rowsOf(row, 'indicators'));
  requireKnown('indicator', indicator, indicators, release);
  const isWanted = (row: JsonObject): boolean =>
    (market === undefined || row['market'] === market) &&
    (indicator === undefined || row['id'] === indicator);
  const datasets = all
    .filter(({ id }) => dataset === undefined || id === dataset)
    .map((row) => ({ ...row, indicators: rowsOf(row, 'indicators').filter(isWanted) }))
    .filter((row) => row.indicators.length > 0)
    .map((row) => (detail === 'summary' ? datasetSummary(row) : withOwnNames(row)));
  const notes = [
    ...(datasets.length === 0 ? ['No indicator of the catalog matches all of the given filters.'] : []),
    ...(detail === 'summary' ? [definitions.markets.summaryNote] : []),
  ];
  return { ...catalog, limitations: [...notes, ...(catalog['limitations'] as string[])], datasets };
}

function requireKnown(
  parameter: 'dataset' | 'indicator',
  given: string | number | undefined,
  rows: readonly JsonObject[],
  release: Release,
): void {
  const ids = rows.map(({ id }) => String(id));
  if (given === undefined || ids.includes(String(given))) return;
  const check = parameter === 'dataset' ? requireDataset : requireIndicator;
  check(given, release.manifest());
  throw invalidParameter(parameter, given, expectedId(parameter, { [parameter]: given }, release, ids));
}

function withOwnNames(dataset: JsonObject): JsonObject {
  const codes = new Set(rowsOf(dataset, 'indicators').flatMap(({ geographies }) => geographies));
  const names = Object.entries((dataset['geographyNames'] ?? {}) as JsonObject);
  return { ...dataset, geographyNames: Object.fromEntries(names.filter(([code]) => codes.has(code))) };
}

/** The members that the short form of the catalog keeps, and the lists of an indicator of which it gives the length alone. */
const IN_SHORT = {
  dataset: ['id', 'title', 'generatedAt', 'path', 'bytes', 'sha256'],
  source: ['id', 'name', 'publisher', 'url', 'license', 'rights', 'dated', 'sha256'],
  indicator: ['id', 'sourceId', 'market', 'label', 'unit', 'measureType'],
  coverage: ['observations', 'numeric', 'unavailable', 'zeros', 'firstPeriod', 'lastPeriod'],
  counted: ['geographies', 'categories', 'subgroups', 'units'],
};

function datasetSummary(dataset: JsonObject): JsonObject {
  return {
    ...membersOf(dataset, IN_SHORT.dataset),
    sources: rowsOf(dataset, 'sources').map((source) => membersOf(source, IN_SHORT.source)),
    indicators: rowsOf(dataset, 'indicators').map((indicator) => ({
      ...membersOf(indicator, IN_SHORT.indicator),
      coverage: membersOf(indicator['coverage'] as JsonObject, IN_SHORT.coverage),
      counts: Object.fromEntries(IN_SHORT.counted.map((name) => [name, rowsOf(indicator, name).length])),
    })),
  };
}

/** The datasets of the aggregates that were requested. Throws invalid_request for an unknown dataset, unavailable for one that the document lists as such. */
export function corridorsPart(document: JsonObject, { dataset, detail }: Input): JsonObject {
  const all = rowsOf(document, 'datasets');
  const missing = rowsOf(document, 'unavailableDatasets');
  const absent = missing.find(({ id }) => id === dataset);
  if (absent) throw notInRelease(`Dataset ${String(dataset)}`, String(absent['reason']));
  const ids = [...all, ...missing].map(({ id }) => String(id));
  if (dataset !== undefined && !ids.includes(String(dataset))) {
    const hint = closestHint(closestOf(String(dataset), ids));
    throw invalidParameter('dataset', dataset, `one of ${ids.join(', ')}${hint}`);
  }
  const datasets = all.filter(({ id }) => dataset === undefined || id === dataset);
  if (detail !== 'summary') return { ...document, datasets };
  return {
    ...document,
    disclosure: {
      ...(document['disclosure'] as JsonObject),
      recordSelection: definitions['producerp-corridors'].selection.summary,
      recordsPerCountryTarget: 1,
    },
    datasets: datasets.map(aggregateSummary),
  };
}

/** National context has many indicators and no first among them, so none of its records is shown. */
function aggregateSummary(dataset: JsonObject): JsonObject {
  const most = dataset['lane'] === 'market_evidence' ? 1 : 0;
  const countries = rowsOf(dataset, 'countries').map((country) => {
    const records = rowsOf(country, 'records');
    const shown = records.slice(0, most);
    const latestNotShown = Number(country['latestNotShown']) + records.length - shown.length;
    return { ...country, records: shown, latestNotShown };
  });
  const shown = countries.flatMap(({ records }) => records);
  const used = (member: string): Set<JsonValue> => new Set(shown.map((record) => record[member] ?? null));
  const indicators = used('indicatorId');
  const sources = used('sourceId');
  return {
    ...dataset,
    sources: rowsOf(dataset, 'sources').filter(({ id }) => sources.has(id ?? null)),
    indicators: rowsOf(dataset, 'indicators').filter(({ id }) => indicators.has(id ?? null)),
    countries,
  };
}

/** The infrastructure-context artifact with the first source of each target and the first series of each country. */
export function artifactSummary(artifact: JsonObject): JsonObject {
  const context = artifact['economicContext'] as JsonObject;
  const coverage = context['coverage'] as JsonObject;
  return {
    ...artifact,
    targetCoverage: rowsOf(artifact, 'targetCoverage').map((area) => ({
      ...area,
      targets: rowsOf(area, 'targets').map((target) => firstOf(target, 'sources')),
    })),
    economicContext: {
      ...context,
      coverage: {
        ...coverage,
        countries: rowsOf(coverage, 'countries').map((country) => firstOf(country, 'indicators')),
      },
    },
  };
}

function firstOf(row: JsonObject, list: string): JsonObject {
  return { ...row, [list]: rowsOf(row, list).slice(0, 1) };
}
