import { deriving } from '../../shim/store/blocks.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../build/lib/tree.ts';
import { BRI_SCHEMA_ID, renderProducer } from '../../build/producer/artifact.ts';
import { CANONICAL_BASE_URL, PIN_PATH, type VerifiedProducer } from '../../build/producer/contract.ts';
import { loadProducer } from '../../build/producer/reference.ts';
import { verifyProducer } from '../../build/producer/verify.ts';
import { realEffects } from '../../build/write/effects.ts';
import { Fault, unavailable } from '../../shim/core/faults.ts';
import { producerpBri } from '../../shim/core/operations/documents.ts';
import { BRI_ARTIFACT, BRI_REGISTRY, BRI_SCHEMA, NEWSWIRE_RECEIPT } from '../../shim/core/paths.ts';
import { validator } from '../../shim/core/schema.ts';
import type { Context, JsonObject } from '../../shim/core/types.ts';
import { referenceProducer } from '../_support/producer.ts';
import envelopeSchema from '../../schemas/producerp-bri.schema.json' with { type: 'json' };
import receiptSchema from '../../schemas/producerp-newswire-receipt.schema.json' with { type: 'json' };
import artifactSchema from '../../schemas/svc-producerp-bri-v1.schema.json' with { type: 'json' };

const schemaBytes = readFileSync('schemas/svc-producerp-bri-v1.schema.json');

function verified(files: ReadonlyMap<string, Uint8Array>): VerifiedProducer {
  const { producer, findings } = verifyProducer(files);
  if (!producer) throw new Error(JSON.stringify(findings));
  return producer;
}

const packaged = verified(loadProducer('datasets', realEffects()));
const [artifactFile, schemaFile] = renderProducer(packaged, schemaBytes);
const artifactBytes = artifactFile?.bytes ?? new Uint8Array();
const parsed = (): JsonObject => JSON.parse(new TextDecoder().decode(artifactBytes)) as JsonObject;

/** The value at a dotted path of the artifact, read-only. */
function at(path: string): unknown {
  return path
    .split('.')
    .reduce((value: unknown, member) => (value as Record<string, unknown>)[member], parsed());
}

/** Violations after setting one dotted path. */
function broken(path: string, value: unknown): boolean {
  const artifact = parsed();
  const members = path.split('.');
  const last = members.pop() ?? '';
  const parent = members.reduce(
    (node, member) => node[member] as Record<string, unknown>,
    artifact as Record<string, unknown>,
  );
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return validator(artifactSchema)(artifact) !== null;
}

describe('[BRI-ARTIFACT] the artifact of the packaged release', () => {
  test('is valid, published with its schema, and small enough for one answer', () => {
    expect(validator(artifactSchema)(parsed())).toBeNull();
    expect([artifactFile?.path, schemaFile?.path]).toEqual([BRI_ARTIFACT, BRI_SCHEMA]);
    expect(schemaFile?.bytes).toBe(schemaBytes);
    expect(artifactBytes.length).toBeLessThan(80_000);
  });

  test('names what it was made from', () => {
    expect(at('provenance.schema')).toEqual({
      path: BRI_SCHEMA,
      id: BRI_SCHEMA_ID,
      bytes: schemaBytes.length,
      sha256: sha256(schemaBytes),
    });
    const pin = readFileSync(PIN_PATH);
    expect(at('provenance.sourcePin')).toMatchObject({
      path: PIN_PATH,
      bytes: pin.length,
      sha256: sha256(pin),
    });
    expect(at('provenance.release.verificationSemantics')).toMatch(
      /reference release.*not the publication of a real producer/,
    );
    const pages = readFileSync('datasets/producerp/release/pages-publication-receipt.json');
    expect(at('provenance.sourceArtifacts.pagesPublicationReceipt')).toMatchObject({
      sha256: sha256(pages),
      canonicalUrl: `${CANONICAL_BASE_URL}/pages-publication-receipt.json`,
    });
    expect(at('economicContext.clocks')).toEqual({
      generatedAt: '2026-07-01T00:00:00Z',
      datasetLastUpdated: '2026-07-01',
      sourceReleaseUpperBound: '2026-07-01T23:59:59Z',
      retrievedAt: '2026-07-01T00:00:00Z',
    });
    expect((at('economicContext.hashPointers.rawResponseSha256s') as string[]).length).toBe(20);
  });

  test('has five areas, three countries, twenty indicators each, and one blocked source', () => {
    const areas = at('targetCoverage') as { areaId: string; targets: { sources: object[] }[] }[];
    expect(areas.map(({ areaId }) => areaId)).toEqual(['cpec', 'gwadar', 'cmec', 'kyaukpyu', 'balochistan']);
    const countries = at('economicContext.coverage.countries') as {
      countryCode: string;
      indicators: object[];
    }[];
    expect(countries.map(({ countryCode, indicators }) => [countryCode, indicators.length])).toEqual([
      ['CHN', 20],
      ['MMR', 20],
      ['PAK', 20],
    ]);
    expect(at('sourceReadiness.implementationStates')).toEqual({
      adapter_ready: 1,
      blocked: 1,
      link_only: 16,
      live: 1,
      planned: 9,
    });
    const blocked = areas
      .flatMap(({ targets }) => targets)
      .flatMap(({ sources }) => sources as { implementationState: string; claimClasses: string[] }[])
      .filter(({ implementationState }) => implementationState === 'blocked');
    expect(blocked.length).toBeGreaterThan(0);
    expect(blocked.every(({ claimClasses }) => claimClasses.length === 0)).toBe(true);
  });
});

describe('[BRI-SCHEMA] the schema refuses', () => {
  test.each<[path: string, value: unknown]>([
    ['extra', 1],
    ['limitations', undefined],
    ['limitations', ['1', '2', '3', '4', '5', '6', '7']],
    ['$schema', 'svc-producerp-bri-v1.schema.json'],
    ['dataAsOf', '2026-07-01'],
    ['provenance.consumer', 'other'],
    ['provenance.release.sourceRevision', 'A'.repeat(40)],
    ['provenance.release.sourceTreeOid', 'a'.repeat(41)],
    ['provenance.release.pagesPublication.servedResources', []],
    ['provenance.sourceArtifacts.observatory.bytes', 0],
    ['sourceReadiness.implementationStates.blocked', undefined],
    ['sourceReadiness.rightsStatusCounts', {}],
    ['claimSemantics.claimClassCounts', { trade: -1 }],
    ['targetCoverage', []],
    ['targetCoverage.0.areaId', 'gwadar'],
    ['targetCoverage.0.targets.0.targetId', 'CPEC'],
    ['targetCoverage.0.targets.0.sources.0.implementationState', 'ready'],
    ['economicContext.coverage.totals.countries', 2],
    ['economicContext.coverage.countries.0.country', 'Pakistan'],
    ['economicContext.coverage.countries.0.indicators.0.observed.fromYear', 1899],
    ['economicContext.coverage.countries.0.indicators.0.unavailable.reasonCounts', undefined],
    ['economicContext.contextPolicy.causalityBoundary', 'evidence'],
    ['usePolicy.prohibitions.guiltInference', 'allowed'],
    ['usePolicy.crossLaneJoinPolicy', 'allowed'],
  ])('%s = %j', (path, value) => {
    expect(broken(path, value)).toBe(true);
  });
});

describe('the operation', () => {
  const context = (documents: Record<string, Uint8Array>): Context => ({
    settings: { siteUrl: 'https://example.org' },
    release: {
      derive: deriving(),
      manifest: () => {
        throw new Error('not asked for');
      },
      pack: () => {
        throw new Error('not asked for');
      },
      document: (path) => {
        const bytes = documents[path];
        if (!bytes) throw unavailable(path);
        return bytes;
      },
      sha256,
    },
  });

  test('[BRI] wraps the artifact as published', async () => {
    const payload = await producerpBri.run({}, context({ [BRI_ARTIFACT]: artifactBytes }));
    expect(validator(envelopeSchema)(payload)).toBeNull();
    expect(payload['data']).toEqual(parsed());
    expect(payload['links']).toEqual({
      canonical: 'https://example.org/data/svc-producerp-bri-v1.json',
      sha256: 'https://example.org/data/svc-producerp-bri-v1.json.sha256',
      schema: 'https://example.org/data/svc-producerp-bri-v1.schema.json',
    });
    expect(producerpBri.prerender(context({}))).toEqual([{}]);
  });

  test('[BRI-UNAVAILABLE] is unavailable without it', () => {
    for (const documents of [{}, { [BRI_ARTIFACT]: Buffer.from('[') }, { [BRI_ARTIFACT]: Buffer.from('[]') }])
      expect(() => producerpBri.run({}, context(documents))).toThrow(
        expect.objectContaining({ code: 'unavailable' }) as Fault,
      );
  });

  test('its schema holds the same artifact as the published schema', () => {
    const { artifact, ...shared } = envelopeSchema.$defs;
    const {
      $schema: _dialect,
      $id: _id,
      title: _title,
      description: _description,
      $defs,
      ...own
    } = artifactSchema;
    expect(artifact).toEqual(own);
    expect(shared).toEqual($defs);
  });
});

test('the registry that names the series is published, and the artifact has its hash', () => {
  const files = renderProducer(verified(referenceProducer()), schemaBytes);
  const [artifact, registry] = [BRI_ARTIFACT, BRI_REGISTRY].map(
    (wanted) => files.find(({ path }) => path === wanted)?.bytes ?? new Uint8Array(),
  );
  const { economicContext, sourceReadiness, targetCoverage } = JSON.parse(
    new TextDecoder().decode(artifact),
  ) as {
    economicContext: {
      hashPointers: { registrySha256: string };
      coverage: { countries: { indicators: { indicatorId: string }[] }[] };
    };
    sourceReadiness: { rightsStatusCounts: Record<string, number> };
    targetCoverage: { targets: { sources: { rightsStatus: string }[] }[] }[];
  };
  expect(sha256(registry ?? '')).toBe(economicContext.hashPointers.registrySha256);
  const { series } = JSON.parse(new TextDecoder().decode(registry)) as {
    series: { indicatorId: string; label: string; unit: string; sourceUrl: string; rawSha256: string }[];
  };
  const ids = economicContext.coverage.countries.flatMap(({ indicators }) =>
    indicators.map(({ indicatorId }) => indicatorId),
  );
  expect(ids.filter((id) => !series.some(({ indicatorId }) => indicatorId === id))).toEqual([]);
  for (const { label, unit, sourceUrl, rawSha256 } of series)
    expect([label, unit, sourceUrl, rawSha256].every((text) => text !== '')).toBe(true);
  const groups = targetCoverage.flatMap(({ targets }) =>
    targets.flatMap(({ sources }) =>
      sources.map(({ rightsStatus }) => [...rightsStatus.matchAll(/\(([^()]*)\)/g)].at(-1)?.[1] ?? ''),
    ),
  );
  const counted = Object.keys(sourceReadiness.rightsStatusCounts);
  expect(groups.filter((group) => group !== '' && !counted.includes(group))).toEqual([]);
});

test('[FED-NEWSWIRE] the newswire receipt names the pinned rights-status artifact, and nothing more', () => {
  const [, , newswire] = renderProducer(verified(referenceProducer()), schemaBytes);
  const { path, bytes } = newswire ?? { path: '', bytes: new Uint8Array() };
  const receipt = JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
  const artifact = referenceProducer().get('release/data/newswire-rights-status.json') ?? new Uint8Array();
  expect(path).toBe(NEWSWIRE_RECEIPT);
  expect(validator(receiptSchema)(receipt)).toBeNull();
  expect(receipt).toMatchObject({
    status: 'restricted',
    url: 'https://producerp.example/data/newswire-rights-status.json',
    bytes: artifact.length,
    sha256: sha256(artifact),
    verified_at: '2026-07-01T00:00:00Z',
  });
  expect(bytes.length).toBeLessThan(2000);
});
