/** The nouns of the core: what crosses between operations, transports, release and settings. Types alone, no behaviour. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [member: string]: JsonValue };
export type JsonObject = { [member: string]: JsonValue };

/** A JSON Schema 2020-12 document or sub-schema. */
export type JsonSchema = { [keyword: string]: JsonValue };

/** Settings every transport and the build share. `siteUrl` has no trailing slash. */
export interface Settings {
  siteUrl: string;
}

/** Serialized records of packs, copied into the envelope untouched. Each chunk is one or more records, joined by commas. */
export interface RawList extends Array<Uint8Array> {
  /** Identifies the bytes, together with `rows` where they are from packs: hashes above all. */
  decidedBy?: string;
  /** The ranges of rows in those packs: first, end, first, end. */
  rows?: readonly number[];
}

/** A list that many responses share, with its serialized form. */
export interface SharedList extends Array<JsonValue> {
  written: RawList;
}

/** The `data` of a response: members in the order they are written. */
export type Payload = { [member: string]: JsonValue | RawList | SharedList };

/** One packaged file as capabilities and catalog list it. */
export interface DataFile {
  path: string;
  bytes: number;
  /** Lower-case hex of the exact bytes served at `path`. */
  sha256: string;
}

/** One pack of the manifest: its records, its index, and what operations need to know before opening either. */
export interface PackEntry extends DataFile {
  /** Id of the dataset; with @ and the edition for a pack that is not the current one. */
  id: string;
  /** Edition of the dataset: the latest date among its sources, of designations the date of the list. Empty for the revisions, which are of many. */
  edition: string;
  kind: 'observations' | 'context' | 'atlas' | 'entities' | 'revisions';
  rows: number;
  /** `head` is the beginning of a large index, which has the hashes of the rest in pieces. */
  index: DataFile & { head?: Omit<DataFile, 'path'> };
  /** Facts an operation puts into its payload: source metadata, limitations, indicator ids. */
  meta: JsonObject;
  /** False where the pack is too large for its rows to be on pages for people. */
  rowPages?: false;
}

/** data/packs.json: every pack of the release, and the data clock. */
export interface PackManifest {
  schema: 'svc.packs.v1';
  /** Latest retrieval among all sources, date-time. */
  generatedAt: string;
  /** The current edition of each dataset. */
  packs: PackEntry[];
  /** Earlier editions, oldest first within each dataset. */
  editions: PackEntry[];
  /** The differences between neighbouring editions; its id and file are `revisions`. */
  revisions: PackEntry | null;
  /** Datasets that exist but are not in the release, with the reason. */
  unavailable: MissingDataset[];
}

/** A dataset that is not in the release; `reason` is a sentence. An atlas has its domain, observations their indicators where they are known. */
export interface MissingDataset {
  id: string;
  kind: PackEntry['kind'];
  indicators?: string[];
  domain?: string;
  reason: string;
}

/** A release or a pack, from which other values are made. */
export interface Derivable {
  /** The result of `make`: made on first use, kept with the source and dropped with it. */
  derive<T extends object>(make: (source: this) => T): T;
}

/** An opened pack: rows in the fixed order, and the bytes of any run of them. */
export interface Pack extends Derivable {
  entry: PackEntry;
  index: PackIndex;
  /** Serialized records [from, to), comma-joined, added to `chunks`. Throws an unavailable Fault when the bytes do not match their hash. */
  copy(from: number, to: number, chunks?: Uint8Array[]): Uint8Array[];
}

/** A decoded index: a small JSON header and integer columns. */
export interface PackIndex {
  header: JsonObject;
  column(name: string): Uint32Array;
}

/**
 * One release of the packaged data, open: whatever it gives belongs together and never changes. Each method throws an
 * unavailable Fault when what is requested is missing or damaged.
 */
export interface Release extends Derivable {
  manifest(): PackManifest;
  /** With `values` of its first dimensions, it may have the rows with these values alone. */
  pack(id: string, values?: Readonly<Record<string, string>>): Pack;
  /** The verified bytes of a published file, by its path below the site root. */
  document(path: string): Uint8Array;
  /** Lower-case hex. */
  sha256(content: string | Uint8Array): string;
  /** Whether everything requested from it in this run, or so far, was available; if not, what is made of it must not be kept. */
  isWhole?(): boolean;
}

/** Gives the lanes of the federation; never throws for an upstream's fault. */
export interface FederationPeer {
  /** One lane (`all` for every lane), and the moment at which the last of them was read. */
  lanes(lane: string): Promise<{ retrievedAt: string; lanes: LaneBytes[] }>;
}

/** The members of a lane whose size the producer decides. */
export type LanePart = 'clocks' | 'scope' | 'citation' | 'data';

/** A lane as responses carry it, serialized once for all of them. */
export interface LaneBytes {
  bytes: Uint8Array;
  /** The positions in `bytes` of the values that may be large. */
  parts: Record<LanePart, { start: number; end: number }>;
  /** The code of its error; null where it has none. */
  code: string | null;
  /** `caveats` of its data, which stay where the data is left out. */
  caveats: JsonObject;
}

/** What an operation works with. A server's context gives the newest release at each access; a run of an operation sees one. */
export interface Context {
  settings: Settings;
  readonly release: Release;
  /** The upstreams of live operations; absent where there are none, as in the build. */
  federation?: FederationPeer | undefined;
  /** The most bytes of evidence in a response, where the transport has a bound. */
  most?: number | undefined;
  /** Only for a remote release: gives the result of `run` once all files that it needs were fetched. */
  settled?: (<T>(run: () => T) => Promise<T>) | undefined;
  /** Receives the reason why evidence is missing from a response, where it may be back soon. */
  missed?: ((why: Error) => void) | undefined;
}

/** A query parameter (and member of the tool's arguments). */
export interface Parameter {
  name: string;
  /** One sentence for people and agents. */
  description: string;
  /** How error messages name what is accepted: `an integer from 1 to 100`. */
  accepts: string;
  /** Its JSON Schema, with `default` where one applies. */
  schema: JsonSchema;
}

/** Validated arguments: parameters that were given, by name. */
export type Input = { [parameter: string]: string | number };

/**
 * A resource, written once as a plain object: the build calls it to pre-render pages, REST for filtered queries, MCP offers
 * it as a tool, OpenAPI and capabilities list it.
 */
export interface Operation {
  /** Resource name: the last part of the path, the `resource` of the envelope. */
  name: string;
  /** Name of the MCP tool, null where the resource is not a tool. */
  tool: string | null;
  /** What it returns, what null means, how to page, what may not be inferred: also the MCP description. */
  summary: string;
  parameters: Parameter[];
  /** Parameters of other resources that this one refuses, with the sentence that says why. */
  refused: { [parameter: string]: string };
  /** The defaults of MCP for arguments that are not given, so that a default response fits the context of a model. */
  agents: Input;
  /** Arguments of one useful request. */
  example: Input;
  /** JSON Schema 2020-12 of the payload (`data`). */
  output: JsonSchema;
  /** `live` responses come from upstreams and are cached for a minute; `data` responses change with the release only. */
  freshness: 'data' | 'live';
  /** The payload; throws a Fault and nothing else. */
  run(input: Input, context: Context): Payload | Promise<Payload>;
  /** The schema-valid payload that says unavailable, for resources that have one. */
  unavailable?(input: Input, context: Context, message: string): JsonObject;
  /** Inputs worth a static page. */
  prerender(context: Context): Input[];
}
