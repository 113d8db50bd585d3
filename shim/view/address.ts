/**
 * The address of every page for people, made here and nowhere else. Paths are below the site root, without leading slash. A link is
 * the path from its page to the root and an address, `../../` + `places/mex/`, so a copied folder works under any path.
 */
import type { DownloadForm } from '../core/download.ts';
import { apiAddress, queryText, type Filters } from '../core/paths.ts';
import type { Observation } from '../core/records.ts';

export { apiAddress, atlasRecordId, type Filters } from '../core/paths.ts';

/** Every page by what it shows; a folder ends with `/` and is its `index.html`. */
export const PAGES = {
  explore: 'explore/',
  compare: 'compare/',
  places: 'places/',
  indicators: 'indicators/',
  map: 'map/',
  data: 'data/',
  sources: 'sources/',
  records: 'r/',
  designations: 'designations/',
  search: 'search/',
  news: 'news/',
  docs: 'docs/',
  about: 'about/',
} as const;

/** What changed, and the page that checks files. They are not among the pages above: the script of the search box has those and stays small. */
export const RELEASES = 'releases/';
export const VERIFY_PAGE = 'verify/';

/** A geography: `places/mex/`. */
export function placeAddress(geoCode: string): string {
  return `${PAGES.places}${geoCode.toLowerCase()}/`;
}

/** An indicator of the catalog, or a group of fields of the atlas. */
export function indicatorAddress(indicator: string): string {
  return `${PAGES.indicators}${indicator}/`;
}

/** The map of an indicator; of a field of the atlas: dataset, `.` and path. */
export function mapAddress(indicator: string): string {
  return `${PAGES.map}${indicator}/`;
}

/** A dataset. */
export function datasetAddress(dataset: string): string {
  return `${PAGES.data}${dataset}/`;
}

/** A publisher's file: the newest of the source, with an edition an earlier one. */
export function sourceAddress(source: string, edition?: string): string {
  const newest = `${PAGES.sources}${source}/`;
  return edition === undefined ? newest : `${newest}${edition}/`;
}

/**
 * The rows of a dataset and place. Rows by month have a page for each year below it, so that no page grows without end: the
 * address of a row is that of its year.
 */
export function rowsAddress(dataset: string, geoCode: string, period?: string): string {
  const place = `${datasetAddress(dataset)}${geoCode.toLowerCase()}/`;
  return period !== undefined && period.length > 4 ? `${place}${period.slice(0, 4)}/` : place;
}

/** The row of a record on the page of its rows. */
export function rowAddress({ datasetId, geoCode, period, id }: RecordAt): string {
  return `${rowsAddress(datasetId, geoCode, period)}#${id}`;
}

/** One cell; with an edition, the cell of that edition for ever. */
export function recordAddress(id: string, edition?: string): string {
  return `${PAGES.records}${edition === undefined ? id : `${id}@${edition}`}`;
}

/** One cell on a copy of the files: the page there finds the row of what follows its #. */
export function rowOnCopy(record: string): string {
  return `${PAGES.records}#${record}`;
}

/** What differs between an edition and the one before it, among all such differences. */
export function differencesAddress(dataset: string, edition: string): string {
  return `${RELEASES}#${dataset}-${edition}`;
}

/** The search of the site. */
export function searchAddress(query: string): string {
  return `${PAGES.search}${queryText({ q: query })}`;
}

/** The query that every filter of observations is a part of. */
const OBSERVATIONS = 'market-observations';

/** The file of every record that a query matches, as CSV; with a byte order mark for spreadsheets. */
export function downloadAddress(filters: Filters, form: DownloadForm, resource = OBSERVATIONS): string {
  return `download/${resource}.${form}${queryText(filters)}`;
}

/** A search of designations, or the page of its form. */
export function designationsAddress(query: Filters = {}): string {
  return `${PAGES.designations}${queryText(query)}`;
}

/** One designation. */
export function designationAddress(number: number): string {
  return `${PAGES.designations}${number}`;
}

/** The explorer with these filters, and names of its own such as `view`. */
export function exploreAddress(filters: Filters): string {
  return `${PAGES.explore}${queryText(filters)}`;
}

/** Queries of observations next to each other, at most six; each is what follows the `?` of the API. */
export function compareAddress(queries: readonly string[]): string {
  const views = queries.map((query, at) => [String.fromCharCode(97 + at), query] as const);
  return `${PAGES.compare}${queryText(Object.fromEntries(views))}`;
}

/** The explorer with the filters of an address of the API; null where that is not of observations. */
export function exploreOf(api: string): string | null {
  const [path, query = ''] = api.split('?');
  return path === apiAddress(OBSERVATIONS) ? `${PAGES.explore}?${query}` : null;
}

/** The relative path from a file of the site to the site root: './' or `../../`. */
export function rootFrom(path: string): string {
  const depth = path.split('/').length - 1;
  return depth === 0 ? './' : '../'.repeat(depth);
}

/** Whether a site has an address of the machine that built it alone: SITE_URL was not set. */
export function isOfOneMachine(siteUrl: string): boolean {
  return /^http:\/\/localhost([:/]|$)/.test(siteUrl);
}

/** The page about a resource of the API. */
export function referenceAddress(resource: string): string {
  return `${PAGES.docs}reference/${resource}/`;
}

/** The figure of the explorer with these filters, alone; answered by the service only. */
export function embedAddress(filters: Filters): string {
  return `embed/${queryText(filters)}`;
}

/** What embeds the figure of an address of this site, for programs that ask as oEmbed says. */
export function oembedAddress(filters: Filters): string {
  return `oembed${queryText(filters)}`;
}

/** What decides where a record's row is. */
type RecordAt = Pick<Observation, 'datasetId' | 'geoCode' | 'period' | 'id'>;
