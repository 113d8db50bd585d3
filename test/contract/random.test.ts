/** Random requests: no untyped 5xx, no body that is not JSON, every 200 valid against the published schema. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { responseSchemaPath } from '../../shim/core/paths.ts';
import { validator, type Validator } from '../../shim/core/schema.ts';
import type { JsonSchema } from '../../shim/core/types.ts';
import { testApp } from '../_support/doors.ts';
import { description, judge } from '../_support/openapi.ts';
import { casesOf } from '../_support/share.ts';
import { builtTree, TEST_SITE, treeJson } from '../_support/tree.ts';
import { words } from '../_support/words.ts';

const REQUESTS = casesOf(3_000, 1_000);
/** How many of them are compared with openapi.json too. */
const JUDGED = casesOf(1_000, 350);
const CODES = new Set(
  words(`invalid_request stale_cursor not_found method_not_allowed uri_too_long
  unavailable`),
);

const published = new Map<string, Validator>(
  OPERATIONS.map(({ name }) => [name, validator(treeJson<JsonSchema>(responseSchemaPath(name)))]),
);

const described = description();
const judged = judge(described);
const names = [...new Set(OPERATIONS.flatMap(({ parameters }) => parameters.map(({ name }) => name)))];
const values = fc.oneof(
  fc.constantFrom(
    ...words(`MEX COL all organized_crime firearms_tracing 2021 2019 2020-05 SDNTK individual mexico
      seizures drug-seizures Opioids Heroin drugs cocaine+belgium`),
    '',
    ...words(`1 3 0 101 constructor`),
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ maxLength: 6, unit: 'binary' }),
);
const encoded = fc.oneof(
  {
    weight: 5,
    arbitrary: values.map((value) => encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, ''))),
  },
  { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%ff%fe', '%00', '+', '%2B') },
);
const pair = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...names) },
      { weight: 1, arbitrary: fc.constantFrom('x', '__proto__', 'LIMIT') },
    ),
    encoded,
  )
  .map(([name, value]) => `${name}=${value}`);
const resource = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      ...words(`market-observations series atlas entities federation markets capabilities`),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('nope', 'atlas/', 'atlas.json', '..', '%2e%2e', '') },
);
const method = fc.oneof(
  { weight: 10, arbitrary: fc.constant('GET') },
  { weight: 1, arbitrary: fc.constantFrom('HEAD', 'POST', 'DELETE', 'PUT', 'OPTIONS') },
);
const request = fc.tuple(method, resource, fc.array(pair, { maxLength: 3 })).map(([verb, name, query]) => ({
  verb,
  target: `/api/v1/${name}${query.length > 0 ? `?${query.join('&')}` : ''}`,
}));

test(`[RANDOM] [OPENAPI] ${REQUESTS} random requests are answered by the contract and as openapi.json describes`, async () => {
  const crashes: unknown[] = [];
  let judgedRequests = 0;
  const app = testApp(builtTree(), (error) => {
    if (!(error instanceof Error && error.name === 'Fault')) crashes.push(error);
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ verb, target }) => {
      const response = await app.fetch(new Request(`${TEST_SITE}${target}`, { method: verb }));
      const text = await response.text();
      expect(response.headers.get('access-control-allow-origin'), target).toBe('*');
      if (verb === 'OPTIONS' || verb === 'HEAD') return;
      const path = target.split('?')[0] ?? '';
      if (verb === 'GET' && path in described.paths && judgedRequests++ < JUDGED)
        expect(judged(target, response.status, text)).toEqual([]);
      const body = JSON.parse(text) as { ok: boolean; resource: string; error: string };
      if (response.status === 200) {
        expect(published.get(body.resource)?.(body), target).toBeNull();
        return;
      }
      expect(body.ok).toBe(false);
      expect(CODES, `${target} ${text}`).toContain(body.error);
      expect([400, 404, 405, 414, 503]).toContain(response.status);
    }),
    { numRuns: REQUESTS },
  );
  expect(crashes).toEqual([]);
});
