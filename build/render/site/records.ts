/**
 * r/index.html: how to find a record. The service answers r/<id> itself; on a copy of the files this page leads r/#<id> to the row of
 * the record, by the table of indicators that it shows (assets/records.js).
 */
import type { Artifact } from '../../lib/tree.ts';
import { framed } from './page.ts';
import type { DatasetDocument } from '../../../shim/core/records.ts';
import { datasetAddress, PAGES, rootFrom } from '../../../shim/view/address.ts';
import { code, el, joinEach, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { cellsUnder, section, table } from '../../../shim/view/table.ts';
import type { RecordFacts } from '../facts.ts';

const PATH = `${PAGES.records}index.html`;
const ROOT = rootFrom(PATH);

/** Renders the page. */
export function renderRecordLocator({ evidence }: RecordFacts): Artifact {
  const rows = [...evidence.documents.values()]
    .filter(({ kind }) => kind !== 'entities')
    .flatMap((document) => rowsOf(document, evidence.hasRowPages(document.id)));
  const body = el('article', { class: 'record' }, [
    el('h1', {}, 'Find a record'),
    el('p', { class: 'standfirst' }, [
      'Every value has an id that is the same in every edition of its table. With @ and an edition after it, it always names the same cell of the same file.',
    ]),
    el('p', { class: 'note', id: 'found', role: 'status', hidden: true }),
    section('read', 'How to read an id', [
      el('pre', {}, 'seizures.BEL.2023.cocaine-type-cocaine-hydrochloride~2295f3@2025-06'),
      p(
        'The indicator, the place, the period, the printed labels in short, and after @ the edition of the publisher’s file. Country-years of the atlas begin with their dataset: ',
        code('organized-crime-index.AFG.2025'),
        '.',
      ),
    ]),
    section('find', 'How to find its row', [
      p(
        'Where the service runs, the address of a record is this folder and the id: ',
        code('r/<id>'),
        '; the search leads there too. On a copy of the files, write ',
        code('r/#<id>'),
        ': a script of this page leads to the row. Without a script, look up the beginning of the id below, open its dataset, choose the place by its code, and find the id on that page.',
      ),
      el('div', { class: 'locator' }, table('What ids begin with', rows, COLUMNS)),
    ]),
  ]);
  return framed(evidence, {
    path: PATH,
    title: 'Find a record',
    description: 'How to read the id of a record, and how to find its row on this site and on a copy of it.',
    scripts: ['records.js'],
    trail: [['Data', PAGES.data]],
    body,
  });
}

const COLUMNS = cellsUnder(['Begins with', 'Dataset', 'Editions on its pages']);

/** The rows of a dataset: one for each indicator, one for an atlas. */
function rowsOf(document: DatasetDocument, hasRowPages: boolean): Child[][] {
  const { id, kind, title, edition, sources, indicators } = document;
  // The cells of an atlas are those of its dataset's edition; others are those of their source's.
  const editions = kind === 'atlas' ? [edition] : [...new Set(sources.map(({ dated }) => dated))];
  const row = (begins: string, isExplored: boolean): Child[] => [
    el(
      'code',
      {
        'data-begins': begins,
        'data-dataset': id,
        'data-kind': kind,
        'data-explored': isExplored ? '' : null,
        'data-rows': hasRowPages ? null : 'none',
      },
      begins,
    ),
    linkTo(ROOT, datasetAddress(id), title),
    joinEach(editions, ', ', (name): Child => el('time', { 'data-edition': name }, name)),
  ];
  if (kind === 'atlas') return [row(id, false)];
  // No resource gives records of national context.
  return indicators.map((indicator) => row(indicator.id, indicator.market !== 'context'));
}
