/** Every address of the service is made here, and nowhere else. Paths are relative to the site root, without leading slash. */

/** Absolute address of a path below the site root. */
export function absolute(siteUrl: string, path: string): string {
  return `${siteUrl}/${path}`;
}

/** Filters of a query by name; those without a value are left out. */
export type Filters = Readonly<Record<string, string | undefined>>;

/** Filters as a query with its `?`, in the order given. */
export function queryText(filters: Filters): string {
  const query = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return query.length > 0 ? `?${query.join('&')}` : '';
}

/** The root of the API. */
export const API_ROOT = 'api/v1';

/** The most bytes of a request target (path and query). */
export const MOST_URL_BYTES = 8192;

/** A query of the API; without filters, the resource itself. */
export function apiAddress(resource: string, filters: Filters = {}): string {
  return `${API_ROOT}/${resource}${queryText(filters)}`;
}

/** File of an unfiltered page: the first, or the one after `cursor`. */
export function pagePath(resource: string, cursor?: string): string {
  return cursor === undefined ? `${API_ROOT}/${resource}.json` : `${API_ROOT}/${resource}/${cursor}.json`;
}

/** Schema of a resource's whole REST body. */
export function responseSchemaPath(resource: string): string {
  return `schemas/${resource}.response.schema.json`;
}

/** Schema of the `data` of that body alone. */
export function payloadSchemaPath(resource: string): string {
  return `schemas/${resource}.schema.json`;
}

/** The resources whose 503 carries a payload, by contract; every other 503 is the generic error. */
export const ENVELOPED: ReadonlySet<string> = new Set(['atlas', 'entities', 'federation']);

/** The schema of the generic error. */
export const ERROR_SCHEMA = 'schemas/error.schema.json';

/** The schema of a resource's 503: the unavailable envelope where it has one, else the generic error. */
export function errorSchemaPath(resource: string): string {
  return ENVELOPED.has(resource) ? `schemas/${resource}.unavailable.schema.json` : ERROR_SCHEMA;
}

/** The description of the API, and where programs find it (RFC 9727). */
export const OPENAPI = 'openapi.json';
export const API_CATALOG = '.well-known/api-catalog';

/** The body that static file hosts return for an unknown path under /api. */
export const API_NOT_FOUND = 'api/404.json';

/** The list of packs, with what operations need to know of each. */
export const PACK_MANIFEST = 'data/packs.json';

/** Packaged records and their other forms; of an earlier edition by the id of its pack, `<dataset>@<edition>`. */
export function packPath(pack: string): string {
  return `${dataFile(pack)}.ndjson`;
}

/** The same records as CSV and as Parquet. */
export function csvPath(pack: string): string {
  return `${dataFile(pack)}.csv`;
}
export function parquetPath(pack: string): string {
  return `${dataFile(pack)}.parquet`;
}

/** The records of the current edition as a workbook for spreadsheets. */
export function xlsxPath(dataset: string): string {
  return `${dataFile(dataset)}.xlsx`;
}

function dataFile(pack: string): string {
  const [dataset = '', edition] = pack.split('@');
  return edition === undefined ? `data/${dataset}` : `data/editions/${dataset}/${edition}`;
}

/** The records of one indicator, where query engines look for a hive partition. */
export function parquetPartitionPath(dataset: string, indicator: string): string {
  return `data/parquet/${dataset}/indicatorId=${indicator}/part-0.parquet`;
}

/** The index of a pack: what a query reads before it touches a record. */
export function packIndexPath(pack: string): string {
  return `data/index/${pack.replace('@', '.')}.idx`;
}

/** The directory of series: one row for each, and the words by which it is found. */
export const SERIES_INDEX = /* @__PURE__ */ packIndexPath('series');

/** The pack of the differences between editions; no dataset has its name. */
export const REVISIONS = 'revisions';

/** Folder of the feeds of the revisions: those of all datasets, and a folder for each. It is written out, because a template would be kept in every script of the pages. */
export const REVISION_FEEDS = 'data/revisions';

/** The editions of a dataset's records as a TimeMap (RFC 7089). */
export function timeMapPath(dataset: string): string {
  return `data/editions/${dataset}/timemap.link`;
}

/** The record id of a country and year of the atlas, which has none of its own: `organized-crime-index.AFG.2025`. */
export function atlasRecordId(dataset: string, iso3: string, year: number): string {
  return `${dataset}.${iso3}.${year}`;
}

/** The document of a dataset: its description, coverage, sources and files. */
export function datasetDocumentPath(pack: string): string {
  return pack.includes('@') ? `${dataFile(pack)}.json` : `data/datasets/${pack}.json`;
}

/** The market catalog as a document, the list of editions, and the list of every file under data/. */
export const CATALOG = 'data/catalog.json';
export const EDITIONS = 'data/editions.json';
export const DATA_FILES = 'data/files.json';

/** The release described for Frictionless, Croissant and DCAT-AP readers. */
export const DATAPACKAGE = 'data/datapackage.json';
export const CROISSANT = 'data/croissant.json';
export const DCAT = 'data/dcat.jsonld';

/** The records of all datasets and what is published about them, as one SQLite database; not in a release with very many records. */
export const EVIDENCE_FILE = 'data/evidence.sqlite';

/** What the context producer published, as the build took it from its verified release. */
export const BRI_ARTIFACT = 'data/svc-producerp-bri-v1.json';
export const BRI_SCHEMA = 'data/svc-producerp-bri-v1.schema.json';
export const BRI_REGISTRY = 'data/svc-producerp-bri-economic-registry-v1.json';
export const NEWSWIRE_RECEIPT = 'data/svc-producerp-newswire-rights-v1.json';

/** Official country aggregates, as the build selected them for that producer. */
export const CORRIDORS = 'data/svc-producerp-corridors-v1.json';

/** The page for people at an unknown address. */
export const NOT_FOUND = '404.html';

/** The shapes of maps, for pages that are drawn on request. */
export const WORLD = 'assets/world.json';

/** The index of the search of the site. */
export const SEARCH_INDEX = 'assets/search.json';

/** Serial, tree hash and signature of the release, and every file of it. */
export const RELEASE = 'release.json';

/** The signature of the release, where a key was set when it was built. */
export const SIGNATURE = 'release.json.minisig';

/** The key that the release is signed with. */
export const PUBLIC_KEY = 'release.pub';

/** What describes a release and is needed before its files: the manifest, and the signature and key of a signed one. */
export const DESCRIBING: readonly string[] = [RELEASE, SIGNATURE, PUBLIC_KEY];

/** The list of every published file but itself and sidecars. */
export const SUMS = 'SHA256SUMS';

/** The line of a file in it, in the form that `sha256sum -c` reads. */
export function sumsLine({ path, sha256 }: { path: string; sha256: string }): string {
  return `${sha256}  ${path}\n`;
}

/** The files that the list names. */
export function filesInSums(list: string): { path: string; sha256: string }[] {
  const lines = list.split('\n').filter((line) => line !== '');
  return lines.map((line) => ({ sha256: line.slice(0, 64), path: line.slice(66) }));
}

/** The path of a file's sidecar, which holds its checksum. */
export function sidecarPath(path: string): string {
  return `${path}.sha256`;
}

/** More than any sidecar has: a hash and the name of its file. */
export const SIDECAR_BYTES = 4096;

/** The text of a sidecar. */
export function sidecarText(path: string, hash: string): string {
  return sumsLine({ path: path.slice(path.lastIndexOf('/') + 1), sha256: hash });
}

/** Whether a path is a delta between two releases: `deltas/<serial>..<serial>.json`. */
export function isDeltaPath(path: string): boolean {
  return /^deltas\/[0-9]+\.\.[0-9]+\.json$/.test(path);
}

/** The provenance of the release as an in-toto statement, and its signature. No list of the release has them. */
export const PROVENANCE = 'release.intoto.json';
export const PROVENANCE_SIGNATURE = 'release.intoto.json.minisig';

/** Whether a path may be published without being listed: it is checked against its own sidecar. */
export function isUnlistedPath(path: string): boolean {
  return isDeltaPath(path) || path === PROVENANCE || path === PROVENANCE_SIGNATURE;
}

/** The packages that server, pages and build consist of, as a CycloneDX bill of materials. */
export const SBOM = 'sbom.cdx.json';

/** The licences of the packages that published scripts and fonts contain. */
export const LICENCES = 'licences.txt';
