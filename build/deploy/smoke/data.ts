/** Checks of data: filtered answers against the published packs, and every way through the pages. */
import { createHash } from 'node:crypto';
import { API_ROOT, PACK_MANIFEST, pagePath } from '../../../shim/core/paths.ts';
import type { PackEntry, PackManifest } from '../../../shim/core/types.ts';
import { expect, type Check, type Site } from './site.ts';

const OBSERVATIONS = `/${API_ROOT}/market-observations`;

export const DATA_CHECKS: Check[] = [
  ['an unfiltered answer is the published file, and its checksum fits', isPublished],
  ['a filtered answer says what the packs say', saysThePack],
  ['a chain of filtered pages gives every record once, in order', chainIsWhole],
  ['a published page and the answer for its cursor are the same', pageEqualsAnswer],
  ['a tampered cursor is refused', refusesTampered],
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
  const file = await site.ask(`/${path}`);
  expect('the answer', (await site.ask(`/${API_ROOT}/atlas`)).text, file.text);
  expect('the checksum', (await site.ask(`/${path}.sha256`)).text.slice(0, 64), sha256(file.text));
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
  const { text } = await site.ask(`${OBSERVATIONS}?${query.toString()}`);
  const { data } = JSON.parse(text) as Page;
  expect('records that match', data.page.matched, expected.length);
  // As bytes: an answer copies records, it does not write them again.
  expect('the answer carries the records as packaged', text.includes(expected.slice(0, 500).join(',')), true);
}

async function chainIsWhole(site: Site): Promise<void> {
  const { entry, lines } = await smallestPack(site);
  const limit = Math.max(1, Math.ceil(lines.length / 4));
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { text } = await site.ask(`${OBSERVATIONS}?dataset=${entry.id}&limit=${limit}${next}`);
    const { data } = JSON.parse(text) as Page;
    ids.push(...data.observations.map(({ id }) => id));
    cursor = data.page.next_cursor;
  } while (cursor !== null && ids.length <= lines.length);
  const packaged = lines.map((line) => (JSON.parse(line) as { id: string }).id);
  expect('the ids, in order', ids.join(), packaged.join());
}

async function pageEqualsAnswer(site: Site): Promise<void> {
  const cursor = await firstCursor(site);
  const page = await site.ask(`/${pagePath('market-observations', cursor)}`);
  expect('status of the page', page.status, 200);
  expect('the answer', (await site.ask(`${OBSERVATIONS}?cursor=${cursor}`)).text, page.text);
}

async function refusesTampered(site: Site): Promise<void> {
  const cursor = await firstCursor(site);
  const tampered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
  const answer = await site.ask(`${OBSERVATIONS}?cursor=${tampered}`);
  expect('status', answer.status, 400);
  expect('error', (JSON.parse(answer.text) as { error: string }).error, 'invalid_request');
}

async function firstCursor(site: Site): Promise<string> {
  const { data } = JSON.parse((await site.ask(OBSERVATIONS)).text) as Page;
  if (data.page.next_cursor === null) throw new Error('there is one page only');
  return data.page.next_cursor;
}

/** The smallest pack of observations with its lines; its hash is checked first. */
async function smallestPack(site: Site): Promise<{ entry: PackEntry; lines: string[] }> {
  const { packs } = JSON.parse((await site.ask(`/${PACK_MANIFEST}`)).text) as PackManifest;
  const [entry] = packs
    .filter(({ kind, rows }) => kind === 'observations' && rows > 0)
    .sort((a, b) => a.rows - b.rows);
  if (!entry) throw new Error('there is no pack of observations');
  const { text } = await site.ask(`/${entry.path}`);
  expect(`the sha256 of ${entry.path}`, sha256(text), entry.sha256);
  return { entry, lines: text.trimEnd().split('\n') };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
