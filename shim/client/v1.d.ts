/**
 * Client of the evidence service, version 1. It sends requests to the service where there is one, and reads plain files where there is
 * none: both give the same records. Null is unavailable, never zero.
 */

/** Filters of a resource, as in its REST query: `{ indicator: 'opium-cultivation', geo: 'AFG' }`. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** One cell of a publisher's file. `value` is null exactly when `status` is unavailable, and never stands for zero. */
export interface Observation {
  id: string;
  datasetId: string;
  edition: string;
  indicatorId: string;
  geoCode: string;
  geoName: string;
  geoLevel: 'country' | 'territory' | 'subnational' | 'aggregate';
  period: string;
  category: string;
  subgroup: string;
  group: string;
  value: number | null;
  lower: number | null;
  upper: number | null;
  /** As printed by the source; never converted. */
  unit: string;
  status: 'reported' | 'estimated' | 'unavailable';
  unavailableReason: string | null;
  sourceId: string;
  /** Sheet and cell of the publisher's file. */
  sourceLocator: string;
}

/** A record of another resource, as its schema at /schemas/ describes it. */
export type JsonRecord = { readonly [member: string]: unknown };

/** One page: the payload of a response, with all that it says besides its records. */
export type Page = JsonRecord & { readonly limitations?: readonly string[] };

/**
 * Records of a query, over all its pages; each page is fetched when it is needed. Where the service lacks a damaged dataset, records end
 * with a RequestError that names it, and pages have the `status` partial.
 */
export interface Records<T> extends AsyncIterable<T> {
  /** The pages themselves: sources, limitations and the explanation of what is absent are theirs. */
  pages(): AsyncIterable<Page>;
  /** All records. */
  all(): Promise<T[]>;
}

/** A citation in four forms. */
export interface Citation {
  text: string;
  bibtex: string;
  ris: string;
  csl: JsonRecord;
}

/** What leads from a record to the publisher's file and to the release, checked while it was made. */
export interface Proof {
  /** The record in its edition, for ever: `<id>@<edition>`. */
  record: string;
  source: { name: string; publisher: string; url: string; license: string; sha256: string; locator: string };
  /** The packaged records, and the block of them that holds this one. */
  pack: { path: string; sha256: string; start: number; length: number; blockSha256: string };
  /** The date of the data; `signed` says that the publisher's key was checked. */
  release: { generatedAt: string; signed: boolean };
}

/** How a service or copy is opened. */
export interface Options {
  /** The publisher's public key, one line as minisign writes it. With it files are read and checked, never the service. */
  key?: string;
  /** A release with a lower serial is refused, and files are read as with a key. */
  serial?: number;
  /** `files` never asks the service. */
  from?: 'files';
  fetch?: typeof globalThis.fetch;
}

/** A service or a copy of its files, opened. */
export interface Evidence {
  /** Where responses come from. */
  readonly from: 'service' | 'files';
  /** The address given, ending with a slash. */
  readonly address: string;
  observations(query?: Query): Records<Observation>;
  series(query?: Query): Records<JsonRecord>;
  revisions(query?: Query): Records<JsonRecord>;
  atlas(query?: Query): Records<JsonRecord>;
  /** The response to one request, with the status and text of REST: `get('/api/v1/series?query=opium')`. */
  get(target: string): Promise<{ status: number; text: string }>;
  cite(record: Observation): Promise<Citation>;
  prove(record: Observation): Promise<Proof>;
}

/** A request that was refused: `code` is that of the API, `invalid_request` for instance. */
export declare class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string);
}

/** A file that cannot be read as it should be: missing, changed, of another release, or sent wrongly. `path` names it. */
export declare class SourceError extends Error {
  readonly path: string;
  constructor(path: string, what: string, options?: { cause?: unknown });
}

/** Opens the service or copy at an address. Rejects with a SourceError where there is neither. */
export declare function open(address: string | URL, options?: Options): Promise<Evidence>;
