/** The response as a whole: status, envelope, what passes through untouched, and the two local lanes. */
import { createHash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { behaviourOf } from '../../build/stand-in/behaviours.ts';
import { moneyMarkets, validPayload, worldMarkets } from '../../build/stand-in/responses.ts';
import { startUpstream } from '../../build/stand-in/server.ts';
import { readInput } from '../../shim/core/call.ts';
import { LANES, LANE_FAULTS } from '../../shim/core/lanes.ts';
import { federation } from '../../shim/core/operations/federation.ts';
import { BRI_ARTIFACT, NEWSWIRE_RECEIPT } from '../../shim/core/paths.ts';
import { validator } from '../../shim/core/schema.ts';
import type { Context, FederationPeer, JsonObject, Release } from '../../shim/core/types.ts';
import { documentStore } from '../_support/documents.ts';
import { restAnswer, testApp } from '../_support/doors.ts';
import { NOW, artifacts, peerOf } from '../_support/federation.ts';
import { builtStore, TEST_SITE } from '../_support/tree.ts';
import { words } from '../_support/words.ts';

/** The values of parameter `lane`, as the operation lists them. */
const LANE_CHOICES = federation.parameters[0]?.schema['enum'] as string[];

const upstream = await startUpstream();
const release = documentStore(artifacts());
const live = LANES.flatMap((lane) => (lane.kind === 'live' ? [lane] : []));
afterAll(() => upstream.close());
beforeEach(() => {
  for (const { path } of live) upstream.behave(path, behaviourOf('valid'));
});

interface Answered {
  status: number;
  body: { ok: boolean; message?: string; data: JsonObject & { status: string } };
  lanes: Map<string, Record<string, unknown>>;
}

const contextOf = (from: Release, peer?: FederationPeer): Context => ({
  settings: { siteUrl: 'https://evidence.example' },
  release: from,
  federation: peer,
});

async function ask(
  lane: string | null,
  peer: FederationPeer | null,
  from: Release = release,
): Promise<Answered> {
  const context = contextOf(from, peer ?? undefined);
  const answer = await restAnswer(federation, lane === null ? {} : { lane }, context);
  const body = answer.body as Answered['body'];
  expect(validator(federation.output)(body.data)).toBeNull();
  const lanes = body.data['lanes'] as Record<string, unknown>[];
  return { status: answer.status, body, lanes: new Map(lanes.map((each) => [String(each['id']), each])) };
}

test('retrieved_at of a lane is the moment its body was read', async () => {
  let clock = Date.parse('2026-08-01T12:00:00.000Z');
  const effects = { now: () => (clock += 1000) };
  const { body, lanes } = await ask('producers-summary', peerOf(upstream.origin, { release, effects }));
  const read = String(lanes.get('producers-summary')?.['retrieved_at']);
  expect(read > '2026-08-01T12:00:01.000Z').toBe(true);
  expect(String(body.data['retrieved_at']) >= read).toBe(true);
});

test('an address that only the operator can set is not tried again', async () => {
  const { status, body } = await ask('producers-summary', peerOf(null, { release }));
  expect(status).toBe(503);
  expect(body.message).not.toMatch(/try again/i);
  const app = testApp();
  const response = await app.fetch(new Request(`${TEST_SITE}/api/v1/federation?lane=producers-summary`));
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, null]);
});

describe('[FED-STATUS] status', () => {
  test('all lanes valid: 200 available, in the order of ids', async () => {
    const { status, body, lanes } = await ask(null, peerOf(upstream.origin, { release }));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      resource: 'federation',
      data: { status: 'available', retrieved_at: NOW },
    });
    expect([...lanes.keys()]).toEqual(LANES.map(({ id }) => id));
    expect([...lanes.values()].map(({ error }) => error)).toEqual(Array(6).fill(null));
  });

  test('[FED-INDEPENDENT] one failing lane: 200 partial, the others untouched by it', async () => {
    upstream.behave('/api/v2/money-markets', behaviourOf('500'));
    const { status, body, lanes } = await ask('all', peerOf(upstream.origin, { release }));
    expect([status, body.data.status]).toEqual([200, 'partial']);
    const [failing, sound] = [lanes.get('producers-global-money-atlas'), lanes.get('producers-summary')];
    expect([failing, sound]).toMatchObject([{ error: { code: 'upstream_http_error' } }, { error: null }]);
  });

  test('none: 503 with the errors of the lanes', async () => {
    for (const { path } of live) upstream.behave(path, behaviourOf('404'));
    const { status, body } = await ask('all', peerOf(upstream.origin));
    expect(status).toBe(503);
    expect(Object.keys(body)).toEqual(['ok', 'resource', 'error', 'message', 'data']);
    expect(body).toMatchObject({ ok: false, resource: 'federation', error: 'unavailable' });
    expect(body.message).toContain('producers-summary: upstream_http_error');
    expect(body.data.status).toBe('unavailable');
  });

  test.each(live.map(({ id, path }) => [id, path]))(
    '[FED-ONE-GET] %s alone requests %s and nothing else',
    async (id, path) => {
      const before = upstream.requests.length;
      const { status, body, lanes } = await ask(id, peerOf(upstream.origin, { release }));
      expect(status).toBe(200);
      expect([...lanes.keys()]).toEqual([id]);
      expect(body.data['query']).toEqual({ lane: id });
      expect(upstream.requests.slice(before)).toEqual([`GET ${path}`]);
    },
  );

  test('[FED-UNSET] unset base URL: partial with the local lanes, and no request is sent', async () => {
    const { status, body, lanes } = await ask('all', peerOf(null, { release }));
    expect([status, body.data.status]).toEqual([200, 'partial']);
    for (const { id, path } of live)
      expect(lanes.get(id)).toMatchObject({
        source_url: `https://producers.invalid${path}`,
        error: { code: 'upstream_not_configured' },
        transport: null,
      });
    expect((await ask('producers-summary', peerOf(null, { release }))).status).toBe(503);
  });

  test('without a peer the same, dated by the packaged data', async () => {
    const { status, body } = await ask('all', null);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'partial', retrieved_at: '2026-07-01T00:00:00Z' });
  });

  test('[FED-RESTRICTED] restricted is not an error', async () => {
    const { status, lanes } = await ask('producerp-newswire-rights', peerOf(null, { release }));
    expect(status).toBe(200);
    expect(lanes.get('producerp-newswire-rights')).toMatchObject({
      availability: 'restricted',
      evidence_status: 'restricted',
      error: null,
    });
  });

  test('is never a static page, and refuses other lanes', () => {
    const context = contextOf(release);
    expect(federation.prerender(context)).toEqual([]);
    expect(federation.freshness).toBe('live');
    expect(() => readInput(federation, { lane: 'producers' })).toThrow(/expected one of all, producerp-bri/);
  });

  test('the payload for an answer that could not be made', () => {
    const context = contextOf(release);
    for (const lane of LANE_CHOICES) {
      const payload = federation.unavailable?.({ lane }, context, 'It is closed.');
      expect(validator(federation.output)(payload)).toBeNull();
      expect(payload).toMatchObject({ status: 'unavailable', query: { lane } });
      const lanes = (payload?.['lanes'] ?? []) as { id: string; source_url: string }[];
      expect(lanes).not.toEqual([]);
      for (const { id, source_url } of lanes)
        expect(source_url).toMatch(
          id.startsWith('producerp')
            ? /^https:\/\/producerp\.example\/$/
            : /^https:\/\/producers\.invalid\/api\//,
        );
    }
  });
});

describe('a live lane', () => {
  test('[FED-PASS] passes the payload, its clocks, scope and citation through untouched', async () => {
    const valid = worldMarkets('summary');
    const { lanes } = await ask('producers-summary', peerOf(upstream.origin));
    expect(lanes.get('producers-summary')).toMatchObject({
      product: 'ProducerS',
      availability: 'available',
      evidence_status: 'observed',
      upstream_schema: 'producers.world-markets.v1',
      upstream_status: 'observed',
      source_url: `${upstream.origin}/api/v2/world-markets?section=summary`,
      retrieved_at: NOW,
      clocks: valid['clocks'],
      scope: valid['scope'],
      citation: valid['citation'],
    });
    expect(lanes.get('producers-summary')?.['data']).toEqual(valid);
  });

  test('[FED-NULL] keeps null and zero apart', async () => {
    const { lanes } = await ask('producers-capital-markets', peerOf(upstream.origin));
    expect(lanes.get('producers-capital-markets')?.['data']).toMatchObject({
      capital_markets: { rows: [{ value: 0 }, { value: null }, { value: 2.25 }] },
    });
  });

  test('keeps size and sha256 of the body', async () => {
    const body = JSON.stringify(
      validPayload(new URL('/api/v2/world-markets?section=summary', upstream.origin)),
    );
    const { lanes } = await ask('producers-summary', peerOf(upstream.origin));
    expect(lanes.get('producers-summary')?.['transport']).toEqual({
      method: 'GET',
      attempts: 1,
      timeout_ms: 15_000,
      max_response_bytes: 2_000_000,
      bytes: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
      http_status: 200,
    });
  });

  test('[FED-PASS] of the money-markets atlas tells its publication boundary and caveats', async () => {
    const { generated_at, methodology, caveats } = moneyMarkets();
    const { lanes } = await ask('producers-global-money-atlas', peerOf(upstream.origin));
    expect(lanes.get('producers-global-money-atlas')).toMatchObject({
      evidence_status: 'derived',
      upstream_status: 'PARTIAL',
      clocks: { generated_at },
      scope: { ...(methodology as object), caveats },
      citation: { publisher: 'ProducerS', generated_at },
    });
  });
});

describe('the local lanes', () => {
  const changedStore = (path: string, bytes: Uint8Array | null): Release => {
    const files = artifacts();
    if (bytes) files.set(path, bytes);
    else files.delete(path);
    return documentStore(files);
  };

  /** The receipt with a change of its text, a byte for each character. */
  const changedReceipt = (change: (text: string) => string): Uint8Array =>
    Buffer.from(change(Buffer.from(release.document(NEWSWIRE_RECEIPT)).toString('latin1')), 'latin1');

  test('[FED-NEWSWIRE] a receipt of the largest size is read', async () => {
    const padded = changedStore(
      NEWSWIRE_RECEIPT,
      changedReceipt((text) => text.padEnd(16_384)),
    );
    const { lanes } = await ask('producerp-newswire-rights', peerOf(null, { release: padded }), padded);
    expect(lanes.get('producerp-newswire-rights')).toMatchObject({
      error: null,
      transport: { bytes: 16_384 },
    });
  });

  test('[FED-NEWSWIRE] the newswire receipt is carried whole and nothing else', async () => {
    const { lanes } = await ask('producerp-newswire-rights', peerOf(null, { release }));
    const lane = lanes.get('producerp-newswire-rights');
    const receipt: unknown = JSON.parse(new TextDecoder().decode(release.document(NEWSWIRE_RECEIPT)));
    expect(lane?.['data']).toEqual(receipt);
    expect(lane?.['source_url']).toMatch(/^https:\/\/producerp\.example\//);
    expect(JSON.stringify(lane).length).toBeLessThan(4000);
  });

  test('the infrastructure lane is a summary that leads to the artifact', async () => {
    const { lanes } = await ask('producerp-bri', peerOf(null, { release }));
    const lane = lanes.get('producerp-bri');
    const bytes = release.document(BRI_ARTIFACT);
    expect(lane).toMatchObject({
      product: 'ProducerP',
      availability: 'available',
      evidence_status: 'structural',
      transport: { method: 'verified_release', attempts: 0, timeout_ms: null, http_status: null },
      data: {
        sha256: createHash('sha256').update(bytes).digest('hex'),
        bytes: bytes.length,
        links: { artifact: `https://evidence.example/${BRI_ARTIFACT}` },
      },
    });
    expect(lane?.['source_url']).toMatch(/^https:\/\/producerp\.example\//);
    expect(JSON.stringify(lane)).not.toContain('"indicators":[');
    const { targetCoverage } = JSON.parse(new TextDecoder().decode(bytes)) as {
      targetCoverage: { areaId: string; targets: { sources: { sourceId: string }[] }[] }[];
    };
    const areas = targetCoverage.map(({ areaId, targets }) => ({
      areaId,
      targetCount: targets.length,
      sourceIds: [...new Set(targets.flatMap(({ sources }) => sources.map(({ sourceId }) => sourceId)))],
    }));
    expect(lane).toMatchObject({ data: { targetAreas: areas } });
  });

  test.each([
    ['missing', BRI_ARTIFACT, null],
    ['not JSON', BRI_ARTIFACT, Buffer.from('{')],
    ['of another schema', BRI_ARTIFACT, Buffer.from('{}')],
    ['missing', NEWSWIRE_RECEIPT, null],
    ['of another schema', NEWSWIRE_RECEIPT, Buffer.from('{"status":"restricted"}')],
    [
      'not UTF-8',
      NEWSWIRE_RECEIPT,
      changedReceipt((text) => text.replace('"semantics":"', '"semantics":"\xff')),
    ],
    ['too large', NEWSWIRE_RECEIPT, changedReceipt((text) => text.padEnd(16_385))],
  ])('%s: %s is pinned_artifact_unavailable', async (_what, path, bytes) => {
    // The receipt is admitted by the infrastructure context: without it both lanes are unavailable, not the other way.
    const broken = ['producerp-newswire-rights', ...(path === BRI_ARTIFACT ? ['producerp-bri'] : [])];
    const damaged = changedStore(path, bytes);
    const { status, lanes } = await ask('all', peerOf(null, { release: damaged }), damaged);
    expect(status).toBe(path === BRI_ARTIFACT ? 503 : 200);
    for (const id of ['producerp-bri', 'producerp-newswire-rights']) {
      const fails = broken.includes(id);
      expect(lanes.get(id)).toMatchObject(
        fails ? { error: { code: 'pinned_artifact_unavailable' }, data: null } : { error: null },
      );
      expect((await ask(id, peerOf(null, { release: damaged }), damaged)).status).toBe(fails ? 503 : 200);
    }
  });

  test('of the packaged release keep the default answer small', async () => {
    const packaged = builtStore();
    const { body, lanes } = await ask(null, peerOf(upstream.origin, { release: packaged }), packaged);
    expect(body.data.status).toBe('available');
    for (const id of ['producerp-bri', 'producerp-newswire-rights'])
      expect(lanes.get(id)?.['error']).toBeNull();
    const local = [lanes.get('producerp-bri'), lanes.get('producerp-newswire-rights')];
    expect(JSON.stringify(local).length).toBeLessThan(20_000);
    expect(JSON.stringify(body.data).length).toBeLessThan(80_000);
  });
});

test('every lane, fault and choice is in the schema', () => {
  const defs = federation.output['$defs'] as {
    error: { properties: { code: { enum: string[] } } };
    lane: { properties: { id: { enum: string[] } } };
  };
  expect(defs.error.properties.code.enum).toEqual(Object.keys(LANE_FAULTS));
  expect(defs.lane.properties.id.enum).toEqual(LANES.map(({ id }) => id));
  expect(['all', ...LANES.map(({ id }) => id)]).toEqual(LANE_CHOICES);
  expect(LANE_CHOICES).toEqual(
    words(`all producerp-bri producerp-newswire-rights
    producers-capital-markets producers-global-money-atlas producers-money-markets producers-summary`),
  );
});
