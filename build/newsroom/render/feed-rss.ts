/** news/feed.xml, RSS 2.0, and the only importer of rss. The same items as the JSON feed; guids are urns, no permalinks. */
import RSS from 'rss';
import { absolute } from '../../../shim/core/paths.ts';
import type { Edition } from '../edition.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import { FEED_XML, storyFileUrl, storyUrl, storyUrn } from './addresses.ts';
import { FEED_DESCRIPTION, FEED_TITLE, feedDate, feedSummary } from './feed-json.ts';

/** Renders the RSS feed of the editions, newest first. */
export function renderRssFeed(editions: Edition[], siteUrl: string): Artifact {
  const feed = new RSS({
    title: FEED_TITLE,
    description: FEED_DESCRIPTION,
    feed_url: absolute(siteUrl, FEED_XML),
    site_url: absolute(siteUrl, 'news/'),
    language: 'en',
    generator: 'Public Evidence API',
  });
  for (const edition of editions) {
    feed.item({
      title: asMarkup(edition.title.text),
      description: asMarkup(feedSummary(edition)),
      url: storyUrl(siteUrl, edition.id),
      guid: storyUrn(edition.id),
      date: new Date(feedDate(edition.published)),
      custom_elements: [
        related(storyFileUrl(siteUrl, edition.id, 'brief.json'), 'Machine brief'),
        related(storyFileUrl(siteUrl, edition.id, 'dossier.json'), 'Cited dossier'),
      ],
    });
  }
  return textArtifact(FEED_XML, `${withDataClock(feed.xml({ indent: true }), editions)}\n`);
}

/** Readers take titles and descriptions for HTML, CDATA or not: what could be markup there is text. */
function asMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function related(href: string, title: string): object {
  return { 'atom:link': { _attr: { rel: 'related', type: 'application/json', title, href } } };
}

/** The library stamps the machine's clock; the feed's date is that of its latest story. */
function withDataClock(xml: string, editions: Edition[]): string {
  const latest = editions
    .map(({ updated }) => updated)
    .sort()
    .at(-1);
  const date =
    latest === undefined ? '' : `<lastBuildDate>${new Date(feedDate(latest)).toUTCString()}</lastBuildDate>`;
  return xml.replace(/<lastBuildDate>[^<]*<\/lastBuildDate>/, date);
}
