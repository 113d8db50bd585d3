/** [UNAVAILABLE] The 503 of atlas, entities and federation is their unavailable envelope, wherever it comes from. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Fault } from '../../shim/core/faults.ts';
import { validator } from '../../shim/core/schema.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { requestOf } from '../../shim/http/content.ts';
import { failures } from '../../shim/http/failures.ts';
import { testApp, testContext, requestsTo } from '../_support/doors.ts';
import { copyOfTree, treeJson } from '../_support/tree.ts';

const unexpected: unknown[] = [];
const failed = failures(testContext(), (error) => unexpected.push(error));
const BUSY = new Fault('unavailable', 'Too many requests at once. Try again later.');

function violationsOf(resource: string, body: unknown): unknown {
  return validator(treeJson<JsonObject>(`schemas/${resource}.unavailable.schema.json`))(body);
}

function bodyOf(target: string): Record<string, unknown> {
  const { status, body } = failed(
    BUSY,
    requestOf('GET', target, () => null),
  );
  expect(status).toBe(503);
  return JSON.parse(String(Buffer.from(body ?? []))) as Record<string, unknown>;
}

test.each([
  ['atlas', '/api/v1/atlas'],
  ['atlas', '/api/v1/atlas?iso3=MEX&year=2020'],
  ['atlas', '/api/v1/atlas?iso3=nowhere'],
  ['atlas', '/api/v1/atlas.json'],
  ['atlas', '/api/v1/atlas/AAAA.json'],
  ['atlas', '/download/atlas.excel.csv?iso3=MEX'],
  ['entities', '/api/v1/entities?query=x'],
  ['entities', '/download/entities.csv?query=x'],
  ['federation', '/api/v1/federation?lane=producers-summary'],
])('%s: a request that is not worked on, for %s', (resource, target) => {
  const body = bodyOf(target);
  expect(body).toMatchObject({ ok: false, resource, error: 'unavailable', message: BUSY.message });
  expect(violationsOf(resource, body)).toBe(null);
  expect(unexpected).toEqual([]);
});

test('what was asked for is in the envelope', () => {
  const { data } = bodyOf('/api/v1/atlas?iso3=MEX&year=2020');
  expect(data).toMatchObject({ query: { iso3: 'MEX', year: 2020 } });
});

test.each([
  '/api/v1/market-observations?geo=MEX',
  '/api/v1/markets',
  '/api/v1/',
  '/download/nothing.csv',
  '/',
])('the 503 of %s has no payload', (target) => {
  expect(bodyOf(target)).toEqual({ ok: false, error: 'unavailable', message: BUSY.message });
});

test.each(['atlas', 'entities'])('%s: a damaged page by its file name', async (resource) => {
  const path = `api/v1/${resource}.json`;
  const copy = copyOfTree(path);
  writeFileSync(join(copy, path), '{}');
  const response = await requestsTo(testApp(copy))(path);
  expect(response.status).toBe(503);
  expect(violationsOf(resource, await response.json())).toBe(null);
});
