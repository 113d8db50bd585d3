/**
 * The lanes of the context producer, from the artifacts the build made of its verified release: a bounded summary of the
 * infrastructure context, and the newswire receipt as it is. Nothing is asked of anyone; a missing or damaged artifact makes
 * the lane unavailable.
 */
import artifactSchema from '../../schemas/svc-producerp-bri-v1.schema.json' with { type: 'json' };
import receiptSchema from '../../schemas/producerp-newswire-receipt.schema.json' with { type: 'json' };
import { unavailableLane, type Lane, type LocalLane } from './lanes.ts';
import { absolute, BRI_ARTIFACT, BRI_SCHEMA, NEWSWIRE_RECEIPT } from './paths.ts';
import { validator } from './schema.ts';
import type { JsonObject, JsonSchema, Settings, Store } from './types.ts';

const PRODUCER = 'https://producerp.example/';
/** The receipt is bounded: a larger one is refused. */
const RECEIPT_MAX_BYTES = 16_384;

/** What a lane of the context producer says, apart from what every lane has. */
type Told = Omit<Lane, 'id' | 'product' | 'error' | 'boundaries'>;

/** The lane; `retrievedAt` (date-time) stands in it when its artifact is unavailable. */
export function localLane(lane: LocalLane, settings: Settings, store: Store, retrievedAt: string): Lane {
  const { id, product, boundaries } = lane;
  try {
    const told = id === 'producerp-bri' ? infrastructure(settings, store) : newswire(store);
    return { id, product, ...told, error: null, boundaries };
  } catch {
    return unavailableLane(
      lane,
      { source_url: PRODUCER, retrieved_at: retrievedAt, transport: null },
      { code: 'pinned_artifact_unavailable' },
    );
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
  usePolicy: { lane: string; crossLaneJoinPolicy: string; prohibitions: JsonObject };
  limitations: string[];
}

function infrastructure({ siteUrl }: Settings, store: Store): Told {
  const { value, transport } = pinned<Artifact>(store, BRI_ARTIFACT, artifactSchema);
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
      release: picked(release, [
        'deploymentId',
        'sourceRevision',
        'artifactTreeSha256',
        'receiptSha256',
        'verificationSemantics',
      ]),
      economic_source: economics.source,
      economic_rights: economics.rights,
    },
    transport,
    data: {
      artifactId: value.artifactId,
      sha256: transport['sha256'] ?? null,
      bytes: transport['bytes'] ?? null,
      links: { artifact: canonical, sha256: `${canonical}.sha256`, schema: absolute(siteUrl, BRI_SCHEMA) },
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
        countries: economics.coverage.countries.map((country) =>
          picked(
            country,
            Object.keys(country).filter((member) => member !== 'indicators'),
          ),
        ),
      },
      limitations: value.limitations,
    },
  };
}

/** The receipt that the build makes; its schema is checked first. */
type Receipt = JsonObject & {
  schema: string;
  status: string;
  url: string;
  verified_at: string;
  recorded_at: string;
  semantics: string;
};

function newswire(store: Store): Told {
  // The receipt is admitted by the infrastructure context: without that artifact there is nothing to admit it.
  pinned<Artifact>(store, BRI_ARTIFACT, artifactSchema);
  const { value, transport } = pinned<Receipt>(store, NEWSWIRE_RECEIPT, receiptSchema, RECEIPT_MAX_BYTES);
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

const read = new WeakMap<Uint8Array, JsonObject>();

/** A document of the release, checked against its schema once per bytes; throws when it is missing, damaged or too large. */
function pinned<T>(
  store: Store,
  path: string,
  schema: JsonSchema,
  most = Infinity,
): { value: T; transport: JsonObject } {
  const bytes = store.document(path);
  if (bytes.length > most) throw new Error(`${path} has ${bytes.length} bytes, at most ${most} are allowed`);
  let known = read.get(bytes);
  if (!known) {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (validator(schema)(value)) throw new Error(`${path} does not match its schema`);
    known = { value: value as JsonObject, sha256: store.sha256(text) };
    read.set(bytes, known);
  }
  return {
    value: known['value'] as T,
    transport: {
      method: 'verified_release',
      attempts: 0,
      timeout_ms: null,
      max_response_bytes: null,
      bytes: bytes.length,
      sha256: known['sha256'] ?? null,
      http_status: null,
    },
  };
}

function picked(from: JsonObject, members: string[]): JsonObject {
  return Object.fromEntries(members.map((member) => [member, from[member] ?? null]));
}
