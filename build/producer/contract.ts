/**
 * The context producer's static release, as this service accepts it: a folder of data files, a manifest that lists every
 * one of them, a release receipt over the manifest, and a pages-publication receipt over the release receipt. `pin.json`
 * beside the folder holds the hashes of the three top documents, so that no file of the release can change unseen.
 * The schemas are schemas/producerp-*.schema.json; the types below are what those schemas let through.
 */
import type { JsonObject } from '../../shim/core/types.ts';

/** Address of the producer; a constant of the artifact's schema, so pinning another producer changes both. */
export const CANONICAL_BASE_URL = 'https://producerp.example';

/** Where the folder of the pin and the release stands in the repository. */
export const PIN_PATH = 'datasets/producerp/pin.json';

/** Files by their place below datasets/producerp: `pin.json`, `release/manifest.json`, ... */
export const FILES = {
  pin: 'pin.json',
  manifest: 'release/manifest.json',
  receipt: 'release/release-receipt.json',
  pages: 'release/pages-publication-receipt.json',
} as const;

/** The data files every release must have, by their path in the manifest (below `release/`). */
export const DATA = {
  observatory: 'data/bri-observatory-register.json',
  economics: 'data/bri-economic-observations.json',
  observations: 'data/bri-economic-observations.csv',
  registry: 'data/bri-economic-registry.json',
  newswire: 'data/newswire-rights-status.json',
} as const;

/** The rights-status artifact is bounded: a larger one is refused. */
export const NEWSWIRE_MAX_BYTES = 16_384;

/** Files of datasets/producerp in memory, by path below that folder. */
export type ReleaseFiles = ReadonlyMap<string, Uint8Array>;

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

export interface StaticRelease {
  schemaVersion: 'producerp.static-release.v1';
  producer: 'ProducerP';
  files: FileDescriptor[];
}

/** What is said of the manifest in the receipt and repeated in the artifact. */
export interface ManifestDescriptor {
  schemaVersion: 'producerp.static-release.v1';
  bytes: number;
  sha256: string;
  fileCount: number;
  totalBytes: number;
}

export interface ReleaseReceipt {
  schemaVersion: 'producerp.release-receipt.v1';
  producer: 'ProducerP';
  /** `reference`: made by this project; `producer`: published by the producer itself. */
  releaseKind: 'reference' | 'producer';
  canonicalBaseUrl: string;
  mirrorBaseUrl: string;
  deploymentId: string;
  /** Id of `sourceCommit` as a git commit object. */
  sourceRevision: string;
  /** The commit object's whole text; its first line names the tree. */
  sourceCommit: string;
  /** Git tree id of the manifest's files. */
  sourceTreeOid: string;
  artifactTreeSha256: string;
  artifactManifest: ManifestDescriptor;
  verifiedAt: string;
  verificationSemantics: string;
}

export interface PagesReceipt {
  schemaVersion: 'producerp.pages-publication-receipt.v1';
  producer: 'ProducerP';
  sourceRevision: string;
  sourceTreeOid: string;
  releaseReceiptSha256: string;
  verifiedAt: string;
  freshUntil: string;
  availabilitySemantics: string;
  servedResources: SourceDescriptor[];
}

export type ImplementationState = 'adapter_ready' | 'blocked' | 'link_only' | 'live' | 'planned';
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

export interface RegisterTarget {
  targetId: string;
  label: string;
  targetType: string;
  evidenceStatus: string;
  requiredCoverage: string[];
  sourceIds: string[];
}

export type AreaId = 'cpec' | 'gwadar' | 'cmec' | 'kyaukpyu' | 'balochistan';

export interface ObservatoryRegister {
  schemaVersion: 'producerp.bri-observatory-register.v1';
  generatedAt: string;
  derivedFrom: { title: string; bytes: number; sha256: string };
  classificationRule: string;
  rules: string[];
  buildReadyGaps: string[];
  sources: RegisterSource[];
  targetAreas: { areaId: AreaId; label: string; targets: RegisterTarget[] }[];
}

export type CountryCode = 'CHN' | 'MMR' | 'PAK';

/** Years of some rows: first, last and how many; nulls when there are none. */
export interface YearWindow {
  fromYear: number | null;
  toYear: number | null;
  yearCount: number;
}

export interface IndicatorCoverage {
  seriesId: string;
  indicatorId: string;
  unit: string;
  annualCoverage: YearWindow;
  observed: YearWindow;
  forecast: YearWindow;
  unavailable: YearWindow & { reasonCounts: Record<string, number> };
  sourceRowCount: number;
}

export interface CountryCoverage {
  countryCode: CountryCode;
  country: 'China' | 'Myanmar' | 'Pakistan';
  indicatorCount: number;
  sourceRowCount: number;
  observedRowCount: number;
  forecastRowCount: number;
  unavailableRowCount: number;
  indicators: IndicatorCoverage[];
}

export interface EconomicCoverage {
  totals: {
    countries: 3;
    indicators: number;
    sourceRows: number;
    observedRows: number;
    forecastRows: number;
    unavailableRows: number;
  };
  countries: CountryCoverage[];
}

/** The collection's descriptor; `source` to `contextPolicy` pass into the artifact as they are. */
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
  hashPointers: { observationsSha256: string; registrySha256: string; rawResponseSha256s: string[] };
  contextPolicy: JsonObject;
  files: { observations: string; registry: string };
  coverage: EconomicCoverage;
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

/** A release every check of release.ts has passed; nothing else may be rendered. */
export interface VerifiedRelease {
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
