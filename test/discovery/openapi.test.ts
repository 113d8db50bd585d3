/** openapi.json: valid, free of lint, complete, and true of the service. */
import examples from '../../build/render/openapi/examples.json' with { type: 'json' };
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import files from '../../build/render/openapi/files.json' with { type: 'json' };
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { FAULTS } from '../../shim/core/faults.ts';
import { restDoor, testApp } from '../_support/doors.ts';
import { description, judge, responseOf } from '../_support/openapi.ts';
import type { JsonSchema } from '../../shim/core/types.ts';
import { builtTree, filesOfTree, TEST_SITE } from '../_support/tree.ts';
import { words } from '../_support/words.ts';

const described = description();
const judged = judge(described);
const door = restDoor();
const app = testApp();
const file = join(builtTree(), 'openapi.json');

describe('[DISC-OPENAPI] the description itself', () => {
  test('a validator accepts it', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(
      JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>,
    );
    expect([valid, errors]).toEqual([true, undefined]);
    expect(validator.version).toBe('3.1');
  });

  test.each(['recommended', 'recommended-strict'] as const)(
    'a linter reports nothing (%s)',
    async (rules) => {
      const config = await createConfig({ extends: [rules] });
      const problems = await lintFromString({
        source: readFileSync(file, 'utf8'),
        absoluteRef: '/openapi.json',
        config,
      });
      expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
    },
  );

  test('the linter would report a missing operationId and an invalid example', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const damaged = readFileSync(file, 'utf8')
      .replace('"ok":true', '"ok":1')
      .replace('"operationId":', '"x-id":');
    const problems = await lintFromString({ source: damaged, absoluteRef: '/openapi.json', config });
    expect(problems.map(({ ruleId }) => ruleId)).toEqual(
      expect.arrayContaining(['operation-operationId', 'no-invalid-media-type-examples']),
    );
  });

  test('OpenAPI 3.1, version 1.6.0, licence of the code, the site as its one server, under 300 kB', () => {
    expect(described.openapi).toMatch(/^3\.1\./);
    expect(described.info).toMatchObject({ version: '1.6.0', license: { identifier: 'Apache-2.0' } });
    expect(described.info['description']).toMatch(/each source's own licence.*governs reuse/s);
    expect(described.servers.map(({ url }) => url)).toEqual([TEST_SITE]);
    expect(statSync(file).size).toBeLessThan(300_000);
  });
});

describe('[DISC-OPENAPI] what generators of clients need', () => {
  const schemas = described.components.schemas as Record<string, { properties?: Record<string, JsonSchema> }>;

  test('records and errors have names', () => {
    const named = words('Observation AtlasRecord Entity Revision Series Edition ApiError');
    expect(named.filter((name) => schemas[name]?.properties === undefined)).toEqual([]);
    expect(Object.keys(schemas)).not.toContain('Error');
    expect(schemas['ApiError']?.properties?.['error']).toEqual({ type: 'string', enum: Object.keys(FAULTS) });
    const records = schemas['MarketObservationsData']?.properties?.['observations']?.['items'];
    expect(records).toEqual({ $ref: '#/components/schemas/Observation' });
  });

  test('every list of values has a type, no path has a server of its own, and schemas hold no conditions', () => {
    const found: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null || /\/examples?$/.test(path)) return;
      const isSchema = !Array.isArray(value) && !path.endsWith('/properties');
      if (isSchema && ('enum' in value || 'const' in value) && !('type' in value)) found.push(path);
      if (isSchema && ['if', 'contains', 'servers'].some((key) => key in value) && path !== '')
        found.push(path);
      for (const [key, member] of Object.entries(value)) visit(member, `${path}/${key}`);
    };
    visit(described, '');
    expect(found).toEqual([]);
  });

  test('the name of an operation is used once', () => {
    const ids = Object.values(described.paths).map(({ get }) => get.operationId);
    expect(ids).toEqual([...new Set(ids)]);
  });
});

describe('[DISC-OPENAPI] nothing is missing', () => {
  test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
    const get = described.paths[`/api/v1/${name}`]?.get;
    expect(get?.operationId).toBe(operation.tool ?? `get_${name}`);
    expect((get?.parameters ?? []).map((parameter) => [parameter.name, parameter.schema])).toEqual(
      operation.parameters.map((parameter) => [parameter.name, parameter.schema]),
    );
    for (const { name: parameter, description: text, example } of get?.parameters ?? []) {
      expect(text.length).toBeGreaterThan(10);
      // A cursor belongs to one set of filters: none fits the other examples.
      expect([parameter, example !== undefined]).toEqual([parameter, parameter !== 'cursor']);
    }
    expect(Object.keys(get?.responses ?? {})).toEqual(words(`200 304 400 404 405 414 500 503`));
    const success = get?.responses['200'];
    expect(Object.keys(success?.headers ?? {})).toEqual(
      expect.arrayContaining(['ETag', 'Link', 'Cache-Control']),
    );
    expect(Object.keys(success?.content?.['application/json']?.examples ?? {})).not.toEqual([]);
  });

  test('no path under the root but operations, their static pages and published files', () => {
    const names = OPERATIONS.map(({ name }) => `/api/v1/${name}`);
    const own = Object.keys(described.paths).filter((path) => path.startsWith('/api/'));
    expect(own.filter((path) => !path.endsWith('/{cursor}.json'))).toEqual(names);
    for (const path of own.filter((candidate) => candidate.endsWith('/{cursor}.json')))
      expect(names).toContain(path.replace('/{cursor}.json', ''));
  });

  test('every file of the list is published and described', () => {
    expect(Object.keys(described.paths)).toEqual(expect.arrayContaining(files.map(({ path }) => `/${path}`)));
  });

  test('every error code is described for its status and no other', () => {
    const responses = Object.entries(described.paths['/api/v1/markets']?.get.responses ?? {});
    const found = Object.keys(FAULTS).map((code) => [
      code,
      responses.flatMap(([status, response]) => {
        const schema = JSON.stringify(responseOf(described, response).content ?? {});
        return Number(status) >= 400 && schema.includes(`"${code}"`) ? [Number(status)] : [];
      }),
    ]);
    expect(found).toEqual(Object.entries(FAULTS).map(([code, { status }]) => [code, [status]]));
  });
});

test('[DISC-OPENAPI] a 503 has data exactly where the service sends it', () => {
  const withData = OPERATIONS.map(({ name }) => name).filter((name) => {
    const response = described.paths[`/api/v1/${name}`]?.get.responses['503'];
    return response && !('$ref' in response);
  });
  expect(withData.sort()).toEqual(['atlas', 'entities', 'federation']);
});

describe('[DISC-OPENAPI] [OPENAPI] true of the service', () => {
  const targets = OPERATIONS.flatMap(({ name }) => {
    const pairs = (described.paths[`/api/v1/${name}`]?.get.parameters ?? [])
      .filter(({ example }) => example !== undefined)
      .map((parameter) => `${parameter.name}=${encodeURIComponent(String(parameter.example))}`);
    const queries = new Set(['', ...pairs, pairs.join('&')]);
    return [...queries].map((query) => `/api/v1/${name}${query === '' ? '' : `?${query}`}`);
  });

  test.each(targets)('%s returns 200 as described', async (target) => {
    const { status, text } = await door.ask(target);
    expect(status).toBe(200);
    expect(judged(target, status, text)).toEqual([]);
    expect(text).not.toContain('"matched":0,');
  });

  const [SECOND_PAGE = ''] = filesOfTree().filter((path) => /^api\/v1\/atlas\/.*json$/.test(path));
  const cursors = OPERATIONS.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'));
  test.each(cursors.map(({ name }) => name))(
    'the example response of %s comes from a live call',
    async (name) => {
      const example =
        described.paths[`/api/v1/${name}`]?.get.responses['200']?.content?.['application/json']?.examples?.[
          'response'
        ];
      const filters = (examples.filters as Record<string, Record<string, string>>)[name];
      const query = new URLSearchParams({ ...filters, limit: '1' }).toString();
      const { text } = await door.ask(`/api/v1/${name}?${query}`);
      expect(example?.value).toEqual(JSON.parse(text));
    },
  );

  test.each(cursors.map(({ name }) => name))('the example of a page of %s is published', async (name) => {
    const path = `/api/v1/${name}/{cursor}.json`;
    const [cursor] = described.paths[path]?.get.parameters ?? [];
    const target = `/api/v1/${name}/${String(cursor?.example)}.json`;
    const { status, text } = await door.ask(target);
    expect([target, status]).toEqual([target, 200]);
    expect(judged(path, status, text)).toEqual([]);
  });

  test.each([
    ['GET', '/api/v1/markets', 200, '/api/v1/markets'],
    ['GET', '/api/v1/markets?x=1', 400, '/api/v1/markets'],
    ['GET', '/api/v1/market-observations?limit=0', 400, '/api/v1/market-observations'],
    ['GET', '/api/v1/entities?cursor=abc', 400, '/api/v1/entities'],
    ['POST', '/api/v1/markets', 405, '/api/v1/markets'],
    ['GET', `/api/v1/atlas?iso3=${'A'.repeat(9000)}`, 414, '/api/v1/atlas'],
    ['GET', '/api/v1/federation?lane=producers-summary', 503, '/api/v1/federation'],
    ['GET', '/api/v1/atlas/nothing.json', 404, '/api/v1/atlas/{cursor}.json'],
    ['GET', '/data/files.json', 200, '/data/files.json'],
    ['GET', '/news/feed.xml', 200, '/news/feed.xml'],
    ['GET', '/data/files.json', 206, '/data/files.json', 'bytes=0-9'],
    ['GET', '/data/files.json', 416, '/data/files.json', 'bytes=99999999-'],
    ['GET', `/${SECOND_PAGE}`, 206, '/api/v1/atlas/{cursor}.json', 'bytes=0-9'],
    ['GET', `/${SECOND_PAGE}`, 416, '/api/v1/atlas/{cursor}.json', 'bytes=99999999-'],
  ])(
    '%s %s sends the headers and refusal described for %i',
    async (method, target, status, path, range = '') => {
      const headers = range === '' ? {} : { range };
      const response = await app.fetch(new Request(`${TEST_SITE}${target}`, { method, headers }));
      expect(response.status).toBe(status);
      if ([400, 414, 503].includes(status)) expect(judged(target, status, await response.text())).toEqual([]);
      const entry = described.paths[path]?.get.responses[status];
      const documented = Object.keys((entry && responseOf(described, entry).headers) ?? {});
      // No address is configured for the lane, which waiting does not change.
      const names = documented.filter((name) => status !== 503 || name !== 'Retry-After');
      expect(names.length).toBeGreaterThan(2);
      expect(names.filter((name) => !response.headers.has(name))).toEqual([]);
      const known = Object.keys(described.components.headers).map((name) => name.toLowerCase());
      const sent = [...response.headers.keys()].filter((name) => known.includes(name.replaceAll('-', '')));
      expect(sent.toSorted()).toEqual(names.map((name) => name.toLowerCase()).toSorted());
    },
  );

  test('the example errors are what those requests return', async () => {
    const shown = described.components.responses['BadRequest']?.content?.['application/json']?.examples ?? {};
    expect(Object.keys(shown)).toEqual(['invalid_request', 'stale_cursor']);
    for (const [code, { summary, value }] of Object.entries(shown)) {
      const { status, text } = await door.ask(summary);
      expect([status, JSON.parse(text), value['error']]).toEqual([400, value, code]);
    }
  });

  test('the check itself reports what does not match', () => {
    expect(judged('/api/v1/markets', 200, '{"ok":true,"resource":"markets","data":{}}')).not.toEqual([]);
    expect(judged('/api/v1/markets', 418, '{}')).toEqual(['/api/v1/markets does not describe status 418']);
  });
});
