/**
 * What is published of the verified producer: the infrastructure-context artifact, data/svc-producerp-bri-v1.json, and the receipt of
 * the newswire lane, data/svc-producerp-newswire-rights-v1.json. Both restate the producer's files and add no fact of their own;
 * whether the producer's addresses can be reached is not checked.
 */
import { BRI_ARTIFACT, BRI_SCHEMA, NEWSWIRE_RECEIPT } from '../../shim/core/paths.ts';
import { sha256 } from '../lib/hash.ts';
import { jsonArtifact, type Artifact } from '../lib/tree.ts';
import { DATA, FILES, PIN_PATH } from './contract.ts';
import type { FileDescriptor, RegisterSource, SourceClass, VerifiedProducer } from './contract.ts';
import { publishedAt } from './hash.ts';
import { isBuildReady } from './register.ts';
import allTexts from './texts.json' with { type: 'json' };

/** The constant `$id` of the artifact's schema. */
export const BRI_SCHEMA_ID = 'urn:svc:schema:svc.producerp.bri-context.v1';

const texts = allTexts.artifact;

/** The artifact, its schema byte for byte, and the newswire receipt; without a verified producer the schema alone. */
export function renderProducer(producer: VerifiedProducer | null, schemaBytes: Uint8Array): Artifact[] {
  const schema = { path: BRI_SCHEMA, bytes: schemaBytes };
  return producer ? [briArtifact(producer, schemaBytes), schema, newswireReceipt(producer)] : [schema];
}

/** `schemaBytes` are those of schemas/svc-producerp-bri-v1.schema.json: the artifact names their hash. */
function briArtifact(producer: VerifiedProducer, schemaBytes: Uint8Array): Artifact {
  const { files: _files, ...context } = producer.economics;
  const artifact = {
    $schema: './svc-producerp-bri-v1.schema.json',
    schemaVersion: 'svc.producerp.bri-context.v1',
    artifactId: 'svc.producerp.bri-parallel-context',
    dataAsOf: context.clocks.retrievedAt,
    scope: texts.scope,
    provenance: provenanceOf(producer, schemaBytes),
    sourceReadiness: readinessOf(producer),
    claimSemantics: claimsOf(producer),
    targetCoverage: targetsOf(producer),
    economicContext: context,
    usePolicy: texts.usePolicy,
    limitations: texts.limitations,
  };
  return jsonArtifact(BRI_ARTIFACT, artifact);
}

/** A receipt of a past restriction: it monitors nothing and repeats no quarantined path. */
function newswireReceipt({ files, newswire, receipt }: VerifiedProducer): Artifact {
  const file = files.find(({ path }) => path === DATA.newswire);
  if (!file) throw new Error(`a verified producer lists ${DATA.newswire}`);
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
  { pin, receipt, receiptFile, pages, pagesFile, files }: VerifiedProducer,
  schemaBytes: Uint8Array,
): object {
  const artifact = (file: FileDescriptor | undefined): object | null =>
    file ? publishedAt(file, receipt.canonicalBaseUrl, receipt.mirrorBaseUrl) : null;
  const ofSchema = (path: string): FileDescriptor | undefined => files.find((file) => file.path === path);
  return {
    producer: 'ProducerP',
    consumer: 'svc',
    sourcePin: {
      path: PIN_PATH,
      schemaVersion: 'svc.producerp.source-pin.v1',
      bytes: pin.bytes,
      sha256: pin.sha256,
    },
    schema: {
      path: BRI_SCHEMA,
      id: BRI_SCHEMA_ID,
      bytes: schemaBytes.length,
      sha256: sha256(schemaBytes),
    },
    release: {
      producer: receipt.producer,
      verificationState: 'release_receipt_validated',
      canonicalBaseUrl: receipt.canonicalBaseUrl,
      mirrorBaseUrl: receipt.mirrorBaseUrl,
      deploymentId: receipt.deploymentId,
      sourceRevision: receipt.sourceRevision,
      sourceTreeOid: receipt.sourceTreeOid,
      artifactTreeSha256: receipt.artifactTreeSha256,
      artifactManifest: receipt.artifactManifest,
      receiptBytes: receiptFile.bytes,
      receiptSha256: receiptFile.sha256,
      verifiedAt: receipt.verifiedAt,
      verificationSemantics: receipt.verificationSemantics,
      pagesPublication: {
        verificationState: 'served_resource_receipt_validated',
        sourceRevision: pages.sourceRevision,
        sourceTreeOid: pages.sourceTreeOid,
        receiptBytes: pagesFile.bytes,
        receiptSha256: pagesFile.sha256,
        verifiedAt: pages.verifiedAt,
        freshUntil: pages.freshUntil,
        availabilitySemantics: pages.availabilitySemantics,
        servedResources: pages.servedResources,
      },
    },
    sourceArtifacts: {
      observatory: artifact(ofSchema(DATA.observatory)),
      economics: artifact(ofSchema(DATA.economics)),
      pagesPublicationReceipt: artifact({ ...pagesFile, path: FILES.pages.replace('release/', '') }),
    },
  };
}

function readinessOf({ observatory: { sources, buildReadyGaps } }: VerifiedProducer): object {
  return {
    ...readinessCounts(sources),
    rightsStatusCounts: counts(sources.map(({ rightsGroup }) => rightsGroup)),
    buildReadyGaps,
  };
}

function claimsOf({ observatory: { classificationRule, sources } }: VerifiedProducer): object {
  const ofClass = (wanted: SourceClass): string[] =>
    sources.filter(({ classes }) => classes.includes(wanted)).map(({ sourceId }) => sourceId);
  return {
    classificationRule,
    sourceClassCounts: counts(sources.map(({ sourceClass }) => sourceClass)),
    authorityRoleCounts: counts(sources.map(({ authorityRole }) => authorityRole)),
    claimClassCounts: counts(sources.flatMap(({ claimClasses }) => claimClasses)),
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
    targets: targets.map(({ sourceIds, ...target }) => {
      const own = sourceIds.flatMap((id) => byId.get(id) ?? []);
      return {
        targetId: target.targetId,
        label: target.label,
        targetType: target.targetType,
        evidenceStatus: target.evidenceStatus,
        requiredCoverage: target.requiredCoverage,
        sourceReadiness: readinessCounts(own),
        sources: own.map((source) => ({
          sourceId: source.sourceId,
          implementationState: source.implementationState,
          sourceClass: source.sourceClass,
          authorityRole: source.authorityRole,
          rightsStatus: source.rightsStatus,
          claimClasses: source.claimClasses,
        })),
      };
    }),
  }));
}

/** How many sources there are and how ready they are; a state without a source counts 0. */
function readinessCounts(sources: readonly RegisterSource[]): object {
  const states = { adapter_ready: 0, blocked: 0, link_only: 0, live: 0, planned: 0 };
  for (const { implementationState } of sources) states[implementationState] += 1;
  return {
    sourceCount: sources.length,
    buildReadySourceCount: sources.filter(isBuildReady).length,
    implementationStates: states,
  };
}

/** How often each word occurs, in the order of first occurrence. */
function counts(words: readonly string[]): Record<string, number> {
  const found = new Map<string, number>();
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
  return Object.fromEntries(found);
}
