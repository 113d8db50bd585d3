/** Checks of content: filtered responses against the published packs, every way through the pages, and /mcp. */
import { createHash } from 'node:crypto';
import { API_ROOT, PACK_MANIFEST, pagePath } from '../../shim/core/paths.ts';
import type { PackEntry, PackManifest } from '../../shim/core/types.ts';
import { expect, type SiteResponse, type Check, type Site } from './smoke-site.ts';

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

const OBSERVATIONS = `/${API_ROOT}/market-observations`;

/** In the order they run. */
export const CONTENT_CHECKS: Check[] = [
  ['an unfiltered response is the published file, and its checksum matches', isPublished],
  ['a filtered response says what the packs say', saysThePack],
  ['a chain of filtered pages gives every record once, in order', chainIsWhole],
  ['a published page and the response for its cursor are the same', pageEqualsResponse],
  ['a tampered cursor is refused', refusesTampered],
  ['MCP: server/discover names the version', discovers],
  ['MCP: seven tools, and one of them responses', callsTool],
  ['MCP: legacy initialize', initializes],
  ['MCP: missing routing metadata is refused', refusesUnrouted],
  ['MCP: a foreign origin is refused', refusesForeign],
];

/** A page of a list as far as the checks read it. */
interface Page {
  data: {
    page: { matched: number; next_cursor: string | null };
    observations: { id: string }[];
  };
}

async function isPublished(site: Site): Promise<void> {
  const path = pagePath('atlas');
  const file = await site.request(`/${path}`);
  expect('the response', (await site.request(`/${API_ROOT}/atlas`)).text, file.text);
  expect('the checksum', (await site.request(`/${path}.sha256`)).text.slice(0, 64), sha256(file.text));
}

async function saysThePack(site: Site): Promise<void> {
  const { entry, lines } = await smallestPack(site);
  const wanted = JSON.parse(lines[Math.floor(lines.length / 2)] ?? '') as Record<string, string>;
  const query = new URLSearchParams({
    dataset: entry.id,
    indicator: wanted['indicatorId'] ?? '',
    geo: wanted['geoCode'] ?? '',
    limit: '500',
  });
  const expected = lines.filter((line) => {
    const record = JSON.parse(line) as Record<string, string>;
    return record['indicatorId'] === wanted['indicatorId'] && record['geoCode'] === wanted['geoCode'];
  });
  const { text } = await site.request(`${OBSERVATIONS}?${query.toString()}`);
  const { data } = JSON.parse(text) as Page;
  expect('records that match', data.page.matched, expected.length);
  // As bytes: an response copies records, it does not serialize them again.
  expect(
    'the response carries the records as packaged',
    text.includes(expected.slice(0, 500).join(',')),
    true,
  );
}

async function chainIsWhole(site: Site): Promise<void> {
  const { entry, lines } = await smallestPack(site);
  const limit = Math.max(1, Math.ceil(lines.length / 4));
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { text } = await site.request(`${OBSERVATIONS}?dataset=${entry.id}&limit=${limit}${next}`);
    const { data } = JSON.parse(text) as Page;
    ids.push(...data.observations.map(({ id }) => id));
    cursor = data.page.next_cursor;
  } while (cursor !== null && ids.length <= lines.length);
  const packaged = lines.map((line) => (JSON.parse(line) as { id: string }).id);
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
  expect('error', (JSON.parse(response.text) as { error: string }).error, 'invalid_request');
}

async function firstCursor(site: Site): Promise<string> {
  const { data } = JSON.parse((await site.request(OBSERVATIONS)).text) as Page;
  if (data.page.next_cursor === null) throw new Error('there is only one page');
  return data.page.next_cursor;
}

/** The smallest pack of observations with its lines; its hash is checked first. */
async function smallestPack(site: Site): Promise<{ entry: PackEntry; lines: string[] }> {
  const { packs } = JSON.parse((await site.request(`/${PACK_MANIFEST}`)).text) as PackManifest;
  const [entry] = packs
    .filter(({ kind, rows }) => kind === 'observations' && rows > 0)
    .sort((a, b) => a.rows - b.rows);
  if (!entry) throw new Error('there is no pack of observations');
  const { text } = await site.request(`/${entry.path}`);
  expect(`the sha256 of ${entry.path}`, sha256(text), entry.sha256);
  return { entry, lines: text.trimEnd().split('\n') };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function discovers(site: Site): Promise<void> {
  const response = await post(site, 'server/discover', {});
  expect('status', response.status, 200);
  expect('the response', response.text, new RegExp(VERSION));
}

async function callsTool(site: Site): Promise<void> {
  const { result } = messageOf(await post(site, 'tools/list', {})) as {
    result: { tools: { name: string }[] };
  };
  expect('tools', result.tools.length, 7);
  const called = await post(site, 'tools/call', { name: 'get_atlas', arguments: { limit: 1 } });
  expect('status', called.status, 200);
  expect('the response', called.text, /svc\.api\.atlas\.v1/);
}

async function initializes(site: Site): Promise<void> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'smoke', version: '1' },
  };
  const response = await send(site, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, {});
  expect('status', response.status, 200);
  expect('the response', response.text, /"protocolVersion":"2025-06-18"/);
}

async function refusesUnrouted(site: Site): Promise<void> {
  const response = await send(site, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, {});
  expect('status', response.status, 400);
}

async function refusesForeign(site: Site): Promise<void> {
  const response = await post(site, 'server/discover', {}, { origin: 'https://foreign.invalid' });
  expect('status', response.status, 403);
}

function post(
  site: Site,
  method: string,
  params: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<SiteResponse> {
  return send(
    site,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } },
    {
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
      ...headers,
    },
  );
}

function send(site: Site, body: unknown, headers: Record<string, string>): Promise<SiteResponse> {
  return site.request('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

/** The message of a JSON response, or of the only event of a stream. */
function messageOf({ text }: SiteResponse): unknown {
  const line = text.split('\n').find((candidate) => candidate.startsWith('data:'));
  return JSON.parse(line === undefined ? text : line.slice('data:'.length));
}
