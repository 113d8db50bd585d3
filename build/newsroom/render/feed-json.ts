/** news/feed.json, JSON Feed 1.1. Ids are urns that never change; `_svc` carries the machine brief and the cited dossier. */
import { absolute } from '../../../shim/core/paths.ts';
import type { Edition } from '../edition.ts';
import { prettyJsonArtifact, type Artifact } from '../../lib/tree.ts';
import { FEED_JSON, storyFileUrl, storyUrl, storyUrn } from './addresses.ts';
import { storyHtml } from './story-html.ts';

export const FEED_TITLE = 'Public Evidence newsroom';
export const FEED_DESCRIPTION =
  'Short stories from packaged public records: what they show, what they cannot show, and the countercase.';

/** What the feeds say of a story whose cited data changed. */
export const CHANGED_NOTE =
  'Cited data changed since this story was last reviewed; it prints the present values.';

/** Renders the JSON feed of the editions, newest first. */
export function renderJsonFeed(editions: Edition[], siteUrl: string): Artifact {
  return prettyJsonArtifact(FEED_JSON, {
    version: 'https://jsonfeed.org/version/1.1',
    title: FEED_TITLE,
    home_page_url: absolute(siteUrl, 'news/'),
    feed_url: absolute(siteUrl, FEED_JSON),
    description: FEED_DESCRIPTION,
    language: 'en',
    items: editions.map((edition) => ({
      id: storyUrn(edition.id),
      url: storyUrl(siteUrl, edition.id),
      title: edition.title.text,
      summary: feedSummary(edition),
      content_html: storyHtml(edition),
      date_published: feedDate(edition.published),
      date_modified: feedDate(edition.updated),
      language: 'en',
      _svc: {
        about: absolute(siteUrl, 'schemas/news-brief.schema.json'),
        brief: storyFileUrl(siteUrl, edition.id, 'brief.json'),
        dossier: storyFileUrl(siteUrl, edition.id, 'dossier.json'),
        cited_data_changed: edition.changes.length > 0,
        corrections: edition.corrections.map(({ date, passage }) => ({ date, text: passage.text })),
      },
    })),
  });
}

/** The summary as feeds show it, with the note on changed data first. */
export function feedSummary({ summary, changes }: Edition): string {
  return changes.length > 0 ? `${CHANGED_NOTE} ${summary.text}` : summary.text;
}

/** A day as the date-time feeds need. */
export function feedDate(day: string): string {
  return `${day}T00:00:00Z`;
}
