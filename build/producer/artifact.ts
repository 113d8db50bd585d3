/**
 * What is published from the verified producer: the infrastructure-context artifact, data/svc-producerp-bri-v1.json, and the receipt of
 * the newswire lane, data/svc-producerp-newswire-rights-v1.json. Both restate the producer's files and add no fact of their own;
 * whether the producer's addresses can be reached is not checked.
 */
import { pick } from '../lib/dataset.ts';
import { type Artifact, jsonArtifact, sha256 } from '../lib/tree.ts';
import { DATA, FILES, PIN_PATH } from './contract.ts';
import type { FileDescriptor, RegisterSource, SourceDescriptor, VerifiedProducer } from './contract.ts';
import { countsOf } from './coverage.ts';
import { publishedAt } from './hash.ts';
import { STATES, isBuildReady } from './register.ts';
import { BRI_ARTIFACT, BRI_REGISTRY, BRI_SCHEMA, NEWSWIRE_RECEIPT } from '../../shim/core/paths.ts';
import allTexts from './texts.json' with { type: 'json' };

/** The constant `$id` of the artifact's schema. */
export const BRI_SCHEMA_ID = 'urn:svc:schema:svc.producerp.bri-context.v1';

const texts = allTexts.artifact;

/** The artifact, its schema and the registry of its series byte for byte, and the newswire receipt; without a verified producer the schema alone. */
export function renderProducer(producer: VerifiedProducer | null, schemaBytes: Uint8Array): Artifact[] {
  const schema = { path: BRI_SCHEMA, bytes: schemaBytes };
  if (!producer) return [schema];
  const registry = { path: BRI_REGISTRY, bytes: producer.registryBytes };
  return [briArtifact(producer, schemaBytes), schema, newswireReceipt(producer), registry];
}

/** `schemaBytes` are those of schemas/svc-producerp-bri-v1.schema.json: the artifact names their hash. */
function briArtifact(producer: VerifiedProducer, schemaBytes: Uint8Array): Artifact {
  const { files: _files, ...economicContext } = producer.economics;
  const { sources, buildReadyGaps } = producer.observatory;
  return jsonArtifact(BRI_ARTIFACT, {
    ...texts.constants,
    dataAsOf: economicContext.clocks.retrievedAt,
    scope: texts.scope,
    provenance: provenanceOf(producer, schemaBytes),
    sourceReadiness: {
      ...readinessOf(sources),
      rightsStatusCounts: countsOf(sources.map(({ rightsGroup }) => rightsGroup)),
      buildReadyGaps,
    },
    claimSemantics: claimsOf(producer),
    targetCoverage: targetsOf(producer),
    economicContext,
    usePolicy: texts.usePolicy,
    limitations: texts.limitations,
  });
}

/** A receipt of a past restriction: it monitors nothing and repeats no quarantined path. */
function newswireReceipt({ manifest, newswire, receipt }: VerifiedProducer): Artifact {
  const file = fileOf(manifest.files, DATA.newswire);
  return jsonArtifact(NEWSWIRE_RECEIPT, {
    schema: 'svc.producerp.newswire-rights-receipt.v1',
    status: newswire.status,
    url: `${receipt.canonicalBaseUrl}/${file.path}`,
    bytes: file.bytes,
    sha256: file.sha256,
    verified_at: receipt.verifiedAt,
    recorded_at: newswire.recordedAt,
    release_sha256: receipt.artifactTreeSha256,
    continuous_monitoring: false,
    quarantined_paths_republished: newswire.quarantinedPathsRepublished,
    semantics: newswire.statement,
  });
}

function provenanceOf(
  { described, receipt, pages, manifest }: VerifiedProducer,
  schemaBytes: Uint8Array,
): object {
  const published = (file: FileDescriptor): SourceDescriptor =>
    publishedAt(file, receipt.canonicalBaseUrl, receipt.mirrorBaseUrl);
  return {
    producer: 'ProducerP',
    consumer: 'svc',
    sourcePin: {
      path: PIN_PATH,
      schemaVersion: 'svc.producerp.source-pin.v1',
      ...pick(described.pin, 'bytes', 'sha256'),
    },
    schema: { path: BRI_SCHEMA, id: BRI_SCHEMA_ID, bytes: schemaBytes.length, sha256: sha256(schemaBytes) },
    release: {
      producer: receipt.producer,
      verificationState: 'release_receipt_validated',
      ...pick(receipt, 'canonicalBaseUrl', 'mirrorBaseUrl', 'deploymentId', 'sourceRevision'),
      ...pick(receipt, 'sourceTreeOid', 'artifactTreeSha256', 'artifactManifest'),
      receiptBytes: described.receipt.bytes,
      receiptSha256: described.receipt.sha256,
      ...pick(receipt, 'verifiedAt', 'verificationSemantics'),
      pagesPublication: {
        verificationState: 'served_resource_receipt_validated',
        ...pick(pages, 'sourceRevision', 'sourceTreeOid'),
        receiptBytes: described.pages.bytes,
        receiptSha256: described.pages.sha256,
        ...pick(pages, 'verifiedAt', 'freshUntil', 'availabilitySemantics', 'servedResources'),
      },
    },
    sourceArtifacts: {
      observatory: published(fileOf(manifest.files, DATA.observatory)),
      economics: published(fileOf(manifest.files, DATA.economics)),
      pagesPublicationReceipt: published({ ...described.pages, path: FILES.pages.replace('release/', '') }),
    },
  };
}

function claimsOf({ observatory: { classificationRule, sources } }: VerifiedProducer): object {
  const ofClass = (wanted: string): string[] =>
    sources.filter(({ classes }) => classes.includes(wanted)).map(({ sourceId }) => sourceId);
  return {
    classificationRule,
    sourceClassCounts: countsOf(sources.map(({ sourceClass }) => sourceClass)),
    authorityRoleCounts: countsOf(sources.map(({ authorityRole }) => authorityRole)),
    claimClassCounts: countsOf(sources.flatMap(({ claimClasses }) => claimClasses)),
    officialOrAdministrativeSourceIds: ofClass('official_or_administrative'),
    independentObservationSourceIds: ofClass('independent_observation'),
    modeledOrAnalyticalSourceIds: ofClass('modeled_or_analytical'),
  };
}

function targetsOf({ observatory: { sources, targetAreas } }: VerifiedProducer): object[] {
  const byId = new Map(sources.map((source) => [source.sourceId, source]));
  return targetAreas.map(({ areaId, label, targets }) => ({
    areaId,
    label,
    targets: targets.map((target) => {
      const own = target.sourceIds.flatMap((id) => byId.get(id) ?? []);
      return {
        ...pick(target, 'targetId', 'label', 'targetType', 'evidenceStatus', 'requiredCoverage'),
        sourceReadiness: readinessOf(own),
        sources: own.map((source) => ({
          ...pick(source, 'sourceId', 'implementationState', 'sourceClass', 'authorityRole'),
          ...pick(source, 'rightsStatus', 'claimClasses'),
        })),
      };
    }),
  }));
}

/** How many sources there are and how ready they are; a state without a source counts 0. */
function readinessOf(sources: readonly RegisterSource[]): object {
  const states = countsOf(sources.map(({ implementationState }) => implementationState));
  const none = Object.fromEntries(STATES.map((state) => [state, 0]));
  return {
    sourceCount: sources.length,
    buildReadySourceCount: sources.filter(isBuildReady).length,
    implementationStates: { ...none, ...states },
  };
}

function fileOf(files: readonly FileDescriptor[], path: string): FileDescriptor {
  const file = files.find((candidate) => candidate.path === path);
  if (!file) throw new Error(`the manifest of a verified producer does not list ${path}`);
  return file;
}
