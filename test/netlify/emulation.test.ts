/** The contract through the emulated CDN: edge router, redirects, headers and the bundled function as a deploy has them. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isInstalled, layOut, startCdn } from '../../build/deploy/emulate.ts';
import { smoke } from '../../build/deploy/smoke.ts';
import { CACHE_STATIC } from '../../shim/core/headers.ts';
import { restDoor } from '../_support/doors.ts';
import { builtTree, temporaryFolder, TEST_SITE } from '../_support/tree.ts';
import { ANSWERED, REFUSED } from '../contract/cases.ts';

const asked = process.env['EMULATION'] !== undefined;
if (asked && !isInstalled()) throw new Error('not installed: run "npm run emulate" once');

/** The emulation fails on this name itself; the smoke checks ask the host. */
const cases = [...REFUSED, ...ANSWERED].filter(([, target]) => !target.includes('__proto__'));

/** What the emulation does not do: validators and compression of files, status of a 404 rule, that name. */
const LACKING = [
  'an unfiltered response: ETag, then 304',
  'responses are compressed for clients that accept it',
  'missing pages are a JSON 404',
  'unknown paths outside the API are a JSON 404',
  'odd parameter names are refused by the app too',
];

describe.runIf(asked)('at the emulated CDN (slow; set EMULATION=1 to run it)', () => {
  const project = temporaryFolder();
  let url = '';
  let close = async (): Promise<void> => undefined;

  beforeAll(async () => {
    cpSync(builtTree(), join(project, 'public'), { recursive: true });
    await layOut(project, { SITE_URL: TEST_SITE });
    ({ url, close } = await startCdn(project, 0));
  });
  afterAll(async () => {
    await close();
    rmSync(project, { recursive: true, force: true });
  });

  const rest = restDoor();
  const ask = (target: string, init?: RequestInit): Promise<Response> => fetch(`${url}${target}`, init);
  /** The function leaves this header behind, published files do not. */
  const fromFunction = (response: Response): boolean => response.headers.has('x-nf-invocation-metadata');

  test.each(cases)(
    '[DOORS] %s %s is answered with the bytes of every door',
    async (_id, target, status, shows) => {
      const response = await ask(target);
      const text = await response.text();
      expect(response.status, text).toBe(status);
      expect(text).toMatch(status === 200 ? shows : /"error":"invalid_request"/);
      expect(text).toBe((await rest.ask(target)).text);
      expect(fromFunction(response)).toBe(target.includes('?'));
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('cache-control')).toBe(
        status === 200 ? CACHE_STATIC : 'public, max-age=60',
      );
    },
    120_000,
  );

  test.each([
    ['GET', '/api/v1/federation', 200],
    ['GET', '/api/v1/nope', 404],
    ['GET', '/api/v1/atlas.json?x=1', 404],
    ['GET', '/api/v1/atlas/', 404],
    ['OPTIONS', '/api/v1/atlas', 204],
    ['POST', '/api/v1/atlas', 405],
    ['DELETE', '/api/v1/atlas.json', 405],
    ['OPTIONS', '/mcp', 204],
    ['GET', '/mcp', 405],
    ['GET', '/mcp/', 405],
  ])(
    '%s %s reaches the function',
    async (method, target, status) => {
      const response = await ask(target, { method });
      expect([response.status, fromFunction(response)]).toEqual([status, true]);
    },
    120_000,
  );

  test.each(['/api/v1/atlas', '/api/v1/atlas.json.sha256', '/api/v1/atlas?'])(
    'GET and HEAD of %s are answered by the file',
    async (target) => {
      for (const method of ['GET', 'HEAD']) {
        const response = await ask(target, { method });
        expect([response.status, fromFunction(response)]).toEqual([200, false]);
      }
    },
    120_000,
  );

  test('the smoke checks pass, but for what only the host can do', async () => {
    const lines: string[] = [];
    await smoke(url, fetch, (line) => void lines.push(line));
    const failed = lines.filter((line) => line.startsWith('FAIL'));
    expect(failed.map((line) => LACKING.find((name) => line.startsWith(`FAIL ${name}: `)) ?? line)).toEqual(
      LACKING,
    );
  });
});
