/**
 * The lanes of the context producer, from the artifacts the build made of its verified release: a bounded summary of the
 * infrastructure context, and the newswire receipt as it is. Nothing is fetched; a missing or damaged artifact makes the lane
 * unavailable.
 */
import artifactSchema from '../../schemas/svc-producerp-bri-v1.schema.json' with { type: 'json' };
import receiptSchema from '../../schemas/producerp-newswire-receipt.schema.json' with { type: 'json' };
import { membersOf } from './json.ts';
import { laneOf, PRODUCERP, unavailableLane, unconfiguredLane } from './lanes.ts';
import type { Lane, LaneContent, LaneEntry, LocalLane } from './lanes.ts';
import { absolute, BRI_ARTIFACT, BRI_SCHEMA, NEWSWIRE_RECEIPT, sidecarPath } from './paths.ts';
import { validator } from './document-schema.ts';
import type { JsonObject, JsonSchema, Release, Settings } from './types.ts';

/** Members of the producer's release that the citation repeats. */
const RELEASE_MEMBERS =
  'deploymentId sourceRevision artifactTreeSha256 receiptSha256 verificationSemantics'.split(' ');
/** The receipt is bounded: a larger one is refused. */
const RECEIPT_MAX_BYTES = 16_384;

/** A lane of which nothing is fetched: a local one, or a live one without a configured address. `retrieved_at` is a date-time. */
export function unfetchedLane(
  lane: LaneEntry,
  settings: Settings,
  release: Release,
  retrieved_at: string,
): Lane {
  return lane.kind === 'live'
    ? unconfiguredLane(lane, retrieved_at)
    : localLane(lane, settings, release, retrieved_at);
}

/** The lane; `retrieved_at` is used when its artifact is unavailable. */
function localLane(lane: LocalLane, settings: Settings, release: Release, retrieved_at: string): Lane {
  try {
    return laneOf(lane, lane.id === 'producerp-bri' ? infrastructure(settings, release) : newswire(release));
  } catch {
    const at = { source_url: PRODUCERP, retrieved_at };
    return unavailableLane(lane, at, { code: 'pinned_artifact_unavailable' });
  }
}

/** The members of the artifact that the summary repeats; its schema is checked first. */
interface Artifact {
  schemaVersion: string;
  artifactId: string;
  dataAsOf: string;
  scope: string;
  provenance: {
    release: JsonObject & { canonicalBaseUrl: string; verifiedAt: string; verificationState: string };
    sourceArtifacts: { observatory: { canonicalUrl: string } };
  };
  sourceReadiness: JsonObject;
  claimSemantics: { classificationRule: string; sourceClassCounts: JsonObject };
  targetCoverage: { areaId: string; label: string; targets: { sources: { sourceId: string }[] }[] }[];
  economicContext: {
    generatedAt: string;
    source: JsonObject;
    rights: JsonObject;
    clocks: JsonObject;
    coverage: { totals: JsonObject; countries: JsonObject[] };
  };
  usePolicy: JsonObject;
  limitations: string[];
}

function infrastructure({ siteUrl }: Settings, ours: Release): LaneContent {
  const { value, transport } = ours.derive(readArtifact);
  const { release, sourceArtifacts } = value.provenance;
  const { economicContext: economics } = value;
  const canonical = absolute(siteUrl, BRI_ARTIFACT);
  return {
    availability: 'available',
    evidence_status: 'structural',
    upstream_schema: value.schemaVersion,
    upstream_status: release.verificationState,
    source_url: sourceArtifacts.observatory.canonicalUrl,
    retrieved_at: release.verifiedAt,
    clocks: { data_as_of: value.dataAsOf, release_verified_at: release.verifiedAt, ...economics.clocks },
    scope: { statement: value.scope, use_policy: value.usePolicy },
    citation: {
      publisher: 'ProducerP',
      canonical_url: `${release.canonicalBaseUrl}/`,
      generated_at: economics.generatedAt,
      evidence_as_of: value.dataAsOf,
      release: membersOf(release, RELEASE_MEMBERS),
      economic_source: economics.source,
      economic_rights: economics.rights,
    },
    transport,
    data: {
      artifactId: value.artifactId,
      sha256: transport['sha256'] ?? null,
      bytes: transport['bytes'] ?? null,
      links: { artifact: canonical, sha256: sidecarPath(canonical), schema: absolute(siteUrl, BRI_SCHEMA) },
      sourceReadiness: value.sourceReadiness,
      sourceClassCounts: value.claimSemantics.sourceClassCounts,
      classificationRule: value.claimSemantics.classificationRule,
      targetAreas: value.targetCoverage.map(({ areaId, label, targets }) => ({
        areaId,
        label,
        targetCount: targets.length,
        sourceIds: [...new Set(targets.flatMap(({ sources }) => sources.map(({ sourceId }) => sourceId)))],
      })),
      economicCoverage: {
        totals: economics.coverage.totals,
        countries: economics.coverage.countries.map(({ indicators: _indicators, ...country }) => country),
      },
      limitations: value.limitations,
    },
  };
}

/** The members of the receipt that the lane repeats; its schema is checked first. */
type Receipt = JsonObject &
  Record<'schema' | 'status' | 'url' | 'verified_at' | 'recorded_at' | 'semantics', string>;

function newswire(release: Release): LaneContent {
  // The receipt is admitted by the infrastructure context: without that artifact there is nothing to admit it.
  release.derive(readArtifact);
  const { value, transport } = release.derive(readReceipt);
  return {
    availability: 'restricted',
    evidence_status: 'restricted',
    upstream_schema: value.schema,
    upstream_status: value.status,
    source_url: value.url,
    retrieved_at: value.verified_at,
    clocks: { recorded_at: value.recorded_at, verified_at: value.verified_at },
    scope: { statement: value.semantics, continuous_monitoring: false },
    citation: {
      publisher: 'ProducerP',
      canonical_url: value.url,
      generated_at: value.recorded_at,
      evidence_as_of: value.recorded_at,
    },
    transport,
    data: value,
  };
}

/** A checked document, and the `transport` of its lane. */
interface Pinned<T> {
  value: T;
  transport: JsonObject;
}

function readArtifact(release: Release): Pinned<Artifact> {
  return pinned(release, BRI_ARTIFACT, artifactSchema);
}

function readReceipt(release: Release): Pinned<Receipt> {
  return pinned(release, NEWSWIRE_RECEIPT, receiptSchema, RECEIPT_MAX_BYTES);
}

/** A document of the release, checked against its schema; throws when it is missing, damaged or too large. */
function pinned<T>(release: Release, path: string, schema: JsonSchema, most = Infinity): Pinned<T> {
  const bytes = release.document(path);
  if (bytes.length > most) throw new Error(`${path} has ${bytes.length} bytes, at most ${most} are allowed`);
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const value: unknown = JSON.parse(text);
  if (validator(schema)(value)) throw new Error(`${path} does not match its schema`);
  return {
    value: value as T,
    transport: {
      method: 'verified_release',
      attempts: 0,
      timeout_ms: null,
      max_response_bytes: null,
      bytes: bytes.length,
      sha256: release.sha256(text),
      http_status: null,
    },
  };
}
