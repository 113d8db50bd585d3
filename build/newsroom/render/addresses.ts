/** Paths and names of the newsroom. A story's urn never changes, wherever the site stands. */
import { absolute } from '../../../shim/core/paths.ts';

export const NEWS_INDEX = 'news/index.html';
export const FEED_JSON = 'news/feed.json';
export const FEED_XML = 'news/feed.xml';

/** The stable identifier of a story. */
export function storyUrn(id: string): string {
  return `urn:svc:news:${id}`;
}

/** A file of a story: `index.html`, `brief.json`, `dossier.json`, `data.csv`, `cite.bib`, `cite.json`. */
export function storyPath(id: string, file: string): string {
  return `news/${id}/${file}`;
}

/** The exact address of a story's page. */
export function storyUrl(siteUrl: string, id: string): string {
  return absolute(siteUrl, `news/${id}/`);
}

/** A story's file as an address. */
export function storyFileUrl(siteUrl: string, id: string, file: string): string {
  return absolute(siteUrl, storyPath(id, file));
}
