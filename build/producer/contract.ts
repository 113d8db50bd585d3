/**
 * What the context producer publishes, as this service accepts it: a folder of data files, a manifest that lists every one of them, a
 * release receipt over the manifest, and a pages-publication receipt over the release receipt. `pin.json` next to the folder holds the
 * hashes of the three top documents, so that no file can change unseen. What a document must hold is in
 * schemas/producerp-*.schema.json; the types below name only what is read here.
 */

/** Address of the producer; a constant of the artifact's schema, so pinning another producer changes both. */
export const CANONICAL_BASE_URL = 'https://producerp.example';

/** Path of the pin in the repository. */
export const PIN_PATH = 'datasets/producerp/pin.json';

/** The top documents and the closed list of texts, by path below datasets/producerp. */
export const FILES = {
  pin: 'pin.json',
  manifest: 'release/manifest.json',
  receipt: 'release/release-receipt.json',
  pages: 'release/pages-publication-receipt.json',
  vocabulary: 'vocabulary.csv',
} as const;

/** The data files every producer must have, by their path in the manifest (below `release/`). */
export const DATA = {
  observatory: 'data/bri-observatory-register.json',
  economics: 'data/bri-economic-observations.json',
  observations: 'data/bri-economic-observations.csv',
  registry: 'data/bri-economic-registry.json',
  newswire: 'data/newswire-rights-status.json',
} as const;

/** The three resources that the pages receipt covers. */
export const SERVED: readonly string[] = [DATA.observatory, DATA.economics, DATA.newswire];

/** The three countries in the order they are listed. */
export const COUNTRIES = [
  ['CHN', 'China'],
  ['MMR', 'Myanmar'],
  ['PAK', 'Pakistan'],
] as const;

/** Files of datasets/producerp in memory, by path below that folder. */
export type ProducerFiles = ReadonlyMap<string, Uint8Array>;

/** Reports that a file (by its path below datasets/producerp) breaks a rule; `hash` and `link` are recomputed from the bytes. */
export type Report = (
  file: string,
  rule: 'missing' | 'unlisted' | 'json' | 'schema' | 'hash' | 'link' | 'content' | 'vocabulary',
  message: string,
) => void;

/** One file as manifest and receipts name it; hashes are lower-case hex. */
export interface FileDescriptor {
  path: string;
  bytes: number;
  sha256: string;
  /** sha1 of `blob <length>\0<bytes>`, as git names the content. */
  gitBlobOid: string;
}

/** A file with the addresses it is published at. */
export interface SourceDescriptor extends FileDescriptor {
  canonicalUrl: string;
  mirrorUrl?: string;
}

/** What a release receipt says about the files; it follows from them. */
export interface ReceiptFacts {
  /** Id of `sourceCommit` as a git commit object. */
  sourceRevision: string;
  /** Git tree id of the manifest's files. */
  sourceTreeOid: string;
  artifactTreeSha256: string;
  artifactManifest: Record<'schemaVersion' | 'sha256', string> &
    Record<'bytes' | 'fileCount' | 'totalBytes', number>;
}

/** The receipt over the manifest. `sourceCommit` is a commit object's whole text; its first line names the tree. */
type ReleaseReceipt = ReceiptFacts &
  Record<
    | 'producer'
    | 'releaseKind'
    | 'canonicalBaseUrl'
    | 'mirrorBaseUrl'
    | 'deploymentId'
    | 'sourceCommit'
    | 'verifiedAt'
    | 'verificationSemantics',
    string
  >;

/** One source of the observatory register. */
export interface RegisterSource {
  sourceId: string;
  classes: string[];
  /** The classes joined with ` + `; an interested party says so. */
  sourceClass: string;
  authorityRole: string;
  interestedParty: boolean;
  /** Terms in words, with what was not checked about them. */
  rightsStatus: string;
  /** The one word the readiness counts group by. */
  rightsGroup: string;
  claimClasses: string[];
  /** How far the source is from being read by the build: one of `STATES`. */
  implementationState: string;
}

/** One target of an area: the area itself or its national context. */
export interface RegisterTarget {
  targetId: string;
  label: string;
  targetType: string;
  evidenceStatus: string;
  requiredCoverage: string[];
  sourceIds: string[];
}

/** The sources and the five target areas. */
export interface ObservatoryRegister {
  classificationRule: string;
  buildReadyGaps: string[];
  sources: RegisterSource[];
  targetAreas: { areaId: string; label: string; targets: RegisterTarget[] }[];
}

/** The hashes a collection is named by. */
export interface HashPointers {
  observationsSha256: string;
  registrySha256: string;
  rawResponseSha256s: string[];
}

/** A series of the economic collection, read from one raw file. */
export interface EconomicSeries {
  indicatorId: string;
  unit: string;
  rawSha256: string;
  fromYear: number;
  toYear: number;
}

/** The documents of a producer as their schemas let them through. */
export interface Documents {
  manifest: { files: FileDescriptor[] };
  receipt: ReleaseReceipt;
  pages: Pick<ReceiptFacts, 'sourceRevision' | 'sourceTreeOid'> &
    Record<'releaseReceiptSha256' | 'verifiedAt' | 'freshUntil' | 'availabilitySemantics', string> & {
      servedResources: SourceDescriptor[];
    };
  observatory: ObservatoryRegister;
  /** The descriptor of the economic rows; most of it passes into the artifact unchanged. */
  economics: {
    collectionId: string;
    clocks: { retrievedAt: string };
    hashPointers: HashPointers;
    files: object;
    coverage: object;
  };
  registry: { series: EconomicSeries[] };
  /** The statement that newswire text is not redistributed. */
  newswire: { status: string; recordedAt: string; statement: string; quarantinedPathsRepublished: boolean };
}

/** What passed every check of verify.ts; nothing else may be rendered. */
export interface VerifiedProducer extends Documents {
  /** The top documents as files. */
  described: Record<'pin' | 'receipt' | 'pages', FileDescriptor>;
  /** The registry of the economic series as the producer wrote it. */
  registryBytes: Uint8Array;
}
