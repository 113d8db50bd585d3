/** netlify.toml: what the generator gives, read with the parsers of the host. */
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseAllHeaders } from '@netlify/headers-parser';
import { parseAllRedirects } from '@netlify/redirect-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { netlifyToml } from '../../build/deploy/netlify.ts';
import { CACHE_STATIC, PAGE_POLICY, SECURE, SHARED, mediaTypeOf } from '../../shim/core/headers.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { testApp } from '../_support/doors.ts';
import { TEST_SITE, builtTree } from '../_support/tree.ts';
import route from '../../netlify/edge-functions/router.ts';
import { words } from '../_support/words.ts';

const FILE = 'netlify.toml';

interface Matcher {
  match(request: object): { to: string; status: number; force: boolean } | null;
}
const redirector = createRequire(import.meta.url)('netlify-redirector') as {
  parseJSON(rules: string, options: object): Promise<Matcher>;
};

test('netlify.toml is what npm run host writes', () => {
  expect(readFileSync(FILE, 'utf8')).toBe(netlifyToml());
});

describe('[CDN-ROUTES] redirects', () => {
  let matcher: Matcher;
  const matched = (path: string, query = ''): [string, number, boolean] | null => {
    const nothing = (): string => '';
    const request = { scheme: 'https', host: 'evidence.example', path, query, headers: {}, cookieValues: {} };
    const found = matcher.match({ ...request, getHeader: nothing, getCookie: nothing });
    return found && [found.to, found.status, found.force];
  };
  beforeAll(async () => {
    const sources = { redirectsFiles: [], netlifyConfigPath: FILE, configRedirects: [], minimal: false };
    const { redirects, errors } = await parseAllRedirects(sources);
    if (errors.length > 0) throw new Error(String(errors));
    const rules = (redirects as Record<string, unknown>[]).map(({ from, query, ...rule }) => ({
      ...rule,
      origin: from,
      params: query,
    }));
    // Both options are mandatory: without them the library ends the process.
    matcher = await redirector.parseJSON(JSON.stringify(rules), { jwtSecret: '', jwtRoleClaim: '' });
  });

  test.each(OPERATIONS.filter(({ freshness }) => freshness === 'data').map(({ name }) => name))(
    '%s is its published page',
    (name) => {
      expect(matched(`/api/v1/${name}`)).toEqual([`/api/v1/${name}.json`, 200, false]);
    },
  );

  test.each(['', 'lane=all'])('a live resource is always the function, with the query "%s"', (query) => {
    expect(matched('/api/v1/federation', query)).toEqual(['/_shim/api/v1/federation', 200, true]);
  });

  test.each(OPERATIONS.flatMap(({ name, parameters }) => parameters.map((each) => [name, each.name])))(
    '%s with %s is forced to the function',
    (name, parameter) => {
      for (const query of ['P=x', 'P=', 'P=x&other=y', 'other=y&P=x'])
        expect(matched(`/api/v1/${name}`, query.replace('P', parameter))).toEqual([
          `/_shim/api/v1/${name}`,
          200,
          true,
        ]);
    },
  );

  test.each(['/api/nope', '/api/v1/nope', '/api/v1/atlas/nope.json', '/api'])('%s is a 404', (path) => {
    expect(matched(path)).toEqual(['/api/404.json', 404, false]);
  });

  test.each(['/', '/api-docs', '/mcp', '/_shim/api/v1/atlas', '/data/packs.json', '/news/feed.json'])(
    '%s has no rule',
    (path) => expect(matched(path)).toBeNull(),
  );

  test('records are the function, and the page of the folder is a file', () => {
    const id = 'seizures.BEL.2023.cocaine~1a2b3c';
    expect(matched(`/r/${id}@2025-06.json`)).toEqual([`/_shim/r/${id}@2025-06.json`, 200, false]);
  });

  test('a search with words is the function, the page of the search is a file', () => {
    expect(matched('/search/', 'q=cocaine+belgium')).toEqual(['/_shim/search/', 200, true]);
    expect(matched('/search/')).toBeNull();
  });

  test.each(['query=x', 'type=vessel', 'program=TCO&cursor=x', 'country='])(
    'designations with %s are the function, the form is a file',
    (query) => {
      expect(matched('/designations/', query)).toEqual(['/_shim/designations/', 200, true]);
      expect(matched('/designations/123')).toEqual(['/_shim/designations/123', 200, false]);
    },
  );

  test.each(['/embed/', '/oembed'])('%s is the function, with a query or without', (path) => {
    for (const query of ['', 'geo=MEX', 'url=x'])
      expect(matched(path, query)).toEqual([`/_shim${path}`, 200, false]);
  });

  test('downloads are the function', () => {
    expect(matched('/download/atlas.excel.csv', 'iso3=MEX')).toEqual([
      '/_shim/download/atlas.excel.csv',
      200,
      false,
    ]);
  });

  test('the 404 is the one of the app', async () => {
    const answer = await testApp().fetch(new Request(`${TEST_SITE}/api/nope`));
    expect(answer.status).toBe(404);
    expect(readFileSync(`${builtTree()}/api/404.json`, 'utf8')).toBe(await answer.text());
  });
});

describe('[CDN-ROUTES] headers', () => {
  let rules: { forRegExp: RegExp; values: Record<string, string> }[] = [];
  const headersOf = (path: string): Record<string, string> => {
    const all: Record<string, string> = {};
    for (const { values } of rules.filter(({ forRegExp }) => forRegExp.test(path))) {
      for (const name of Object.keys(values))
        expect(all, `${path}: two rules give ${name}`).not.toHaveProperty(name);
      Object.assign(all, values);
    }
    return all;
  };
  beforeAll(async () => {
    const sources = { headersFiles: [], netlifyConfigPath: FILE, configHeaders: [], minimal: false };
    const { headers, errors } = await parseAllHeaders(sources);
    if (errors.length > 0) throw new Error(String(errors));
    rules = headers as typeof rules;
  });

  test('every published path gets the shared headers once, and its own type where hosts do not know it', () => {
    const release = JSON.parse(readFileSync(`${builtTree()}/release.json`, 'utf8')) as {
      files: { path: string }[];
    };
    for (const { path } of release.files) {
      const headers = headersOf(`/${path}`);
      expect(headers).toMatchObject({ ...SHARED, ...SECURE, 'cache-control': CACHE_STATIC });
      if (path.endsWith('.html')) expect(headers['content-security-policy'], path).toBe(PAGE_POLICY);
      const known = /\.(json|xml|txt)$/.test(path) && !('content-type' in headers);
      if (!known) expect(headers['content-type'], path).toBe(mediaTypeOf(path));
    }
    expect(release.files.length).toBeGreaterThan(100);
  });

  test.each([
    '.well-known/api-catalog',
    'openapi.json',
    'news/feed.json',
    'news/feed.xml',
    'data/revisions/arms/feed.json',
    'SHA256SUMS',
  ])('%s has its own type', (path) => expect(headersOf(`/${path}`)['content-type']).toBe(mediaTypeOf(path)));

  test('API pages link to catalog and description, pages for people carry their policy', () => {
    expect(headersOf('/api/v1/atlas.json')['link']).toBe(
      '</.well-known/api-catalog>; rel="api-catalog", </openapi.json>; rel="service-desc"',
    );
    expect(headersOf('/news/')['content-security-policy']).toBe(PAGE_POLICY);
    expect(headersOf('/designations/')['x-robots-tag']).toBe('noindex');
    expect(headersOf('/news/')).not.toHaveProperty('x-robots-tag');
  });
});

describe('[CDN-ROUTES] edge router', () => {
  const site = 'https://evidence.example';
  const routed = (target: string, method = 'GET'): string | undefined =>
    route(new Request(`${site}${target}`, { method }))?.href.slice(site.length);

  test('continues for the published pages of exactly the resources that have one', () => {
    for (const { name, freshness } of OPERATIONS) {
      const path = `/api/v1/${name}`;
      for (const method of ['GET', 'HEAD'])
        expect(routed(path, method)).toBe(freshness === 'data' ? undefined : `/_shim${path}`);
    }
  });

  test.each(
    words(`/api/v1/atlas? /api/v1/atlas.json /api/v1/atlas/AbC-_9.json
    /api/v1/atlas.json.sha256 /explore/ /explore/? /designations/ /designations/123`),
  )('continues for GET %s', (target) => expect(routed(target)).toBeUndefined());

  test.each([
    ['GET', '/api/v1/atlas?limit=5'],
    ['GET', '/explore/?geo=MEX'],
    ['HEAD', '/explore/?view=map'],
    ['GET', '/api/v1/atlas.json?x=1'],
    ['GET', '/api/v1/atlas?limit'],
    ['GET', '/api/v1/atlas?x=%ff'],
    ['HEAD', '/api/v1/atlas?iso3=MEX'],
    ['GET', '/api/v1/atlas/'],
    ['GET', '/api/v1/nope'],
    ['GET', '/designations/?query=x'],
    ['HEAD', '/designations/?nope=x'],
    ['GET', '/api/v1/'],
    ['OPTIONS', '/api/v1/atlas'],
    ['POST', '/api/v1/atlas.json'],
    ['DELETE', '/api/v1/atlas'],
  ])('sends %s %s to the function', (method, target) => {
    expect(routed(target, method)).toBe(`/_shim${target}`);
  });

  test('is under 2 kB', () => {
    expect(statSync('netlify/edge-functions/router.ts').size).toBeLessThan(2000);
  });
});
