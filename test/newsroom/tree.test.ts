/** The published newsroom: both feeds carry the same items, every link of theirs resolves, pages load nothing from elsewhere. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseJsonFeed, parseRssFeed } from 'feedsmith';
import Parser from 'rss-parser';
import { describe, expect, it } from 'vitest';
import briefSchema from '../../schemas/news-brief.schema.json' with { type: 'json' };
import dossierSchema from '../../schemas/news-dossier.schema.json' with { type: 'json' };
import { validator } from '../../shim/core/schema.ts';
import { builtTree, TEST_SITE, treeText, treeJson } from '../_support/tree.ts';
import type { FeedItem } from '../../build/render/feed.ts';

type Item = FeedItem & { _svc: { brief: string; dossier: string; cited_data_changed: boolean } };

const STORIES = [
  'belgium-cocaine-seizures-labels',
  'bolivia-informality-by-model',
  'colombia-firearms-zero-and-blank',
  'opium-broken-best-estimates',
  'peru-coca-area-concepts',
];
const feed = treeJson<Record<string, unknown> & { items: Item[] }>('news/feed.json');
const xml = treeText('news/feed.xml');
const rss = parseRssFeed(xml);

describe('[NEWS-FEEDS] feeds', () => {
  it('JSON Feed 1.1 with ids that are literals others depend on', () => {
    expect(feed['version']).toBe('https://jsonfeed.org/version/1.1');
    expect(feed['feed_url']).toBe(`${TEST_SITE}/news/feed.json`);
    expect(feed.items.map(({ id }) => id)).toEqual(STORIES.map((id) => `urn:svc:news:${id}`));
    expect(feed.items.map(({ url }) => url)).toEqual(STORIES.map((id) => `${TEST_SITE}/news/${id}/`));
  });

  it('RSS 2.0 carries the same items to two readers, with guids that are not permalinks', async () => {
    const published = feed.items.map(({ id, url, title, summary, date_published }) => ({
      id,
      url,
      title,
      summary,
      date: new Date(date_published).toISOString(),
    }));
    const { items } = await new Parser().parseString(xml);
    expect(
      items.map(({ guid, link, title, content, isoDate }) => ({
        id: guid,
        url: link,
        title,
        summary: content,
        date: isoDate,
      })),
    ).toEqual(published);
    expect(
      rss.items?.map(({ guid, link, title, description, pubDate }) => ({
        id: guid?.value,
        url: link,
        title,
        summary: description,
        date: new Date(pubDate ?? '').toISOString(),
      })),
    ).toEqual(published);
    expect(rss.items?.map(({ guid }) => guid?.isPermaLink)).toEqual(STORIES.map(() => false));
    expect(rss.items?.map(({ atom }) => atom?.links?.map(({ href }) => href))).toEqual(
      feed.items.map(({ _svc }) => [_svc.brief, _svc.dossier]),
    );
  });

  it('a reader of JSON Feed reads feed.json whole', () => {
    const parsed = parseJsonFeed(feed);
    expect(parsed.feed_url).toBe(feed['feed_url']);
    const members = ['id', 'url', 'title', 'summary', 'date_published', 'date_modified'] as const;
    expect(parsed.items?.map((item) => members.map((member) => item[member]))).toEqual(
      feed.items.map((item) => members.map((member) => item[member])),
    );
  });

  it('RSS does not depend on the clock of the machine', () => {
    const dates = feed.items.map(({ date_modified }) => date_modified).sort();
    const latest = dates.at(-1) ?? '';
    expect(rss.lastBuildDate).toBe(new Date(latest).toUTCString());
  });

  it('every link of both feeds resolves to a published file', () => {
    const links = [
      ...`${JSON.stringify(feed)} ${xml}`.matchAll(/https:\/\/evidence\.example\/([^"<\\ ]*)/g),
    ].map(([, path = '']) => (path.endsWith('/') ? `${path}index.html` : path));
    expect(links.length).toBeGreaterThan(STORIES.length * 4);
    expect(links.filter((link) => !existsSync(join(builtTree(), link)))).toEqual([]);
  });
});

describe.each(STORIES)('%s', (id) => {
  const page = treeText(`news/${id}/index.html`);
  const brief = JSON.parse(treeText(`news/${id}/brief.json`)) as Record<string, unknown>;
  const dossier = JSON.parse(treeText(`news/${id}/dossier.json`)) as Record<string, unknown>;

  it('[NEWS-DOCUMENTS] has a valid brief and dossier', () => {
    expect(validator(briefSchema)(brief)).toBeNull();
    expect(validator(dossierSchema)(dossier)).toBeNull();
  });

  it('says what the record shows, what it cannot show, and the countercase', () => {
    const headings = [...page.matchAll(/<h2><span[^>]*>([^<]*)/g)].map(([, text]) => text);
    expect(headings).toEqual(['What the record shows', 'What it cannot show', 'The countercase']);
  });

  it('has one chart with its table and its data, one mark for each cell', () => {
    expect(page.match(/<figure /g)).toHaveLength(1);
    expect(page).toContain('<caption>');
    expect(page).not.toMatch(/>unavailable: [a-z]+_/);
    const rows = treeText(`news/${id}/data.csv`).trim().split('\n').length - 1;
    const { charts } = dossier as { charts: { points: { recordId: string; value: number | null }[] }[] };
    expect(charts.map(({ points }) => points.length)).toEqual([rows]);
    const marks = [...page.matchAll(/data-record="([^"]+)"[^>]* data-value="([^"]*)"/g)];
    const drawn = marks.map(([, record = '', value = '']) => `${record} ${value}`).sort();
    const cited = charts.flatMap(({ points }) =>
      points.map(({ recordId, value }) => `${recordId.replace(/@.*/, '')} ${value ?? ''}`),
    );
    expect(drawn).toEqual(cited.sort());
  });

  it('loads nothing from elsewhere and needs no script; relative links lead to files', () => {
    expect(page).not.toMatch(
      /<script(?! type="(?:application\/ld\+json|module)")|<iframe|<img|@import|<link rel="stylesheet" href="http/,
    );
    const links = [...page.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, link = '']) => link);
    const known = /^(https?:|(\.\.\/)+((explore|docs|sources\/[^/]+)\/|openapi\.json|r\/.+)?$)/;
    const broken: string[] = [];
    for (const link of links.filter((href) => !known.test(href))) {
      const path = join(builtTree(), `news/${id}`, link.endsWith('/') ? `${link}index.html` : link);
      if (!existsSync(path)) broken.push(link);
    }
    expect(broken).toEqual([]);
  });

  it('names a cited record by the id that its page has', () => {
    const named = [...page.matchAll(/<a href="(?:\.\.\/)+r\/([^"]+)">([^<]+@[^<]+)<\/a>/g)];
    expect(named.length).toBeGreaterThan(3);
    expect(named.map(([, , text]) => text)).toEqual(named.map(([, address]) => address));
  });

  it('[NEWS-DOCUMENTS] can be cited with record id, sha256 of the dataset and day of retrieval', () => {
    const { records, citations } = dossier as {
      records: { recordId: string; cite: { text: string; bibtex: string; csl: { note: string } } }[];
      citations: { recordId: string; datasetSha256: string; retrievedAt: string }[];
    };
    for (const { recordId, cite } of records) {
      const cited = citations.find((citation) => citation.recordId === recordId);
      for (const part of [recordId, cited?.datasetSha256, cited?.retrievedAt])
        expect(cite.text).toContain(part);
      expect(cite.csl.note).toContain(cited?.datasetSha256);
      expect(cite.bibtex).toMatch(/^@misc\{[^,\s]+,\n {2}author = /);
    }
    expect(treeText(`news/${id}/cite.bib`).match(/^@/gm)).toHaveLength(records.length + 1);
    expect(JSON.parse(treeText(`news/${id}/cite.json`))).toHaveLength(records.length + 1);
  });
});
