/** A parameter that a resource does not have: the refusal names the one that was meant, and none where nothing is near. */
import { expect, test } from 'vitest';
import { readQuery } from '../../shim/core/call.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import otherNames from '../../shim/core/parameter-names.json' with { type: 'json' };
import { restAnswer, testContext, operationNamed } from '../_support/doors.ts';

const context = testContext();

async function closestTo(given: string, resource: string): Promise<string | null> {
  const operation = operationNamed(resource);
  const { status, body } = await restAnswer(operation, () => readQuery(operation, `?${given}=x`), context);
  expect([status, body['message']]).toEqual([400, expect.stringContaining(`Unknown parameter "${given}"`)]);
  return /; closest: "([^"]*)"/.exec(String(body['message']))?.[1] ?? null;
}

test.each([
  ['market-observations', 'country', 'geo'],
  ['market-observations', 'Country', 'geo'],
  ['market-observations', 'countryCode', 'geo'],
  ['market-observations', 'country-code', 'geo'],
  ['market-observations', 'iso3', 'geo'],
  ['market-observations', 'year', 'from'],
  ['market-observations', 'start', 'from'],
  ['market-observations', 'start_date', 'from'],
  ['market-observations', 'end', 'to'],
  ['market-observations', 'until', 'to'],
  ['market-observations', 'asOf', 'as_of'],
  ['market-observations', 'edition', 'as_of'],
  ['market-observations', 'data_set', 'dataset'],
  ['market-observations', 'datasets', 'dataset'],
  ['market-observations', 'indicater', 'indicator'],
  ['market-observations', 'sub_group', 'subgroup'],
  ['market-observations', 'drug', 'category'],
  ['market-observations', 'page', 'cursor'],
  ['market-observations', 'offset', 'cursor'],
  ['market-observations', 'page_size', 'limit'],
  ['market-observations', 'pageSize', 'limit'],
  ['series', 'q', 'query'],
  ['series', 'search', 'query'],
  ['revisions', 'from', 'since'],
  ['revisions', 'to', 'until'],
  ['revisions', 'type', 'kind'],
  ['atlas', 'country', 'iso3'],
  ['atlas', 'geo', 'iso3'],
  ['atlas', 'from', 'year'],
  ['atlas', 'to', 'year'],
  ['entities', 'name', 'query'],
  ['entities', 'type', 'entity_type'],
  ['entities', 'programme', 'program'],
  ['entities', 'iso3', 'country'],
  ['federation', 'lanes', 'lane'],
])('%s?%s= is taken for a slip: the closest is %s', async (resource, given, closest) => {
  expect(await closestTo(given, resource)).toBe(closest);
});

test.each([
  ['market-observations', 'resource'],
  ['market-observations', 'response'],
  ['market-observations', 'x'],
  ['market-observations', 'cell'],
  ['market-observations', 'catalog'],
  ['market-observations', 'format'],
  ['market-observations', 'lang'],
  ['market-observations', 'sort'],
  ['market-observations', 'callback'],
  ['market-observations', 'utm_source'],
  ['market-observations', 'constructor'],
  ['series', 'germany'],
  ['series', 'heroin'],
  ['entities', 'case'],
  ['federation', 'api_key'],
  ['capabilities', 'query'],
])('%s?%s= is close to nothing, and nothing is suggested', async (resource, given) => {
  expect(await closestTo(given, resource)).toBeNull();
});

test('the other names are those of parameters that there are', () => {
  const names = OPERATIONS.flatMap(({ parameters }) => parameters.map(({ name }) => name));
  expect(Object.keys(otherNames).filter((name) => !names.includes(name))).toEqual([]);
});
