/** How to cite a story and the records it rests on (shim/core/cite.ts). Used by pages, briefs, dossiers and cite files. */
import { memberAt } from '../../shim/core/json.ts';
import { citeRecord, formsOf, SERVICE, type CiteBlock } from '../../shim/core/cite.ts';
import { absolute } from '../../shim/core/paths.ts';
import { atlasRecordId, recordAddress } from '../../shim/view/address.ts';
import { textAt, type Cell, type CheckedStory, type Citation } from './citation.ts';
import { textOf } from './printed.ts';
import { storyUrl, storyUrn } from './story.ts';

/** One citation for each record a story cites in its text. */
export function citedRecords({ citations }: CheckedStory): Citation[] {
  const records = new Map<string, Citation>();
  for (const citation of citations.values())
    records.set(`${citation.dataset}:${citation.recordId}`, citation);
  return [...records.values()];
}

/** How to cite a packaged record. */
export function citeCited({ dataset, recordId, cell }: Citation, siteUrl: string): CiteBlock {
  const name = recordName(cell);
  return citeRecord({
    dataset,
    recordId,
    packSha256: cell.dataset.sha256,
    locator: cell.locator,
    source: cell.source,
    address: name === null ? null : absolute(siteUrl, recordAddress(name)),
  });
}

/** The id of a record with its edition, which its page is called by; null for a designation, whose page has no edition. */
export function recordName({ record, dataset: { document } }: Cell): string | null {
  const { id, kind, edition } = document;
  if (kind === 'entities') return null;
  if (kind === 'observations') return `${textAt(record, 'id')}@${textAt(record, 'edition')}`;
  // An atlas calls its records by its domain in stories, and by its dataset everywhere else.
  const year = Number(memberAt(record, 'data.year'));
  return `${atlasRecordId(id, textAt(record, 'data.iso3') ?? '', year)}@${edition}`;
}

/** How to cite a story with the datasets it rests on. */
export function citeStory(story: CheckedStory, siteUrl: string): CiteBlock {
  const { id: name, published: issued } = story;
  const [id, url, title] = [storyUrn(name), storyUrl(siteUrl, name), textOf(story, story.title)];
  const records = citedRecords(story);
  const data = records.map(
    ({ dataset, cell }) => `${dataset} (sha256 ${cell.dataset.sha256}, retrieved ${cell.source.retrievedAt})`,
  );
  const ids = records.map(({ recordId }) => recordId).join(', ');
  const note = `Data: ${[...new Set(data)].join('; ')}. Records: ${ids}`;
  const retrieved = records.map(({ cell }) => cell.source.retrievedAt).sort();
  return formsOf({
    id,
    type: 'webpage',
    author: SERVICE,
    title,
    issued,
    accessed: retrieved.at(-1) ?? issued,
    url,
    note,
    text: `${SERVICE}, "${title}" (${issued}). ${id}. ${url}. ${note}.`,
  });
}
