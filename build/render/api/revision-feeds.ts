/** The feeds of the revisions, one for all datasets and one for each, with an item per pair of editions. */
import definitions from '../../../shim/core/operations/definitions.json' with { type: 'json' };
import { lastDay } from '../../../shim/core/editions.ts';
import { absolute, REVISION_FEEDS, REVISIONS } from '../../../shim/core/paths.ts';
import type { PackManifest } from '../../../shim/core/types.ts';
import { apiAddress, datasetAddress, differencesAddress, RELEASES } from '../../../shim/view/address.ts';
import { byCodeUnits } from '../../lib/dataset.ts';
import { lines, markup } from '../../lib/html.ts';
import type { DatasetDocument } from '../../../shim/core/records.ts';
import type { Artifact } from '../../lib/tree.ts';
import type { EditionPair } from '../../pack/revisions.ts';
import { renderFeeds } from '../feed.ts';

const DESCRIPTION =
  'What differs between neighbouring editions. A difference says nothing about why the editions differ.';

/** The words for each count of a pair of editions, in this order. */
const OUTCOMES = {
  changed: 'changed',
  added: 'added in a period that both editions cover',
  withdrawn: 'withdrawn in a period that both editions cover',
  became_unavailable: 'became unavailable',
  became_available: 'became available',
  relabelled: 'relabelled',
  rounding_only: 'differ by rounding alone',
  unmatched: 'cannot be matched with certainty',
  new_periods: 'in new periods',
  left_window: 'in periods that left the table',
  same: 'the same',
} as const;

/** Renders the feeds of these current datasets; a dataset of one edition has a feed without items. */
export function renderRevisionFeeds(
  documents: readonly DatasetDocument[],
  { revisions }: PackManifest,
  siteUrl: string,
): Artifact[] {
  const pairs = newestPairs((revisions?.meta['pairs'] ?? []) as unknown as EditionPair[]);
  const observed = documents.filter(({ kind }) => kind === 'observations');
  const titles = new Map(observed.map(({ id, title }) => [id, title]));
  const feedOf = (of: string, folder: string, home: string, own: readonly EditionPair[]): Artifact[] => {
    const title = `${of}: differences between editions`;
    const items = own.map((pair) => itemOf(pair, titles.get(pair.datasetId) ?? '', siteUrl));
    const channel = { title, description: DESCRIPTION, folder, home };
    return renderFeeds(channel, items, siteUrl, ({ _svc: { revisions: href } }) => [
      { href, title: 'Revisions' },
    ]);
  };
  return [
    ...feedOf('Public Evidence', REVISION_FEEDS, RELEASES, pairs),
    ...observed.flatMap(({ id, title }) => {
      const own = pairs.filter(({ datasetId }) => datasetId === id);
      return feedOf(title, `${REVISION_FEEDS}/${id}`, datasetAddress(id), own);
    }),
  ];
}

/** Pairs of editions by the day of the newer one, the newest first. */
export function newestPairs(pairs: readonly EditionPair[]): EditionPair[] {
  return pairs.toSorted(
    (a, b) => byCodeUnits(lastDay(b.to), lastDay(a.to)) || byCodeUnits(a.datasetId, b.datasetId),
  );
}

/** The differences of a pair of editions and no others, as many on a page as the API gives. */
export function differencesQuery({ datasetId, to }: EditionPair): string {
  const day = lastDay(to);
  const limit = String(definitions.revisions.pageSize.maximum);
  return apiAddress(REVISIONS, { dataset: datasetId, since: day, until: day, limit });
}

/** What a pair of editions counts, in words; only what occurs. */
export function outcomesOf(pair: EditionPair): { words: string; count: number }[] {
  return (Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[])
    .map((outcome) => ({ words: OUTCOMES[outcome], count: pair[outcome] }))
    .filter(({ count }) => count > 0);
}

function itemOf(pair: EditionPair, title: string, siteUrl: string) {
  const { datasetId, from, to } = pair;
  const counts = outcomesOf(pair).map(({ words, count }) => `${count} ${words}`);
  const summary = `Records of edition ${to} next to edition ${from}: ${counts.join(', ')}.`;
  const date = `${lastDay(to)}T00:00:00Z`;
  const revisions = absolute(siteUrl, differencesQuery(pair));
  return {
    id: `urn:svc:${REVISIONS}:${datasetId}:${from}..${to}`,
    url: absolute(siteUrl, differencesAddress(datasetId, to)),
    title: `${title}: edition ${to} differs from edition ${from}`,
    summary,
    content_html: markup`<p>${summary} ${DESCRIPTION}</p>
<ul>
${lines(counts.map((count) => markup`<li>${count}</li>`))}
</ul>
<p><a href="${revisions}">Each difference as JSON</a></p>`.markup,
    date_published: date,
    date_modified: date,
    language: 'en',
    _svc: { ...pair, revisions },
  };
}
