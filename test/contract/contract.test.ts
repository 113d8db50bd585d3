/** One contract at every door: what is asked, what must be answered. Runs at call, REST in process and a served port. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { responseSchema, errorSchema } from '../../build/render/schemas.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { validator, type Validator } from '../../shim/core/schema.ts';
import { callDoor, portDoor, restDoor, type Door } from '../_support/doors.ts';

/** [requirement, request, status, what the body must show]. */
type Case = [id: string, target: string, status: number, shows: RegExp];

const REFUSED: Case[] = [
  ['REST-PARAM', '/api/v1/atlas?iso3=mex', 400, /iso3.*mex.*three capital letters/],
  ['REST-PARAM', '/api/v1/atlas?iso3=MEXX', 400, /iso3/],
  ['REST-PARAM', '/api/v1/atlas?year=02020', 400, /year.*02020/],
  ['REST-PARAM', '/api/v1/atlas?year=1899', 400, /year.*1899.*1900 to 2200/],
  ['REST-PARAM', '/api/v1/atlas?domain=everything', 400, /domain.*firearms_tracing/],
  ['REST-PARAM', '/api/v1/atlas?limit=101', 400, /limit.*101.*1 to 100/],
  ['REST-PARAM', '/api/v1/atlas?limit=5junk', 400, /limit.*5junk/],
  ['REST-PARAM', '/api/v1/atlas?limit=1.0', 400, /limit.*1\.0/],
  ['REST-PARAM', '/api/v1/atlas?limit=', 400, /limit/],
  ['REST-PARAM', '/api/v1/atlas?limit=0', 400, /limit/],
  ['REST-PARAM', '/api/v1/atlas?limit=-1', 400, /limit/],
  ['REST-PARAM', '/api/v1/atlas?limit=+5', 400, /limit/],
  ['REST-PARAM', '/api/v1/atlas?limit', 400, /limit/],
  ['REST-PARAM', '/api/v1/atlas?limit=5&limit=5', 400, /limit.*more than once/],
  ['REST-PARAM', '/api/v1/atlas?country=MEX', 400, /country.*accepts.*iso3/],
  ['REST-PARAM', '/api/v1/atlas?iso3=', 400, /iso3/],
  ['REST-PARAM', '/api/v1/atlas?__proto__=1', 400, /__proto__/],
  ['REST-PARAM', '/api/v1/atlas?=1', 400, /Unknown parameter/],
  ['REST-PARAM', '/api/v1/atlas?iso3=%ff', 400, /UTF-8/],
  ['REST-PARAM', '/api/v1/entities?query=%00', 400, /query/],
  ['REST-PARAM', '/api/v1/entities?query=a%00b', 400, /NUL/],
  ['REST-PARAM', '/api/v1/entities?query=', 400, /query/],
  ['REST-PARAM', '/api/v1/entities?query=---', 400, /query.*letter or digit/],
  ['REST-PARAM', `/api/v1/entities?query=${'a'.repeat(121)}`, 400, /query.*120/],
  ['REST-PARAM', '/api/v1/entities?program=SDN', 400, /program.*SDNTK/],
  ['REST-PARAM', '/api/v1/market-observations?limit=501', 400, /limit.*1 to 500/],
  ['MARKETS-IDS', '/api/v1/market-observations?dataset=nope', 400, /dataset.*nope.*catalog/],
  ['MARKETS-IDS', '/api/v1/market-observations?indicator=nope', 400, /indicator.*nope.*catalog/],
  ['MARKETS-IDS', '/api/v1/market-observations?dataset=national-indicators', 400, /dataset/],
  ['MARKETS-PERIOD', '/api/v1/market-observations?from=2021&to=2020', 400, /from.*2021.*2020/],
  ['MARKETS-PERIOD', '/api/v1/market-observations?from=2020-06&to=2020-05', 400, /from/],
  ['MARKETS-PERIOD', '/api/v1/market-observations?from=2020-13', 400, /from.*2020-13/],
  ['MARKETS-PERIOD', '/api/v1/market-observations?from=20', 400, /from/],
  ['REST-PARAM', '/api/v1/capabilities?x=1', 400, /none/],
  ['REST-PARAM', '/api/v1/markets?limit=1', 400, /Unknown parameter "limit"/],
  ['CURSOR', '/api/v1/atlas?cursor=abc', 400, /cursor/],
  ['CURSOR', '/api/v1/atlas?cursor=', 400, /cursor/],
  ['CURSOR', '/api/v1/atlas?cursor=a%2Bb', 400, /cursor/],
];

const ANSWERED: Case[] = [
  ['CAPABILITIES', '/api/v1/capabilities', 200, /"version":"1\.6\.0"/],
  ['MARKETS-CATALOG', '/api/v1/markets', 200, /svc\.global-market-catalog\.v1/],
  ['MARKETS-PAGE', '/api/v1/market-observations', 200, /"limit":200,/],
  ['MARKETS-PAGE', '/api/v1/market-observations?limit=500', 200, /"returned":500,/],
  [
    'MARKETS-PAGE',
    '/api/v1/market-observations?geo=ZZZ',
    200,
    /"matched":0,"returned":0,"has_more":false,"next_cursor":null/,
  ],
  ['MARKETS-EMPTY', '/api/v1/market-observations?category=&limit=1', 200, /"category":""/],
  ['MARKETS-EMPTY', '/api/v1/market-observations?subgroup=&limit=1', 200, /"subgroup":""/],
  ['MARKETS-PERIOD', '/api/v1/market-observations?from=2020-01&limit=1', 200, /"matched":0,/],
  ['MARKETS-PERIOD', '/api/v1/market-observations?from=2020&to=2020&limit=1', 200, /"period":"2020"/],
  ['ATLAS', '/api/v1/atlas', 200, /"limit":50,/],
  ['ATLAS', '/api/v1/atlas?domain=organized_crime&iso3=MEX', 200, /"matched":3,/],
  ['ATLAS', '/api/v1/atlas?domain=organized_crime&year=2022', 200, /"matched":0,/],
  ['ATLAS-QUERY', '/api/v1/atlas?year=2021', 200, /"query":\{"domain":"all","iso3":null,"year":2021\}/],
  [
    'ENTITIES',
    '/api/v1/entities',
    200,
    /"query":\{"entity_type":null,"program":null,"country":null,"query":null\}/,
  ],
  [
    'ENTITIES',
    '/api/v1/entities?entity_type=individual&program=SDNTK&limit=1',
    200,
    /"entity_type":"individual"/,
  ],
  ['ENTITIES-COUNTRY', '/api/v1/entities?country=mexico&limit=1', 200, /"Mexico"/],
  ['ENTITIES-COUNTRY', '/api/v1/entities?country=MX&limit=1', 200, /"Mexico"/],
  ['ENTITIES-COUNTRY', '/api/v1/entities?country=MEX&limit=1', 200, /"Mexico"/],
  ['ENTITIES-COUNTRY', '/api/v1/entities?country=Atlantis', 200, /"matched":0,/],
  ['BRI', '/api/v1/producerp-bri', 200, /svc\.api\.producerp-bri-envelope\.v1/],
  ['CORRIDORS', '/api/v1/producerp-corridors', 200, /svc\.api\.producerp-corridors\.v1/],
];

const doors: Record<string, Door> = {};
beforeAll(async () => {
  for (const door of [callDoor(), restDoor(), await portDoor()]) doors[door.name] = door;
});
afterAll(async () => {
  for (const door of Object.values(doors)) await door.close();
});

const isError = validator(errorSchema());
const responses = new Map(
  OPERATIONS.map((operation) => [operation.name, validator(responseSchema(operation))]),
);

function validatorOf(resource: string): Validator {
  const found = responses.get(resource);
  if (!found) throw new Error(`no resource ${resource}`);
  return found;
}

describe.each(['call', 'rest', 'port'])('at the door %s', (name) => {
  const ask = async (target: string): Promise<{ status: number; text: string }> => {
    const door = doors[name];
    if (!door) throw new Error(`no door ${name}`);
    return door.ask(target);
  };

  test.each(REFUSED)('[%s] %s is refused', async (_id, target, status, shows) => {
    const answer = await ask(target);
    expect(answer.status).toBe(status);
    const body = JSON.parse(answer.text) as { error: string; message: string };
    expect(isError(body)).toBeNull();
    expect(body.error).toBe('invalid_request');
    expect(body.message).toMatch(shows);
  });

  test.each(ANSWERED)('[%s] %s is answered and valid', async (_id, target, status, shows) => {
    const answer = await ask(target);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(shows);
    const body = JSON.parse(answer.text) as { resource: string };
    expect(validatorOf(body.resource)(body)).toBeNull();
  });
});

test('[DOORS] every door answers the same bytes', async () => {
  for (const [, target] of [...REFUSED, ...ANSWERED]) {
    const texts = await Promise.all(Object.values(doors).map(async (door) => (await door.ask(target)).text));
    expect(new Set(texts).size, target).toBe(1);
  }
});

test('[RESOURCES] the resources and tools are those of the contract', () => {
  expect(OPERATIONS.map(({ name }) => name)).toEqual([
    'capabilities',
    'markets',
    'market-observations',
    'atlas',
    'entities',
    'federation',
    'producerp-corridors',
    'producerp-bri',
  ]);
  expect(OPERATIONS.flatMap(({ tool }) => tool ?? []).sort()).toEqual([
    'get_atlas',
    'get_entities',
    'get_federation',
    'get_market_catalog',
    'get_producerp_bri_context',
    'get_producerp_corridors',
    'query_market_observations',
  ]);
});
