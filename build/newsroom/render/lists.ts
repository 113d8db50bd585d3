/**
 * The lists of all stories, newest first, and the only importer of rss: news/index.html, news/feed.json (JSON Feed 1.1; `_svc`
 * has machine brief and cited dossier) and news/feed.xml (RSS 2.0). Ids are urns that never change, not links.
 */
import RSS from 'rss';
import { absolute } from '../../../shim/core/paths.ts';
import { lines, markup, type Markup } from '../../lib/html.ts';
import { prettyJsonArtifact, textArtifact, type Artifact } from '../../lib/tree.ts';
import { page, rootFrom } from '../../render/site/layout.ts';
import type { PrintedStory } from '../printed-story.ts';
import { FEED_JSON, FEED_XML, NEWS_INDEX, storyUrl, storyUrn } from './addresses.ts';
import { feedHtml } from './story-html.ts';

const FEED_TITLE = 'Public Evidence newsroom';
const FEED_DESCRIPTION =
  'Short stories from packaged public records: what they show, what they cannot show, and the countercase.';

/** What the feeds say of a story whose cited data changed. */
const CHANGED_NOTE =
  'Cited data changed since this story was last reviewed; the story shows the current values.';

/** Elements of a page's head by which readers find the feeds. */
export function feedLinks(root: string): Markup {
  const links = [
    ['application/feed+json', FEED_JSON],
    ['application/rss+xml', FEED_XML],
  ] as const;
  return markup`${lines(
    links.map(
      ([type, path]) =>
        markup`<link rel="alternate" type="${type}" title="${FEED_TITLE}" href="${root}${path}">`,
    ),
  )}
`;
}

/** Renders the files that list all stories. */
export function renderLists(stories: PrintedStory[], siteUrl: string): Artifact[] {
  return [
    renderNewsIndex(stories, siteUrl),
    renderJsonFeed(stories, siteUrl),
    renderRssFeed(stories, siteUrl),
  ];
}

/** Renders the list of stories. */
function renderNewsIndex(stories: PrintedStory[], siteUrl: string): Artifact {
  const body = markup`<h1>Newsroom</h1>
<p class="standfirst">${FEED_DESCRIPTION} Every number leads to the cell it was read from.</p>
<p class="meta"><a href="feed.json">JSON Feed</a><a href="feed.xml">RSS</a></p>
<ul class="stories">
${lines(stories.map(itemOf))}
</ul>`;
  const head = feedLinks(rootFrom(NEWS_INDEX));
  return page({ path: NEWS_INDEX, title: FEED_TITLE, description: FEED_DESCRIPTION, body, head }, siteUrl);
}

function itemOf({ id, title, summary, published, changes, corrections }: PrintedStory): Markup {
  const changed = changes.length > 0 ? markup`<strong>${CHANGED_NOTE}</strong>` : '';
  const corrected = corrections.length > 0 ? markup`<span>Corrected</span>` : '';
  return markup`<li>
<h2><a href="${id}/">${title.text}</a></h2>
<p class="meta"><time datetime="${published}">${published}</time>${changed}${corrected}</p>
<p>${summary.text}</p>
</li>`;
}

/** Renders the JSON feed. */
function renderJsonFeed(stories: PrintedStory[], siteUrl: string): Artifact {
  return prettyJsonArtifact(FEED_JSON, {
    version: 'https://jsonfeed.org/version/1.1',
    title: FEED_TITLE,
    home_page_url: absolute(siteUrl, 'news/'),
    feed_url: absolute(siteUrl, FEED_JSON),
    description: FEED_DESCRIPTION,
    language: 'en',
    items: stories.map((story) => ({
      id: storyUrn(story.id),
      url: storyUrl(siteUrl, story.id),
      title: story.title.text,
      summary: feedSummary(story),
      content_html: feedHtml(story),
      date_published: feedDate(story.published),
      date_modified: feedDate(story.updated),
      language: 'en',
      _svc: {
        about: absolute(siteUrl, 'schemas/news-brief.schema.json'),
        brief: storyUrl(siteUrl, story.id, 'brief.json'),
        dossier: storyUrl(siteUrl, story.id, 'dossier.json'),
        cited_data_changed: story.changes.length > 0,
        corrections: story.corrections.map(({ date, passage }) => ({ date, text: passage.text })),
      },
    })),
  });
}

/** Renders the RSS feed. */
export function renderRssFeed(stories: PrintedStory[], siteUrl: string): Artifact {
  const feed = new RSS({
    title: FEED_TITLE,
    description: FEED_DESCRIPTION,
    feed_url: absolute(siteUrl, FEED_XML),
    site_url: absolute(siteUrl, 'news/'),
    language: 'en',
    generator: 'Public Evidence API',
  });
  for (const story of stories)
    feed.item({
      title: asText(story.title.text),
      description: asText(feedSummary(story)),
      url: storyUrl(siteUrl, story.id),
      guid: storyUrn(story.id),
      date: new Date(feedDate(story.published)),
      custom_elements: [
        related(storyUrl(siteUrl, story.id, 'brief.json'), 'Machine brief'),
        related(storyUrl(siteUrl, story.id, 'dossier.json'), 'Cited dossier'),
      ],
    });
  // The library has no option for this date and takes the machine's clock; here it is that of the latest story.
  const [latest] = stories.map(({ updated }) => feedDate(updated)).sort((a, b) => (a < b ? 1 : -1));
  const date = latest === undefined ? '' : `<lastBuildDate>${new Date(latest).toUTCString()}</lastBuildDate>`;
  const xml = feed.xml({ indent: true }).replace(/<lastBuildDate>[^<]*<\/lastBuildDate>/, date);
  return textArtifact(FEED_XML, `${xml}\n`);
}

/** Readers take titles and descriptions for HTML, CDATA or not: what could be markup there is text. */
function asText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function related(href: string, title: string): object {
  return { 'atom:link': { _attr: { rel: 'related', type: 'application/json', title, href } } };
}

/** The summary as feeds show it, with the note on changed data first. */
function feedSummary({ summary, changes }: PrintedStory): string {
  return changes.length > 0 ? `${CHANGED_NOTE} ${summary.text}` : summary.text;
}

/** A day as the date-time feeds need. */
function feedDate(day: string): string {
  return `${day}T00:00:00Z`;
}
