/** news/index.html: all stories, newest first, and the feeds. */
import { lines, markup, type Markup } from '../../lib/html.ts';
import type { Artifact } from '../../lib/tree.ts';
import { page, rootFrom } from '../../render/site/layout.ts';
import type { PrintedStory } from '../printed-story.ts';
import { NEWS_INDEX } from './addresses.ts';
import { CHANGED_NOTE, FEED_DESCRIPTION, FEED_TITLE, feedLinks } from './feeds.ts';

/** Renders the list of stories. */
export function renderNewsIndex(stories: PrintedStory[], siteUrl: string): Artifact {
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
