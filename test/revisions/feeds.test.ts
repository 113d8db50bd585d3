/** The feeds of the revisions as published: one item per pair, the same in both forms, overall and per dataset. */
import { parseJsonFeed, parseRssFeed } from 'feedsmith';
import { describe, expect, test } from 'vitest';
import { mediaTypeOf } from '../../shim/core/headers.ts';
import { lastDay } from '../../shim/core/editions.ts';
import { testApp } from '../_support/doors.ts';
import { packManifest } from '../_support/records.ts';
import { unescaped } from '../_support/site-pages.ts';
import { TEST_SITE, treeText, treeJson } from '../_support/tree.ts';
import type { Answer, Pair } from './made.ts';
import type { FeedItem } from '../../build/render/feed.ts';

type Feed = { feed_url: string; home_page_url: string; items: (FeedItem & { _svc: Pair })[] };
const feedIn = (folder: string): Feed => treeJson(`${folder}/feed.json`);

const { packs, revisions } = packManifest();
const pairs = (revisions?.meta['pairs'] ?? []) as Pair[];
const DATASETS = packs.flatMap(({ id, kind }) => (kind === 'observations' || kind === 'context' ? [id] : []));

describe('[REVISIONS-FEEDS] feeds', () => {
  test('the overall feed has one item per pair, the newest first, with an id that never changes', () => {
    const { feed_url, home_page_url, items } = feedIn('data/revisions');
    expect(home_page_url).toBe(`${TEST_SITE}/releases/`);
    expect(feed_url).toBe(`${TEST_SITE}/data/revisions/feed.json`);
    expect(items.map(({ _svc: { revisions: _query, ...pair } }) => pair).toSorted(byText)).toEqual(
      pairs.toSorted(byText),
    );
    expect(items.map(({ id }) => id)).toEqual(
      items.map(({ _svc: { datasetId, from, to } }) => `urn:svc:revisions:${datasetId}:${from}..${to}`),
    );
    const dates = items.map(({ date_published }) => date_published);
    expect(dates).toEqual(items.map(({ _svc }) => `${lastDay(String(_svc['to']))}T00:00:00Z`));
    expect(dates).toEqual(dates.toSorted().toReversed());
  });

  test('an item leads to its own differences and no others, for people and for programs', async () => {
    const app = testApp();
    const page = treeText('releases/index.html');
    for (const { url, content_html, _svc } of feedIn('data/revisions').items) {
      const { revisions: query, ...pair } = _svc;
      expect(url).toBe(`${TEST_SITE}/releases/#${pair['datasetId']}-${pair['to']}`);
      expect(page).toContain(`id="${url.split('#')[1]}"`);
      expect(unescaped(content_html)).toContain(`<a href="${query}">`);
      const response = await app.fetch(new Request(String(query)));
      const { data } = (await response.json()) as { data: Answer };
      expect(data.pairs).toEqual([pair]);
      const kinds = ['changed', 'added', 'withdrawn', 'became_unavailable', 'became_available', 'relabelled'];
      expect(data.page.matched).toBe(kinds.reduce((sum, kind) => sum + Number(pair[kind]), 0));
    }
  });

  test('each dataset of observations has its own items, and a feed where it has none', () => {
    const all = feedIn('data/revisions').items;
    for (const id of DATASETS)
      expect(feedIn(`data/revisions/${id}`).items).toEqual(
        all.filter(({ _svc }) => _svc['datasetId'] === id),
      );
  });

  test.each(['data/revisions', 'data/revisions/border-drug-seizures', 'data/revisions/opium-cultivation'])(
    '%s: readers of both forms find the same items',
    (folder) => {
      const { items = [] } = parseJsonFeed(feedIn(folder));
      const rss = parseRssFeed(treeText(`${folder}/feed.xml`));
      expect((rss.items ?? []).map(({ guid, link, title }) => [guid?.value, link, title])).toEqual(
        items.map(({ id, url, title }) => [id, url, title]),
      );
      const latest = items[0]?.date_published ?? '';
      expect(rss.lastBuildDate).toBe(latest === '' ? undefined : new Date(latest).toUTCString());
      expect(mediaTypeOf(`${folder}/feed.json`)).toBe('application/feed+json');
      expect(mediaTypeOf(`${folder}/feed.xml`)).toBe('application/rss+xml');
    },
  );

  test('an item says what differs and not why', () => {
    const { items } = feedIn('data/revisions');
    expect(items.length).toBeGreaterThan(0);
    expect(JSON.stringify(items)).not.toMatch(/correct|error|mistake|revised|wrong|fixed/i);
    expect(items.map(({ title }) => title)).toContainEqual(expect.stringMatching(/ differs from edition /));
  });
});

function byText(a: Pair, b: Pair): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
