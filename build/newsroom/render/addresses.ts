/** Paths and names of the newsroom. A story's urn never changes, wherever the site is. */
import { absolute } from '../../../shim/core/paths.ts';

export const NEWS_INDEX = 'news/index.html';
export const FEED_JSON = 'news/feed.json';
export const FEED_XML = 'news/feed.xml';

/** The stable identifier of a story. */
export function storyUrn(id: string): string {
  return `urn:svc:news:${id}`;
}

/** A file of a story: `index.html`, `story.md`, `brief.json`, `dossier.json`, `data.csv`, `cite.bib`, `cite.json`. */
export function storyPath(id: string, file: string): string {
  return `news/${id}/${file}`;
}

/** The exact address of a story's page, or of another file of it. */
export function storyUrl(siteUrl: string, id: string, file = ''): string {
  return absolute(siteUrl, storyPath(id, file));
}
