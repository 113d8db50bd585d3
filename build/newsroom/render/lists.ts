/**
 * The lists of all stories, newest first: news/index.html, news/feed.json (JSON Feed 1.1; `_svc` has machine brief and cited
 * dossier) and news/feed.xml (RSS 2.0).
 */
import { absolute } from '../../../shim/core/paths.ts';
import type { Trusted } from '../../../shim/view/node.ts';
import { lines, markup } from '../../lib/html.ts';
import type { Artifact } from '../../lib/tree.ts';
import { renderFeeds } from '../../render/feed.ts';
import { framed } from '../../render/site/page.ts';
import type { CheckedStory, MissingStory } from '../citation.ts';
import { headOf, htmlOf, type StoryHead } from '../printed.ts';
import { FEED_JSON, storyUrn } from '../story.ts';

const NEWS_INDEX = 'news/index.html';
const FEED_XML = 'news/feed.xml';

/** What the list and both feeds say about themselves. */
const CHANNEL = {
  title: 'Public Evidence newsroom',
  description:
    'Short stories from packaged public records: what they show, what they cannot show, and the countercase.',
  folder: 'news',
  home: 'news/',
};

/** What the feeds say about a story whose cited data changed. */
const CHANGED_NOTE =
  'Cited data changed since this story was last reviewed; the story shows the current values.';

/** A story in the lists: its facts, and the HTML of its text for feed readers. */
export interface ListedStory {
  head: StoryHead;
  html: string;
}

/** Makes the entry of a story in the lists. */
export function listedStory(story: CheckedStory, siteUrl: string): ListedStory {
  return { head: headOf(story, siteUrl), html: feedHtml(story) };
}

/** Renders the files that list stories, in the order given; the page also says which are missing, and why. */
export function renderLists(
  stories: readonly ListedStory[],
  siteUrl: string,
  missing: readonly MissingStory[] = [],
): Artifact[] {
  const items = stories.map((story) => itemOf(story, siteUrl));
  return [
    renderNewsIndex(stories, siteUrl, missing),
    ...renderFeeds(CHANNEL, items, siteUrl, ({ _svc }) => [
      { href: _svc.brief, title: 'Machine brief' },
      { href: _svc.dossier, title: 'Cited dossier' },
    ]),
  ];
}

function renderNewsIndex(
  stories: readonly ListedStory[],
  siteUrl: string,
  missing: readonly MissingStory[],
): Artifact {
  const absent = missing.map(({ id, reason }) => markup`<p><code>${id}</code>: ${reason}</p>`);
  const body = markup`<h1>Newsroom</h1>
<p class="standfirst">${CHANNEL.description} Every number leads to the cell it was read from.</p>
<p class="meta"><a href="feed.json">JSON Feed</a><a href="feed.xml">RSS</a></p>
<ul class="stories">
${lines(stories.map(({ head }) => entryOf(head)))}
</ul>${absent.length === 0 ? '' : markup`\n<h2>Not in this release</h2>\n${lines(absent)}`}`;
  return framed(
    { siteUrl, generatedAt: null },
    { title: CHANNEL.title, description: CHANNEL.description, path: NEWS_INDEX, body },
  );
}

function entryOf({ story, title, summary, published, citedDataChanged, corrections }: StoryHead): Trusted {
  const changed = citedDataChanged ? markup`<strong>${CHANGED_NOTE}</strong>` : '';
  const corrected = corrections.length > 0 ? markup`<span>Corrected</span>` : '';
  return markup`<li>
<h2><a href="${story}/">${title}</a></h2>
<p class="meta"><time datetime="${published}">${published}</time>${changed}${corrected}</p>
<p>${summary}</p>
</li>`;
}

/** An item of JSON Feed; RSS has the same items. */
function itemOf({ head: story, html }: ListedStory, siteUrl: string) {
  const { id, url, title, summary, published, updated, ...head } = story;
  return {
    id,
    url,
    title,
    // With the note on changed data first.
    summary: head.citedDataChanged ? `${CHANGED_NOTE} ${summary}` : summary,
    content_html: html,
    date_published: `${published}T00:00:00Z`,
    date_modified: `${updated}T00:00:00Z`,
    language: 'en',
    _svc: {
      about: absolute(siteUrl, 'schemas/news-brief.schema.json'),
      brief: head.links.brief,
      dossier: head.links.dossier,
      cited_data_changed: head.citedDataChanged,
      corrections: head.corrections,
    },
  };
}

/** The text without links, because feed readers have no list of citations to lead to. */
function feedHtml(story: CheckedStory): string {
  const blocks = story.blocks.flatMap((block) => {
    if (block.kind === 'chart') return [];
    const text = block.sentences.map((sentence) => htmlOf(story, sentence).markup).join(' ');
    const plain = text.replaceAll(/<a class="c[^>]*>|<\/a>|<\/?data\b[^>]*>/g, '');
    if (block.kind === 'heading') return [`<h2>${plain}</h2>`];
    return [`<p>${block.kind === 'synthesis' ? '<strong>Synthesis.</strong> ' : ''}${plain}</p>`];
  });
  return blocks.join('\n');
}

/** For each list: a pattern of the entry of a story, and the text by which it names one. */
const ENTRIES: Record<string, { entry: RegExp; name: (id: string) => string }> = {
  [NEWS_INDEX]: { entry: /<li>\n<h2>[\s\S]*<\/li>/, name: (id) => `href="${id}/"` },
  [FEED_JSON]: { entry: /\n {4}\{[\s\S]*\n {4}\}/, name: (id) => `"${storyUrn(id)}"` },
  [FEED_XML]: { entry: /<item>[\s\S]*<\/item>/, name: (id) => `>${storyUrn(id)}<` },
};

/** Whether a list of stories has the entry that the list rendered for the story alone has, and only once. */
export function hasEntry(published: string, alone: string, path: string, id: string): boolean {
  const { entry, name } = ENTRIES[path] ?? {};
  const [wanted = ''] = entry?.exec(alone) ?? [];
  const [before = '', ...after] = published.split(wanted);
  return after.length === 1 && !`${before}${after.join('')}`.includes(name?.(id) ?? '');
}
