/**
 * `npm run smoke -- <url>`: what only a deployed site can show: whether the host in front keeps the promises of the app.
 * Whole files are checked by `npm run verify`; here every kind of response is requested once, and its delivery checked.
 */
import { API_CATALOG, API_ROOT } from '../../shim/core/paths.ts';
import { FAULTS } from '../../shim/core/faults.ts';
import { mediaTypeOf } from '../../shim/core/media-types.ts';
import { ALLOWED_METHODS, CACHE_LIVE, CACHE_STATIC } from '../../shim/core/headers.ts';
import { CONTENT_CHECKS } from './smoke-content.ts';
import {
  expect,
  expectation,
  site as siteAt,
  Skipped,
  type SiteResponse,
  type Check,
  type Site,
} from './smoke-site.ts';

const PAGE = `/${API_ROOT}/atlas`;
const FILTERED = `${PAGE}?limit=2`;

/** What a response must have; header fields by name. */
interface Wanted {
  status: number;
  headers?: Record<string, string | RegExp>;
  text?: string;
  /** Code of the JSON error. */
  error?: string;
}

const OPEN = { 'access-control-allow-origin': '*' };
const CACHED: Wanted = {
  status: 200,
  headers: {
    'content-type': /^application\/json/,
    'cache-control': CACHE_STATIC,
    ...OPEN,
    'access-control-expose-headers': /ETag/,
    'x-content-type-options': 'nosniff',
    link: /rel="api-catalog".*rel="service-desc"/,
  },
};
const PREFLIGHT = {
  method: 'OPTIONS',
  headers: { origin: 'https://reader.example', 'access-control-request-method': 'GET' },
};
const PREFLIGHTED = { 'access-control-allow-methods': ALLOWED_METHODS, ...OPEN };
const REFUSED: Wanted = { status: 405, headers: { allow: ALLOWED_METHODS }, error: 'method_not_allowed' };
const NOT_FOUND: Wanted = { status: 404, headers: OPEN, error: 'not_found' };
const INVALID: Wanted = { status: FAULTS.invalid_request.status, error: 'invalid_request' };
const ODD = ['__proto__=1', '=1', 'limit', 'iso3=%ff'];
const HTML = { 'content-type': /^text\/html/, 'content-security-policy': /default-src 'self'/ };

const DELIVERY_CHECKS: Check[] = [
  ['an unfiltered response is cached by clients for minutes', has(PAGE, CACHED)],
  ['a filtered response is cached by clients for minutes', has(FILTERED, CACHED)],
  ['a filtered response is stored by the CDN', isStored],
  ['an unfiltered response: ETag, then 304', (site) => isConditional(site, PAGE)],
  ['a filtered response: ETag, then 304', (site) => isConditional(site, FILTERED)],
  ['responses are compressed for clients that accept it', isCompressed],
  ['HEAD is answered without a body', each([PAGE, FILTERED], { status: 200, text: '' }, { method: 'HEAD' })],
  ['OPTIONS is answered for browsers', has(PAGE, { status: 204, headers: PREFLIGHTED }, PREFLIGHT)],
  ['other methods are refused with 405', refusesWrites],
  ['unknown paths under the API are a JSON 404', has(`/${API_ROOT}/nope`, NOT_FOUND)],
  ['missing pages are a JSON 404', has(`${PAGE}/nope.json`, NOT_FOUND)],
  ['unknown paths outside the API are a JSON 404', has('/api/nope', NOT_FOUND)],
  ['every parameter reaches the app, unknown ones too', everyParameter],
  [
    'odd parameter names are refused by the app too',
    each(
      ODD.map((query) => `${PAGE}?${query}`),
      INVALID,
    ),
  ],
  ['live responses are cached for a minute at most', isLive],
  [
    'the API catalog has the type of RFC 9727',
    has(`/${API_CATALOG}`, { status: 200, headers: { 'content-type': mediaTypeOf(API_CATALOG) } }),
  ],
  ['every kind of published file has its media type', mediaTypes],
  ['pages for people carry their policy', has('/', { status: 200, headers: HTML })],
];

/** Runs every check against a site and prints one line each; resolves to 0 when none failed, else 1. */
export async function smoke(url: string, send: typeof fetch, print: (line: string) => void): Promise<number> {
  const site = siteAt(url, send);
  let failed = 0;
  for (const [name, check] of [...DELIVERY_CHECKS, ...CONTENT_CHECKS]) {
    try {
      await check(site);
      print(`ok   ${name}`);
    } catch (error) {
      if (error instanceof Skipped) {
        print(`skip ${name}: ${error.message}`);
        continue;
      }
      failed += 1;
      print(`FAIL ${name}: ${expectation(error)}`);
    }
  }
  print(failed === 0 ? 'all checks passed' : `${failed} checks failed`);
  return failed === 0 ? 0 : 1;
}

function has(target: string, wanted: Wanted, init?: RequestInit): Check[1] {
  return (site) => requires(site, target, wanted, init);
}

function each(targets: string[], wanted: Wanted, init?: RequestInit): Check[1] {
  return async (site) => {
    for (const target of targets) await requires(site, target, wanted, init, ` of ${target}`);
  };
}

async function requires(
  site: Site,
  target: string,
  { status, headers = {}, text, error }: Wanted,
  init?: RequestInit,
  of = '',
): Promise<void> {
  const response = await site.request(target, init);
  expect(`status${of}`, response.status, status);
  for (const [name, value] of Object.entries(headers)) expect(`${name}${of}`, header(response, name), value);
  if (text !== undefined) expect(`body${of}`, response.text, text);
  if (error !== undefined) expect(`error${of}`, errorOf(response), error);
}

async function isStored(site: Site): Promise<void> {
  // A URL of its own: the others may be stored already.
  const target = `${FILTERED}&year=${1900 + Math.floor(Math.random() * 100)}`;
  await site.request(target);
  const again = await site.request(target);
  const said = header(again, 'cache-status');
  if (said === '') throw new Skipped('nothing in front of the app says what it stored');
  expect('cache-status of the second response', said, /\bhit\b/i);
}

async function isConditional(site: Site, target: string): Promise<void> {
  const etag = header(await site.request(target), 'etag');
  expect('etag', etag, /^(W\/)?"[^"]+"$/);
  const again = await site.request(target, { headers: { 'if-none-match': etag } });
  expect('status with If-None-Match', again.status, 304);
  expect('body with If-None-Match', again.text, '');
  const other = await site.request(target, { headers: { 'if-none-match': '"other"' } });
  expect('status with another tag', other.status, 200);
}

async function isCompressed(site: Site): Promise<void> {
  for (const target of [PAGE, FILTERED]) {
    const plain = await site.request(target, { headers: { 'accept-encoding': 'identity' } });
    expect(`content-encoding of ${target} for identity`, header(plain, 'content-encoding'), '');
    const small = await site.request(target, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(`content-encoding of ${target}`, header(small, 'content-encoding'), /^(br|gzip)$/);
    expect(`the text of ${target}`, small.text, plain.text);
  }
}

async function refusesWrites(site: Site): Promise<void> {
  for (const method of ['POST', 'PUT', 'DELETE'])
    await requires(site, PAGE, REFUSED, { method }, ` of ${method}`);
}

async function everyParameter(site: Site): Promise<void> {
  const listed = JSON.parse((await site.request(`/${API_ROOT}/capabilities`)).text) as {
    data: { resources: { path: string; parameters: { name: string }[] }[] };
  };
  for (const { path, parameters } of listed.data.resources) {
    const target = `${path.startsWith('http') ? new URL(path).pathname : path}`;
    for (const name of [...parameters.map((parameter) => parameter.name), 'no_such_parameter']) {
      // Twice is refused by the app, whatever the parameter: an unfiltered page would be a 200.
      const twice = `${target}?${name}=1&${name}=2`;
      await requires(site, twice, INVALID, {}, ` of ${twice}`);
    }
  }
}

async function isLive(site: Site): Promise<void> {
  const response = await site.request(`/${API_ROOT}/federation`);
  expect('status', response.status, /^(200|503)$/);
  expect(
    'cache-control',
    header(response, 'cache-control'),
    response.status === 200 ? CACHE_LIVE : 'no-store',
  );
}

async function mediaTypes(site: Site): Promise<void> {
  const { files } = JSON.parse((await site.request('/release.json')).text) as {
    files: { path: string; mediaType: string }[];
  };
  const kinds = new Map(files.map(({ path, mediaType }) => [mediaType, path]));
  kinds.set(mediaTypeOf('release.json.sha256'), 'release.json.sha256');
  for (const [type, path] of kinds) {
    const response = await site.request(`/${encodeURI(path)}`, { method: 'HEAD' });
    expect(`status of ${path}`, response.status, 200);
    expect(`type of ${path}`, essence(header(response, 'content-type')), essence(type));
  }
}

function header({ headers }: SiteResponse, name: string): string {
  return headers.get(name) ?? '';
}

function errorOf({ text }: SiteResponse): unknown {
  try {
    return (JSON.parse(text) as { error?: unknown }).error;
  } catch {
    return text.slice(0, 80);
  }
}

function essence(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}
