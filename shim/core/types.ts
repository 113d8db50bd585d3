/** The nouns of the core: what crosses between operations, transports, store and settings. No behaviour here. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [member: string]: JsonValue };
export type JsonObject = { [member: string]: JsonValue };

/** A JSON Schema 2020-12 document or sub-schema. */
export type JsonSchema = { [keyword: string]: JsonValue };

/** Settings every door and the build share. `siteUrl` has no trailing slash. */
export interface Settings {
  siteUrl: string;
}

/** Records of packs, serialized already: copied into the envelope untouched. Each chunk is one or more, joined by commas. */
export class RawList {
  readonly chunks: Uint8Array[];

  constructor(chunks: Uint8Array[]) {
    this.chunks = chunks;
  }
}

/** The `data` of a response: members in the order they are written. */
export type Payload = { [member: string]: JsonValue | RawList };

/** One packaged file as capabilities and catalog list it. */
export interface DataFile {
  path: string;
  bytes: number;
  /** Lower-case hex of the exact bytes served at `path`. */
  sha256: string;
}

/** One pack of the manifest: its records, its index, and what operations need to know before opening either. */
export interface PackEntry extends DataFile {
  id: string;
  kind: 'observations' | 'context' | 'atlas' | 'entities';
  rows: number;
  index: DataFile;
  /** Facts an operation puts into its payload: source metadata, limitations, indicator ids. */
  meta: JsonObject;
}

/** data/packs.json: every pack of the release, and the data clock. */
export interface PackManifest {
  schema: 'svc.packs.v1';
  /** Latest retrieval among all sources, date-time. */
  generatedAt: string;
  packs: PackEntry[];
  /** Datasets that exist but could not be packaged, with the reason. */
  unavailable: { id: string; reason: string }[];
}

/** What was made from a release or a pack and goes with it; see `derive`. */
export interface Derived {
  readonly derived: Map<unknown, unknown>;
}

/** An opened pack: rows in the fixed order, and the bytes of any run of them. */
export interface Pack extends Derived {
  entry: PackEntry;
  /** The decoded index file. */
  index: PackIndex;
  /** Serialized records [from, to), comma-joined. Throws an unavailable Fault when the bytes do not match their hash. */
  copy(from: number, to: number): Uint8Array[];
}

/** A decoded index: a small JSON header and integer columns. */
export interface PackIndex {
  header: JsonObject;
  column(name: string): Uint32Array;
}

/**
 * One release of the packaged data, open: whatever it gives belongs together and never changes. Each method throws an
 * unavailable Fault when what is asked for is missing or damaged.
 */
export interface Release extends Derived {
  manifest(): PackManifest;
  pack(id: string): Pack;
  /** The verified bytes of a published file, by its path below the site root. */
  document(path: string): Uint8Array;
  /** Lower-case hex. */
  sha256(text: string): string;
}

/** Upstreams a live operation may ask; absent where none is (the build). */
export interface Peers {
  federation?: FederationPeer;
}

/** Answers the lanes of the federation; never throws for an upstream's fault. */
export interface FederationPeer {
  /** Lane objects of one lane (`all` for every lane), and the moment of the request. */
  lanes(lane: string): Promise<{ retrievedAt: string; lanes: JsonObject[] }>;
}

/** What an operation works with. A server's context gives the newest release at each look; `call` looks once. */
export interface Context {
  settings: Settings;
  readonly store: Release;
  peers: Peers;
}
