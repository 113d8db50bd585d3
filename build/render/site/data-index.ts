/** /data/: every dataset, and the files that describe the data for programs. */
import { sortedByName } from '../../../shim/core/name-order.ts';
import {
  CATALOG,
  CROISSANT,
  DATA_FILES,
  DATAPACKAGE,
  DCAT,
  EDITIONS,
  EVIDENCE_FILE,
  OPENAPI,
  packPath,
  REVISION_FEEDS,
  REVISIONS,
  SUMS,
} from '../../../shim/core/paths.ts';
import { datasetAddress, PAGES, RELEASES, rootFrom } from '../../../shim/view/address.ts';
import { code, el, linkTo } from '../../../shim/view/node.ts';
import { list, listEach, section, table } from '../../../shim/view/table.ts';
import { grouped } from '../../../shim/view/words.ts';
import type { Artifact } from '../../lib/tree.ts';
import { COLLECTION } from '../bulk/release.ts';
import type { SiteFacts } from '../facts.ts';
import { catalogData } from './dataset-json-ld.ts';
import { commercialUse, dayOf, firstDue, spanOfDays } from './dataset-parts.ts';
import { framed } from './page.ts';

/** The files for programs, each with what it is for. */
const FOR_PROGRAMS: readonly (readonly [path: string, words: string])[] = [
  [CATALOG, 'the market catalog: datasets, indicators, places, labels, sources'],
  [DATA_FILES, 'every data file with its size and SHA-256, and how fresh each source is'],
  [EDITIONS, 'every edition of every source'],
  [DATAPACKAGE, 'the release as a Frictionless Data Package'],
  [CROISSANT, 'the release in the ML Commons Croissant vocabulary'],
  [DCAT, 'the release as a DCAT-AP catalogue'],
  [packPath(REVISIONS), 'what differs between editions, record by record'],
  [`${REVISION_FEEDS}/feed.json`, 'the same as a JSON Feed, an item for each pair of editions'],
  [`${REVISION_FEEDS}/feed.xml`, 'the same as an RSS feed'],
  [
    EVIDENCE_FILE,
    'the records of all datasets, their sources, indicators and revisions as one SQLite database',
  ],
  [OPENAPI, 'the API'],
  [SUMS, 'the SHA-256 of every published file'],
];

/** Renders the list of all datasets. */
export function renderDataIndex(facts: SiteFacts): Artifact {
  const { bulk, manifest, evidence } = facts;
  const path = `${PAGES.data}index.html`;
  const root = rootFrom(path);
  const body = [
    el('h1', {}, 'Data'),
    el('p', { class: 'standfirst' }, COLLECTION.description),
    table(
      `Datasets; due dates at ${evidence.generatedAt.slice(0, 10)}`,
      sortedByName(
        bulk.datasets.map(({ document }) => document),
        ({ title }) => title,
      ),
      [
        ['Dataset', ({ id, title }) => linkTo(root, datasetAddress(id), title)],
        [{ numbers: 'Records' }, ({ records }) => grouped(records)],
        ['Edition', ({ edition }) => dayOf(edition)],
        ['Next one', ({ sources }) => firstDue(sources)],
        ['Periods', ({ firstPeriod, lastPeriod }) => spanOfDays(firstPeriod, lastPeriod)],
        ['Commercial use', ({ sources }) => commercialUse(sources)],
      ],
    ),
    manifest.unavailable.length === 0
      ? null
      : section('unavailable', 'Not in this release', [
          listEach(manifest.unavailable, ({ id, reason }) => [code(id), `: ${reason}`]),
        ]),
    section('more', 'By subject and by file', [
      list([
        [linkTo(root, PAGES.indicators, 'Indicators'), ': what is measured, in which unit, where and when'],
        [linkTo(root, PAGES.places, 'Places'), ': what is known and unknown of each'],
        [linkTo(root, PAGES.sources, "Publishers' files"), ': what every value was read from, with hashes'],
        [linkTo(root, RELEASES, 'What changed'), ': what differs between an edition and the one before it'],
      ]),
    ]),
    section('programs', 'Files for programs', [
      table(
        'What describes the data as a whole',
        FOR_PROGRAMS.filter(([file]) => file !== EVIDENCE_FILE || facts.database),
        [
          ['File', ([file]) => linkTo(root, file, code(file))],
          ['What it is', ([, words]) => words],
        ],
      ),
    ]),
  ];
  return framed(facts.evidence, {
    path,
    title: 'Data',
    description: 'Every dataset with its edition, licence, records and files.',
    body,
    head: catalogData(bulk),
    alternates: [['application/json', CATALOG, 'Market catalog']],
  });
}
