/** Checks of delivery: who answers what, with which status and headers. */
import { API_CATALOG, API_ROOT } from '../../../shim/core/paths.ts';
import { FAULTS } from '../../../shim/core/faults.ts';
import { mediaTypeOf } from '../../../shim/core/media-types.ts';
import { ALLOWED_METHODS, CACHE_LIVE, CACHE_STATIC } from '../../../shim/core/headers.ts';
import { expect, Skipped, type Asked, type Check, type Site } from './site.ts';

const PAGE = `/${API_ROOT}/atlas`;
const FILTERED = `${PAGE}?limit=2`;

export const DELIVERY_CHECKS: Check[] = [
  ['an unfiltered answer is cached by clients for minutes', (site) => isPage(site, PAGE)],
  ['a filtered answer is cached by clients for minutes', (site) => isPage(site, FILTERED)],
  ['a filtered answer is stored by the CDN', isStored],
  ['an unfiltered answer: ETag, then 304', (site) => isConditional(site, PAGE)],
  ['a filtered answer: ETag, then 304', (site) => isConditional(site, FILTERED)],
  ['answers are compressed for clients that ask', isCompressed],
  ['HEAD is answered without a body', hasHead],
  ['OPTIONS is answered for browsers', hasOptions],
  ['other methods are refused with 405', refusesWrites],
  ['unknown paths under the API are a JSON 404', (site) => isNotFound(site, `/${API_ROOT}/nope`)],
  ['missing pages are a JSON 404', (site) => isNotFound(site, `${PAGE}/nope.json`)],
  ['unknown paths beside the API are a JSON 404', (site) => isNotFound(site, '/api/nope')],
  ['every parameter reaches the app, unknown ones too', everyParameter],
  ['odd parameter names are refused by the app too', oddParameters],
  ['live answers are cached for a minute at most', isLive],
  ['the API catalog has the type of RFC 9727', isCatalog],
  ['every kind of published file has its media type', mediaTypes],
  ['pages for people carry their policy', hasPolicy],
];

async function isPage(site: Site, target: string): Promise<void> {
  const answer = await site.ask(target);
  expect('status', answer.status, 200);
  expect('content-type', header(answer, 'content-type'), /^application\/json/);
  expect('cache-control', header(answer, 'cache-control'), CACHE_STATIC);
  isShared(answer);
  expect('link', header(answer, 'link'), /rel="api-catalog".*rel="service-desc"/);
}

function isShared(answer: Asked): void {
  expect('access-control-allow-origin', header(answer, 'access-control-allow-origin'), '*');
  expect('access-control-expose-headers', header(answer, 'access-control-expose-headers'), /ETag/);
  expect('x-content-type-options', header(answer, 'x-content-type-options'), 'nosniff');
}

async function isStored(site: Site): Promise<void> {
  // An address of its own: somebody may have asked the others.
  const target = `${FILTERED}&year=${1900 + Math.floor(Math.random() * 100)}`;
  await site.ask(target);
  const again = await site.ask(target);
  const said = header(again, 'cache-status');
  if (said === '') throw new Skipped('nothing in front of the app says what it stored');
  expect('cache-status of the second answer', said, /\bhit\b/i);
}

async function isConditional(site: Site, target: string): Promise<void> {
  const etag = header(await site.ask(target), 'etag');
  expect('etag', etag, /^(W\/)?"[^"]+"$/);
  const again = await site.ask(target, { headers: { 'if-none-match': etag } });
  expect('status with If-None-Match', again.status, 304);
  expect('body with If-None-Match', again.text, '');
  const other = await site.ask(target, { headers: { 'if-none-match': '"other"' } });
  expect('status with another tag', other.status, 200);
}

async function isCompressed(site: Site): Promise<void> {
  for (const target of [PAGE, FILTERED]) {
    const plain = await site.ask(target, { headers: { 'accept-encoding': 'identity' } });
    expect(`content-encoding of ${target} for identity`, header(plain, 'content-encoding'), '');
    const small = await site.ask(target, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(`content-encoding of ${target}`, header(small, 'content-encoding'), /^(br|gzip)$/);
    expect(`the text of ${target}`, small.text, plain.text);
  }
}

async function hasHead(site: Site): Promise<void> {
  for (const target of [PAGE, FILTERED]) {
    const answer = await site.ask(target, { method: 'HEAD' });
    expect(`status of ${target}`, answer.status, 200);
    expect(`body of ${target}`, answer.text, '');
  }
}

async function hasOptions(site: Site): Promise<void> {
  const answer = await site.ask(PAGE, {
    method: 'OPTIONS',
    headers: { origin: 'https://reader.example', 'access-control-request-method': 'GET' },
  });
  expect('status', answer.status, 204);
  expect('access-control-allow-methods', header(answer, 'access-control-allow-methods'), ALLOWED_METHODS);
  expect('access-control-allow-origin', header(answer, 'access-control-allow-origin'), '*');
}

async function refusesWrites(site: Site): Promise<void> {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = await site.ask(PAGE, { method });
    expect(`status of ${method}`, answer.status, 405);
    expect(`allow of ${method}`, header(answer, 'allow'), ALLOWED_METHODS);
    expect(`error of ${method}`, errorOf(answer), 'method_not_allowed');
  }
}

async function isNotFound(site: Site, target: string): Promise<void> {
  const answer = await site.ask(target);
  expect('status', answer.status, 404);
  expect('error', errorOf(answer), 'not_found');
  expect('access-control-allow-origin', header(answer, 'access-control-allow-origin'), '*');
}

async function everyParameter(site: Site): Promise<void> {
  const listed = JSON.parse((await site.ask(`/${API_ROOT}/capabilities`)).text) as {
    data: { resources: { path: string; parameters: { name: string }[] }[] };
  };
  for (const { path, parameters } of listed.data.resources) {
    const target = `${path.startsWith('http') ? new URL(path).pathname : path}`;
    for (const name of [...parameters.map((parameter) => parameter.name), 'no_such_parameter']) {
      // Twice is refused by the app, whatever the parameter: an unfiltered page would be a 200.
      const answer = await site.ask(`${target}?${name}=1&${name}=2`);
      expect(`status of ${target}?${name}=1&${name}=2`, answer.status, FAULTS.invalid_request.status);
      expect(`error of ${target}?${name}=1&${name}=2`, errorOf(answer), 'invalid_request');
    }
  }
}

async function oddParameters(site: Site): Promise<void> {
  for (const query of ['__proto__=1', '=1', 'limit', 'iso3=%ff']) {
    const answer = await site.ask(`${PAGE}?${query}`);
    expect(`status of ?${query}`, answer.status, FAULTS.invalid_request.status);
    expect(`error of ?${query}`, errorOf(answer), 'invalid_request');
  }
}

async function isLive(site: Site): Promise<void> {
  const answer = await site.ask(`/${API_ROOT}/federation`);
  expect('status', answer.status, /^(200|503)$/);
  expect('cache-control', header(answer, 'cache-control'), answer.status === 200 ? CACHE_LIVE : 'no-store');
}

async function isCatalog(site: Site): Promise<void> {
  const answer = await site.ask(`/${API_CATALOG}`);
  expect('status', answer.status, 200);
  expect('content-type', header(answer, 'content-type'), mediaTypeOf(API_CATALOG));
}

async function mediaTypes(site: Site): Promise<void> {
  const { files } = JSON.parse((await site.ask('/release.json')).text) as {
    files: { path: string; mediaType: string }[];
  };
  const kinds = new Map(files.map(({ path, mediaType }) => [mediaType, path]));
  kinds.set(mediaTypeOf('release.json.sha256'), 'release.json.sha256');
  for (const [type, path] of kinds) {
    const answer = await site.ask(`/${encodeURI(path)}`, { method: 'HEAD' });
    expect(`status of ${path}`, answer.status, 200);
    expect(`type of ${path}`, essence(header(answer, 'content-type')), essence(type));
  }
}

async function hasPolicy(site: Site): Promise<void> {
  const answer = await site.ask('/');
  expect('status', answer.status, 200);
  expect('content-type', header(answer, 'content-type'), /^text\/html/);
  expect('content-security-policy', header(answer, 'content-security-policy'), /default-src 'self'/);
}

function header({ headers }: Asked, name: string): string {
  return headers.get(name) ?? '';
}

function errorOf({ text }: Asked): unknown {
  try {
    return (JSON.parse(text) as { error?: unknown }).error;
  } catch {
    return text.slice(0, 80);
  }
}

function essence(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}
