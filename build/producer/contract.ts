/**
 * What the context producer publishes, as this service accepts it: a folder of data files, a manifest that lists every one of them, a
 * release receipt over the manifest, and a pages-publication receipt over the release receipt. `pin.json` next to the folder holds the
 * hashes of the three top documents, so that no file can change unseen. The schemas are schemas/producerp-*.schema.json; the types
 * below are what those schemas let through, as far as it is read here.
 */
import type { JsonObject } from '../../shim/core/types.ts';

/** Address of the producer; a constant of the artifact's schema, so pinning another producer changes both. */
export const CANONICAL_BASE_URL = 'https://producerp.example';

/** Path of the pin in the repository. */
export const PIN_PATH = 'datasets/producerp/pin.json';

/** The top documents, by path below datasets/producerp. */
export const FILES = {
  pin: 'pin.json',
  manifest: 'release/manifest.json',
  receipt: 'release/release-receipt.json',
  pages: 'release/pages-publication-receipt.json',
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

/** The list of all data files. */
export interface Manifest {
  schemaVersion: 'producerp.static-release.v1';
  producer: 'ProducerP';
  files: FileDescriptor[];
}

/** What a release receipt says about the files; it follows from them. */
export interface ReceiptFacts {
  /** Id of `sourceCommit` as a git commit object. */
  sourceRevision: string;
  /** Git tree id of the manifest's files. */
  sourceTreeOid: string;
  artifactTreeSha256: string;
  artifactManifest: Pick<Manifest, 'schemaVersion'> & {
    bytes: number;
    sha256: string;
    fileCount: number;
    totalBytes: number;
  };
}

/** The receipt over the manifest. */
export interface ReleaseReceipt extends ReceiptFacts {
  schemaVersion: 'producerp.release-receipt.v1';
  producer: 'ProducerP';
  /** `reference`: made by this project; `producer`: published by the producer itself. */
  releaseKind: 'reference' | 'producer';
  canonicalBaseUrl: string;
  mirrorBaseUrl: string;
  deploymentId: string;
  /** The commit object's whole text; its first line names the tree. */
  sourceCommit: string;
  verifiedAt: string;
  verificationSemantics: string;
}

/** The receipt over the release receipt and the served resources. */
export interface PagesReceipt extends Pick<ReceiptFacts, 'sourceRevision' | 'sourceTreeOid'> {
  schemaVersion: 'producerp.pages-publication-receipt.v1';
  producer: 'ProducerP';
  releaseReceiptSha256: string;
  verifiedAt: string;
  freshUntil: string;
  availabilitySemantics: string;
  servedResources: SourceDescriptor[];
}

/** How far a source is from being read by the build. */
export type ImplementationState = 'adapter_ready' | 'blocked' | 'link_only' | 'live' | 'planned';
/** What kind of evidence a source gives. */
export type SourceClass = 'official_or_administrative' | 'independent_observation' | 'modeled_or_analytical';

/** One source of the observatory register. */
export interface RegisterSource {
  sourceId: string;
  name: string;
  publisher: string;
  homepages: string[];
  classes: SourceClass[];
  /** The classes joined with ` + `; an interested party says so. */
  sourceClass: string;
  authorityRole: string;
  interestedParty: boolean;
  /** Terms in words, with what was not checked about them. */
  rightsStatus: string;
  /** The one word the readiness counts group by. */
  rightsGroup: string;
  claimClasses: string[];
  /** What the register says the source is not evidence of. */
  notClaimed: string[];
  implementationState: ImplementationState;
  urlEvidence: string;
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
  schemaVersion: 'producerp.bri-observatory-register.v1';
  generatedAt: string;
  derivedFrom: { title: string; bytes: number; sha256: string };
  classificationRule: string;
  rules: string[];
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

/** The descriptor of the economic rows; most of it passes into the artifact unchanged. */
export interface EconomicObservations {
  schemaVersion: 'producerp.bri-economic-observations.v1';
  generatedAt: string;
  collectionId: string;
  source: JsonObject;
  rights: JsonObject;
  clocks: {
    generatedAt: string;
    datasetLastUpdated: string;
    sourceReleaseUpperBound: string;
    retrievedAt: string;
  };
  hashPointers: HashPointers;
  contextPolicy: JsonObject;
  files: { observations: string; registry: string };
  coverage: object;
}

/** The series of the collection; one raw file each. */
export interface EconomicRegistry {
  schemaVersion: 'producerp.bri-economic-registry.v1';
  windowRule: string;
  series: {
    indicatorId: string;
    label: string;
    unit: string;
    sourceUrl: string;
    license: string;
    notes: string[];
    rawBytes: number;
    rawSha256: string;
    fromYear: number;
    toYear: number;
  }[];
}

/** The statement that newswire text is not redistributed. */
export interface NewswireRightsStatus {
  schemaVersion: 'producerp.newswire-rights-status.v1';
  producer: 'ProducerP';
  status: 'restricted';
  recordedAt: string;
  statement: string;
  monitoring: 'none_historical_receipt';
  quarantinedPathCount: number | null;
  quarantinedPathsRepublished: false;
}

/** What passed every check of verify.ts; nothing else may be rendered. */
export interface VerifiedProducer {
  pin: FileDescriptor;
  receiptFile: FileDescriptor;
  pagesFile: FileDescriptor;
  receipt: ReleaseReceipt;
  pages: PagesReceipt;
  files: FileDescriptor[];
  observatory: ObservatoryRegister;
  economics: EconomicObservations;
  newswire: NewswireRightsStatus;
}
