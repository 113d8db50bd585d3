/** news/index.html: all stories, newest first, and the feeds. */
import type { Edition } from '../edition.ts';
import { escaped, raw } from '../../lib/html.ts';
import { page, rootFrom } from '../../render/site/layout.ts';
import type { Artifact } from '../../lib/tree.ts';
import { NEWS_INDEX } from './addresses.ts';
import { CHANGED_NOTE, FEED_DESCRIPTION, FEED_TITLE } from './feed-json.ts';

/** Renders the list of stories. */
export function renderNewsIndex(editions: Edition[], siteUrl: string): Artifact {
  const items = editions.map(
    ({ id, title, summary, published, changes, corrections }) => `<li>
<h2><a href="${id}/">${escaped(title.text)}</a></h2>
<p class="meta"><time datetime="${published}">${published}</time>${changes.length > 0 ? `<strong>${CHANGED_NOTE}</strong>` : ''}${corrections.length > 0 ? '<span>Corrected</span>' : ''}</p>
<p>${escaped(summary.text)}</p>
</li>`,
  );
  const body = `<h1>Newsroom</h1>
<p class="standfirst">${FEED_DESCRIPTION} Every number leads to the cell it was read from.</p>
<p class="meta"><a href="feed.json">JSON Feed</a><a href="feed.xml">RSS</a></p>
<ul class="stories">
${items.join('\n')}
</ul>`;
  return page(
    {
      path: NEWS_INDEX,
      title: FEED_TITLE,
      description: FEED_DESCRIPTION,
      body: raw(body),
      head: raw(feedLinks(rootFrom(NEWS_INDEX))),
    },
    siteUrl,
  );
}

/** Elements of the head by which readers find the feeds. */
export function feedLinks(root: string): string {
  return `<link rel="alternate" type="application/feed+json" title="${FEED_TITLE}" href="${root}news/feed.json">
<link rel="alternate" type="application/rss+xml" title="${FEED_TITLE}" href="${root}news/feed.xml">
`;
}
