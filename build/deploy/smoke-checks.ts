/** The smoke checks that need more than one request and its response; smoke.yaml names them. */
import type { Observation } from '../../shim/core/records.ts';
import { sha256 } from '../lib/tree.ts';
import { isObject, jsonIn } from '../../shim/core/json.ts';
import { CACHE_LIVE, mediaTypeOf } from '../../shim/core/headers.ts';
import { causeOf } from '../../shim/remote/source.ts';
import { API_ROOT, PACK_MANIFEST, pagePath } from '../../shim/core/paths.ts';
import type { PackEntry, PackManifest } from '../../shim/core/types.ts';

/** A response, read whole. */
interface SiteResponse {
  status: number;
  /** A header field; empty where there is none. */
  header(name: string): string;
  text: string;
}

/** A deployed site as the checks see it. */
export interface Site {
  /** Requests a path; redirects are not followed. */
  request(target: string, init?: RequestInit): Promise<SiteResponse>;
}

/** A check that cannot be made on this host. */
export class Skipped extends Error {}

/** The functions that smoke.yaml names; each throws what is wrong. */
export const RUN: Record<string, (site: Site, target: string) => Promise<void>> = {
  isStored,
  isConditional,
  isCompressed,
  everyParameter,
  isLive,
  haveMediaTypes,
  isPublished,
  saysThePack,
  chainIsWhole,
  pageEqualsResponse,
  refusesTampered,
};

const OBSERVATIONS = `/${API_ROOT}/market-observations`;
const PATIENCE_MS = 30_000;

/** The site at an address; `send` is fetch. */
export function siteAt(url: string, send: typeof fetch): Site {
  const base = url.replace(/\/+$/, '');
  return {
    async request(target, init = {}) {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      try {
        const response = await send(`${base}${target}`, { redirect: 'manual', signal, ...init });
        const { status, headers } = response;
        return { status, header: (name) => headers.get(name) ?? '', text: await response.text() };
      } catch (error) {
        throw new Error(`no whole response to ${target}: ${causeOf(error)}`, { cause: error });
      }
    },
  };
}

/** Throws unless `got` is as wanted: equal, or matching a pattern. */
export function expect(what: string, got: unknown, wanted: unknown): void {
  const right = wanted instanceof RegExp ? wanted.test(String(got)) : got === wanted;
  if (!right) throw new Error(`${what} is ${shown(got)}, expected ${shown(wanted)}`);
}

/** The code of a JSON error, or the beginning of any other body. */
export function errorOf({ text }: SiteResponse): unknown {
  const body = jsonIn(text);
  return isObject(body) ? body['error'] : text.slice(0, 80);
}

function shown(value: unknown): string {
  const text = value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? 'undefined');
  return text.length > 160 ? `${text.slice(0, 160)}...` : text;
}

async function json<T>(site: Site, target: string): Promise<T> {
  return JSON.parse((await site.request(target)).text) as T;
}

async function isStored(site: Site, target: string): Promise<void> {
  // A URL of its own: the others may be stored already.
  const own = `${target}&year=${1900 + Math.floor(Math.random() * 100)}`;
  await site.request(own);
  const stored = (await site.request(own)).header('cache-status');
  if (stored === '') throw new Skipped('nothing in front of the app says what it stored');
  expect('cache-status of the second response', stored, /\bhit\b/i);
}

async function isConditional(site: Site, target: string): Promise<void> {
  const etag = (await site.request(target)).header('etag');
  expect('etag', etag, /^(W\/)?"[^"]+"$/);
  const again = await site.request(target, { headers: { 'if-none-match': etag } });
  expect('status with If-None-Match', again.status, 304);
  expect('body with If-None-Match', again.text, '');
  const other = await site.request(target, { headers: { 'if-none-match': '"other"' } });
  expect('status with another tag', other.status, 200);
}

async function isCompressed(site: Site, target: string): Promise<void> {
  const plain = await site.request(target, { headers: { 'accept-encoding': 'identity' } });
  expect(`content-encoding of ${target} for identity`, plain.header('content-encoding'), '');
  const small = await site.request(target, { headers: { 'accept-encoding': 'gzip, br' } });
  expect(`content-encoding of ${target}`, small.header('content-encoding'), /^(br|gzip)$/);
  expect(`the text of ${target}`, small.text, plain.text);
}

async function everyParameter(site: Site): Promise<void> {
  const { data } = await json<{ data: { resources: { path: string; parameters: { name: string }[] }[] } }>(
    site,
    `/${API_ROOT}/capabilities`,
  );
  for (const { path, parameters } of data.resources)
    for (const { name } of [...parameters, { name: 'no_such_parameter' }]) {
      // Twice is refused by the app, whatever the parameter: an unfiltered page would be a 200.
      const twice = `${path.startsWith('http') ? new URL(path).pathname : path}?${name}=1&${name}=2`;
      const response = await site.request(twice);
      expect(`status of ${twice}`, response.status, 400);
      expect(`error of ${twice}`, errorOf(response), 'invalid_request');
    }
}

async function isLive(site: Site, target: string): Promise<void> {
  const response = await site.request(target);
  expect('status', response.status, /^(200|503)$/);
  const wanted = response.status === 200 ? CACHE_LIVE : 'no-store';
  expect('cache-control', response.header('cache-control'), wanted);
}

async function haveMediaTypes(site: Site): Promise<void> {
  const { files } = await json<{ files: { path: string; mediaType: string }[] }>(site, '/release.json');
  const kinds = new Map(files.map(({ path, mediaType }) => [mediaType, path]));
  kinds.set(mediaTypeOf('release.json.sha256'), 'release.json.sha256');
  const essence = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();
  for (const [type, path] of kinds) {
    const response = await site.request(`/${encodeURI(path)}`, { method: 'HEAD' });
    expect(`status of ${path}`, response.status, 200);
    expect(`type of ${path}`, essence(response.header('content-type')), essence(type));
  }
}

async function isPublished(site: Site, target: string): Promise<void> {
  const file = await site.request(`${target}.json`);
  expect('the response', (await site.request(target)).text, file.text);
  expect('the checksum', (await site.request(`${target}.json.sha256`)).text.slice(0, 64), sha256(file.text));
}

type PackedRecord = Pick<Observation, 'id' | 'indicatorId' | 'geoCode'>;

/** A page of a list as far as the checks read it. */
interface Page {
  data: { page: { matched: number; next_cursor: string | null }; observations: PackedRecord[] };
}

async function saysThePack(site: Site): Promise<void> {
  const { entry, lines } = await smallestPack(site);
  const records = lines.map((line) => JSON.parse(line) as PackedRecord);
  const middle = records[Math.floor(records.length / 2)];
  const { indicatorId = '', geoCode = '' } = middle ?? {};
  const expected = lines.filter(
    (_, row) => records[row]?.indicatorId === indicatorId && records[row].geoCode === geoCode,
  );
  const query = new URLSearchParams({
    dataset: entry.id,
    indicator: indicatorId,
    geo: geoCode,
    limit: '500',
  });
  const { text } = await site.request(`${OBSERVATIONS}?${query.toString()}`);
  expect('records that match', (JSON.parse(text) as Page).data.page.matched, expected.length);
  // As bytes: a response copies records, it does not serialize them again.
  const copied = text.includes(expected.slice(0, 500).join(','));
  expect('the response carries the records as packaged', copied, true);
}

async function chainIsWhole(site: Site): Promise<void> {
  const { entry, lines } = await smallestPack(site);
  const first = `${OBSERVATIONS}?dataset=${entry.id}&limit=${Math.max(1, Math.ceil(lines.length / 4))}`;
  const ids: string[] = [];
  let target: string | null = first;
  while (target !== null && ids.length <= lines.length) {
    const { data }: Page = await json<Page>(site, target);
    ids.push(...data.observations.map(({ id }) => id));
    target = data.page.next_cursor === null ? null : `${first}&cursor=${data.page.next_cursor}`;
  }
  const packaged = lines.map((line) => (JSON.parse(line) as PackedRecord).id);
  expect('the ids, in order', ids.join(), packaged.join());
}

async function pageEqualsResponse(site: Site): Promise<void> {
  const cursor = await firstCursor(site);
  const page = await site.request(`/${pagePath('market-observations', cursor)}`);
  expect('status of the page', page.status, 200);
  expect('the response', (await site.request(`${OBSERVATIONS}?cursor=${cursor}`)).text, page.text);
}

async function refusesTampered(site: Site): Promise<void> {
  const cursor = await firstCursor(site);
  const tampered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
  const response = await site.request(`${OBSERVATIONS}?cursor=${tampered}`);
  expect('status', response.status, 400);
  expect('error', errorOf(response), 'invalid_request');
}

async function firstCursor(site: Site): Promise<string> {
  const { data } = await json<Page>(site, OBSERVATIONS);
  if (data.page.next_cursor === null) throw new Error('there is only one page');
  return data.page.next_cursor;
}

/** The smallest pack of observations with its lines; its hash is checked first. */
async function smallestPack(site: Site): Promise<{ entry: PackEntry; lines: string[] }> {
  const { packs } = await json<PackManifest>(site, `/${PACK_MANIFEST}`);
  const [entry] = packs
    .filter(({ kind, rows }) => kind === 'observations' && rows > 0)
    .sort((a, b) => a.rows - b.rows);
  if (!entry) throw new Error('there is no pack of observations');
  const { text } = await site.request(`/${entry.path}`);
  expect(`the sha256 of ${entry.path}`, sha256(text), entry.sha256);
  return { entry, lines: text.trimEnd().split('\n') };
}
