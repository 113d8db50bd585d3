/**
 * The infrastructure-context artifact, data/svc-producerp-bri-v1.json: a pure function of a verified release and of the
 * bytes of its own schema. It restates the release in the members service.md names and adds no fact of its own; whether
 * the producer's addresses answer is not its business.
 */
import {
  DATA,
  FILES,
  PIN_PATH,
  type FileDescriptor,
  type SourceClass,
  type VerifiedRelease,
} from './contract.ts';
import { counts, isBuildReady, stateCounts } from './readiness.ts';
import { publishedAt } from './verify.ts';
import { sha256Hex } from './hash.ts';
import { BRI_ARTIFACT, BRI_SCHEMA } from '../../shim/core/paths.ts';
import { jsonArtifact, type Artifact } from '../lib/tree.ts';
import { LIMITATIONS, SCOPE, USE_POLICY } from './policy.ts';

/** The constant `$id` of the artifact's schema. */
export const BRI_SCHEMA_ID = 'urn:svc:schema:svc.producerp.bri-context.v1';

/** Renders the artifact and its schema. `schemaBytes` are those of schemas/svc-producerp-bri-v1.schema.json, byte for byte. */
export function renderBriArtifact(release: VerifiedRelease, schemaBytes: Uint8Array): Artifact[] {
  const { economics } = release;
  const artifact = {
    $schema: './svc-producerp-bri-v1.schema.json',
    schemaVersion: 'svc.producerp.bri-context.v1',
    artifactId: 'svc.producerp.bri-parallel-context',
    dataAsOf: economics.clocks.retrievedAt,
    scope: SCOPE,
    provenance: provenanceOf(release, schemaBytes),
    sourceReadiness: readinessOf(release),
    claimSemantics: claimsOf(release),
    targetCoverage: targetsOf(release),
    economicContext: {
      schemaVersion: economics.schemaVersion,
      generatedAt: economics.generatedAt,
      collectionId: economics.collectionId,
      source: economics.source,
      rights: economics.rights,
      clocks: economics.clocks,
      hashPointers: economics.hashPointers,
      contextPolicy: economics.contextPolicy,
      coverage: economics.coverage,
    },
    usePolicy: USE_POLICY,
    limitations: LIMITATIONS,
  };
  return [jsonArtifact(BRI_ARTIFACT, artifact), { path: BRI_SCHEMA, bytes: schemaBytes }];
}

function provenanceOf(
  { pin, receipt, receiptFile, pages, pagesFile, files }: VerifiedRelease,
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
      sha256: sha256Hex(schemaBytes),
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

function readinessOf({ observatory: { sources, buildReadyGaps } }: VerifiedRelease): object {
  return {
    sourceCount: sources.length,
    buildReadySourceCount: sources.filter(isBuildReady).length,
    implementationStates: stateCounts(sources),
    rightsStatusCounts: counts(sources.map(({ rightsGroup }) => rightsGroup)),
    buildReadyGaps,
  };
}

function claimsOf({ observatory: { classificationRule, sources } }: VerifiedRelease): object {
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

function targetsOf({ observatory: { sources, targetAreas } }: VerifiedRelease): object[] {
  const byId = new Map(sources.map((source) => [source.sourceId, source]));
  return targetAreas.map(({ areaId, label, targets }) => ({
    areaId,
    label,
    targets: targets.map((target) => {
      const own = target.sourceIds.flatMap((id) => byId.get(id) ?? []);
      return {
        targetId: target.targetId,
        label: target.label,
        targetType: target.targetType,
        evidenceStatus: target.evidenceStatus,
        requiredCoverage: target.requiredCoverage,
        sourceReadiness: {
          sourceCount: own.length,
          buildReadySourceCount: own.filter(isBuildReady).length,
          implementationStates: stateCounts(own),
        },
        sources: own.map(
          ({ sourceId, implementationState, sourceClass, authorityRole, rightsStatus, claimClasses }) => ({
            sourceId,
            implementationState,
            sourceClass,
            authorityRole,
            rightsStatus,
            claimClasses,
          }),
        ),
      };
    }),
  }));
}
