/** /releases/: what differs between each edition and the one before it, the newest first, and which release the page is of. */
import definitions from '../../../shim/core/operations/definitions.json' with { type: 'json' };
import { memberAt } from '../../../shim/core/json.ts';
import { DATA_FILES, RELEASE, REVISION_FEEDS } from '../../../shim/core/paths.ts';
import type { Revision } from '../../../shim/core/records.ts';
import {
  apiAddress,
  datasetAddress,
  differencesAddress,
  PAGES,
  RELEASES,
  rootFrom,
  rowsAddress,
} from '../../../shim/view/address.ts';
import { differencesTable } from '../../../shim/view/differences.ts';
import { code, el, hash, joinEach, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { facts as factList, list, section, table } from '../../../shim/view/table.ts';
import { counted, grouped } from '../../../shim/view/words.ts';
import { byCodeUnits } from '../../lib/dataset.ts';
import type { Artifact } from '../../lib/tree.ts';
import { KINDS, revisionCount, type EditionPair } from '../../pack/revisions.ts';
import { differencesQuery, newestPairs } from '../api/revision-feeds.ts';
import type { SiteFacts } from '../facts.ts';
import { dayOf, pairCounts } from './dataset-parts.ts';
import { framed } from './page.ts';
import { indicatorLabels } from './evidence.ts';

const PATH = `${RELEASES}index.html`;
const ROOT = rootFrom(PATH);

const FEEDS = [
  ['application/feed+json', `${REVISION_FEEDS}/feed.json`, 'JSON Feed'],
  ['application/rss+xml', `${REVISION_FEEDS}/feed.xml`, 'RSS'],
] as const;

/** Pairs of editions that have a section; the pages of the datasets count all of theirs. */
const MOST_PAIRS = 12;

/** Differences of one kind that are listed of a pair of editions. */
const MOST_OF_A_KIND = 10;

/** Renders the page. */
export function renderReleases(facts: SiteFacts): Artifact {
  const { evidence } = facts;
  const pairs = newestPairs(evidence.pairs);
  const description =
    'What differs between each edition of a table and the one before it, with both values and cells.';
  const body = [
    el('h1', {}, 'What changed'),
    el('p', { class: 'standfirst' }, [
      'What differs between each edition of a publisher’s table and the one before it, the newest first. A difference says nothing about why the editions differ.',
    ]),
    p(
      'As a feed, with an item for each edition: ',
      joinEach(FEEDS, ', ', ([, address, name]) => linkTo(ROOT, address, name)),
      '. Each dataset has one of its own.',
    ),
    section('cited', 'Did it touch a number that I cited?', [
      p(
        'Open the link of the number. ',
        code(`/${PAGES.records}<record id>@<edition>`),
        ' keeps showing the cell of that edition, and says so where another edition is current. Without a link, follow the place in the section of its dataset: the page of its rows lists every difference with what both editions print.',
      ),
    ]),
    section('editions', 'Editions', [pairs.length > 0 && overview(pairs, facts), alone(pairs, facts)]),
    pairs.slice(0, MOST_PAIRS).map((pair) => pairSection(pair, facts)),
    section('limits', 'How not to read differences', list(definitions.revisions.limitations)),
    release(facts),
  ];
  return framed(evidence, {
    path: PATH,
    title: 'What changed',
    description,
    body,
    alternates: FEEDS.map(([type, address]) => [type, address, 'Differences between editions']),
  });
}

/** All pairs of editions. The row of one without a section is what links to its differences lead to. */
function overview(pairs: readonly EditionPair[], facts: SiteFacts): Child {
  const older = new Set(pairs.slice(MOST_PAIRS));
  const addressOf = (pair: EditionPair): string =>
    older.has(pair) ? `${datasetAddress(pair.datasetId)}#differences` : addressIn(pair);
  return table(
    'Editions next to the one before, the newest first',
    pairs,
    [
      ['Dataset', (pair) => linkTo(ROOT, addressOf(pair), titleOf(pair, facts))],
      ['Published', ({ to }) => dayOf(to)],
      ['Retrieved', (pair) => dayOf(retrieved(pair, facts))],
      ['Before it', ({ from }) => dayOf(from)],
      [
        { numbers: 'Another value or status' },
        (pair) => grouped(pair.changed + pair.became_available + pair.became_unavailable),
      ],
      [{ numbers: 'Added' }, ({ added }) => grouped(added)],
      [{ numbers: 'Withdrawn' }, ({ withdrawn }) => grouped(withdrawn)],
      [{ numbers: 'In new periods' }, ({ new_periods: records }) => grouped(records)],
    ],
    (pair) => (older.has(pair) ? anchorOf(pair) : null),
  );
}

function addressIn({ datasetId, to }: EditionPair): string {
  return differencesAddress(datasetId, to);
}

function anchorOf(pair: EditionPair): string {
  return addressIn(pair).replace(/^.*#/, '');
}

/** The datasets of observations that have one edition. */
function alone(pairs: readonly EditionPair[], { evidence }: SiteFacts): Child {
  const compared = new Set(pairs.map(({ datasetId }) => datasetId));
  const single = [...evidence.documents.values()].filter(
    ({ id, kind }) => kind === 'observations' && !compared.has(id),
  );
  if (single.length === 0) return null;
  return p(
    'Of one edition, with nothing to compare it to: ',
    joinEach(single, ', ', ({ id, title, edition }) => [
      linkTo(ROOT, datasetAddress(id), title),
      ' (',
      dayOf(edition),
      ')',
    ]),
    '.',
  );
}

function titleOf({ datasetId }: EditionPair, { evidence }: SiteFacts): string {
  return evidence.documents.get(datasetId)?.title ?? datasetId;
}

/** When the file that has the date of the newer edition was retrieved. */
function retrieved({ datasetId, sourceId, to }: EditionPair, { evidence }: SiteFacts): string {
  const document = evidence.editions.get(datasetId)?.find(({ edition }) => edition === to);
  return document?.sources.find(({ id }) => id === sourceId)?.retrievedAt ?? '';
}

/** One pair of editions: its counts, some of each kind of difference, and where all of them are. */
function pairSection(pair: EditionPair, facts: SiteFacts): Child {
  const { datasetId, to } = pair;
  const { evidence } = facts;
  const differences = evidence.differences(pair);
  const shown = KINDS.filter((kind) => kind !== 'relabelled').flatMap((kind) =>
    differences.first(kind, MOST_OF_A_KIND),
  );
  const all = revisionCount(pair);
  const indicators = indicatorLabels(evidence.editions.get(datasetId) ?? []);
  const caption = `${shown.length} of ${counted(all, 'difference')}: at most ${MOST_OF_A_KIND} of each kind, and none that differs in its labels alone`;
  return section(anchorOf(pair), `${titleOf(pair, facts)}: edition ${to}`, [
    p(
      'Published ',
      dayOf(to),
      ', retrieved ',
      dayOf(retrieved(pair, facts)),
      '. ',
      linkTo(ROOT, datasetAddress(datasetId), 'The dataset'),
      ', ',
      linkTo(ROOT, `${REVISION_FEEDS}/${datasetId}/feed.xml`, 'its feed'),
    ),
    pairCounts(pair, ROOT),
    shown.length > 0 &&
      differencesTable(caption, shown, { root: ROOT, ...(indicators.size > 1 ? { indicators } : {}) }, [
        ['Place', ({ geoName }) => geoName],
      ]),
    all > 0 && places(pair, differences.places(), facts),
  ]);
}

/** The places with differences, each leading to all of its own: on the page of its rows, or in the API where it has none. */
function places(
  pair: EditionPair,
  found: readonly { one: Revision; count: number }[],
  { evidence }: SiteFacts,
): Child {
  const { datasetId } = pair;
  const byPlace = found.map(({ one, count }) => ({ geo: one.geoCode, name: one.geoName, count }));
  const hasPage = (geo: string): boolean =>
    evidence.hasRowPages(datasetId) && evidence.places.get(geo)?.rows.has(datasetId) === true;
  return el('details', {}, [
    el('summary', {}, `All differences, by place: ${byPlace.length}`),
    el('ul', { class: 'columns' }, [
      byPlace
        .toSorted((a, b) => byCodeUnits(a.name, b.name))
        .map(({ geo, name, count }) => [
          '\n',
          el('li', {}, [
            linkTo(
              ROOT,
              hasPage(geo)
                ? `${rowsAddress(datasetId, geo)}#differences`
                : `${differencesQuery(pair)}&geo=${geo}`,
              name,
            ),
            ' ',
            el('span', { class: 'soft' }, grouped(count)),
          ]),
        ]),
    ]),
  ]);
}

/** Which release the page is of. Serial and hash cover this page too, so that only release.json can say them. */
function release({ evidence, examples }: SiteFacts): Child {
  const hashed = String(memberAt(examples.get('capabilities')?.body, 'data.release.treeSha256') ?? '');
  return section('release', 'This release', [
    factList([
      ['Data as of', dayOf(evidence.generatedAt.slice(0, 10))],
      [
        'SHA-256 of its data files',
        [hash(hashed), ', over all that ', linkTo(ROOT, DATA_FILES, code(DATA_FILES)), ' lists'],
      ],
      [
        'Serial and hash',
        [
          'They cover every file, this page too, and are in ',
          linkTo(ROOT, RELEASE, code(RELEASE)),
          ': serial, hash, the release before it, when it expires, and whether it is signed.',
        ],
      ],
      [
        'Releases before',
        [
          'This page compares editions, not releases. The list of releases is ',
          code('datasets/releases.json'),
          ' in the repository of the service, and ',
          code('docs/trust.md'),
          ' there says how to check one.',
        ],
      ],
      [
        'For programs',
        [
          linkTo(ROOT, apiAddress('revisions'), 'differences'),
          ', ',
          linkTo(ROOT, apiAddress('editions'), 'editions'),
        ],
      ],
    ]),
  ]);
}
