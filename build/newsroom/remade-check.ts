/** Every file of a published story against the one made again from the records: the first line that differs is told. */
import type { JsonObject, JsonValue } from '../../shim/core/types.ts';
import { storyArtifacts } from './render/newsroom.ts';
import { FEED_JSON, FEED_XML, NEWS_INDEX, storyPath, storyUrn } from './render/addresses.ts';
import { renderJsonFeed } from './render/feed-json.ts';
import { renderRssFeed } from './render/feed-rss.ts';
import { renderNewsIndex } from './render/index-page.ts';
import type { Edition } from './edition.ts';
import type { Mirror } from './mirror.ts';
import { firstDifference } from './page-check.ts';
import type { Report } from './published-story.ts';
import { isObject } from './records.ts';

/** Compares page, brief, dossier, chart data and cite files, byte for byte; `url` is the story's own address. */
export async function checkRemade(
  edition: Edition,
  url: string,
  mirror: Mirror,
  report: Report,
): Promise<void> {
  const end = `/${storyPath(edition.id, '')}`;
  if (!url.endsWith(end))
    return report(storyPath(edition.id, 'dossier.json'), `url "${url}" is not the story's`);
  const siteUrl = url.slice(0, -end.length);
  for (const { path, bytes } of storyArtifacts(edition, siteUrl)) {
    const published = await mirror.bytes(path);
    if (!published || published.equals(bytes)) continue;
    const { line, found, wanted } = firstDifference(
      published.toString('utf8'),
      Buffer.from(bytes).toString('utf8'),
    );
    report(
      path,
      `line ${line} reads ${JSON.stringify(found)}, the records make it ${JSON.stringify(wanted)}`,
    );
  }
  await checkListings(edition, siteUrl, mirror, report);
}

/** What the list of stories and both feeds say of the story; they are shared with other stories. */
async function checkListings(
  edition: Edition,
  siteUrl: string,
  mirror: Mirror,
  report: Report,
): Promise<void> {
  const part = async (path: string, alone: Uint8Array, pattern: RegExp): Promise<void> => {
    const [item = ''] = pattern.exec(Buffer.from(alone).toString('utf8')) ?? [];
    const published = await mirror.bytes(path);
    if (published && !published.includes(item))
      report(path, 'what it says of the story is not what the records make it');
  };
  await part(FEED_XML, renderRssFeed([edition], siteUrl).bytes, /<item>[\s\S]*<\/item>/);
  await part(NEWS_INDEX, renderNewsIndex([edition], siteUrl).bytes, /<li>\n<h2>[\s\S]*<\/li>/);
  const items = (document: JsonObject | null): JsonValue[] =>
    Array.isArray(document?.['items']) ? document['items'] : [];
  const [wanted] = items(
    JSON.parse(Buffer.from(renderJsonFeed([edition], siteUrl).bytes).toString('utf8')) as JsonObject,
  );
  const found = items(await mirror.json(FEED_JSON)).filter(
    (item) => isObject(item) && item['id'] === storyUrn(edition.id),
  );
  if (found.length !== 1 || JSON.stringify(found[0]) !== JSON.stringify(wanted))
    report(FEED_JSON, 'what it says of the story is not what the records make it');
}
