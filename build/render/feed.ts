/** A list of items as JSON Feed 1.1 and as RSS 2.0 with the same items; the only importer of rss. */
import RSS from 'rss';
import { absolute } from '../../shim/core/paths.ts';
import { prettyJsonArtifact, textArtifact, type Artifact } from '../lib/tree.ts';

/** What a feed says about itself; `folder` is where its two files are, `home` the page it belongs to. */
export interface Channel {
  title: string;
  description: string;
  folder: string;
  home: string;
}

/** An item as JSON Feed writes it. The id is a urn that never changes, not a link. */
export interface FeedItem {
  id: string;
  url: string;
  title: string;
  summary: string;
  content_html: string;
  date_published: string;
  date_modified: string;
  language: string;
  _svc?: object;
}

/** A document behind an item. */
export interface Related {
  href: string;
  title: string;
}

/** Renders feed.json and feed.xml; `related` gives the documents behind an item. */
export function renderFeeds<Item extends FeedItem>(
  { title, description, folder, home }: Channel,
  items: readonly Item[],
  siteUrl: string,
  related: (item: Item) => Related[],
): Artifact[] {
  const [jsonPath, xmlPath] = [`${folder}/feed.json`, `${folder}/feed.xml`];
  const version = 'https://jsonfeed.org/version/1.1';
  const language = 'en';
  const home_page_url = absolute(siteUrl, home);
  const feed_url = absolute(siteUrl, jsonPath);
  const feed = new RSS({
    title,
    description,
    language,
    feed_url: absolute(siteUrl, xmlPath),
    site_url: home_page_url,
    generator: 'Public Evidence API',
  });
  for (const item of items)
    feed.item({
      title: asText(item.title),
      description: asText(item.summary),
      url: item.url,
      guid: item.id,
      date: new Date(item.date_published),
      custom_elements: related(item).map(({ href, title: name }) => ({
        'atom:link': { _attr: { rel: 'related', type: 'application/json', title: name, href } },
      })),
    });
  // The library has no option for this date and takes the machine's clock; here it is that of the latest item.
  const [latest] = items
    .map(({ date_modified }) => new Date(date_modified))
    .sort((a, b) => Number(b) - Number(a));
  const date = latest === undefined ? '' : `<lastBuildDate>${latest.toUTCString()}</lastBuildDate>`;
  const xml = feed.xml({ indent: true }).replace(/<lastBuildDate>[^<]*<\/lastBuildDate>/, date);
  return [
    prettyJsonArtifact(jsonPath, { version, title, home_page_url, feed_url, description, language, items }),
    textArtifact(xmlPath, `${xml}\n`),
  ];
}

/** Feed readers parse titles and descriptions as HTML, in CDATA or not, so markup characters are escaped. */
function asText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
