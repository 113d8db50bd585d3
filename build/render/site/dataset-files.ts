/** The files of a dataset on its page: those of the current edition with sizes and hashes, and those of every edition. */
import { lastDay } from '../../../shim/core/editions.ts';
import {
  API_ROOT,
  csvPath,
  datasetDocumentPath,
  packPath,
  parquetPath,
  REVISION_FEEDS,
  timeMapPath,
} from '../../../shim/core/paths.ts';
import type { DatasetDocument } from '../../../shim/core/records.ts';
import { apiAddress, datasetAddress, PAGES, VERIFY_PAGE } from '../../../shim/view/address.ts';
import { code, el, hash, joinEach, linkTo, p, type Child } from '../../../shim/view/node.ts';
import { section, table } from '../../../shim/view/table.ts';
import { grouped, sizeWords } from '../../../shim/view/words.ts';
import type { BulkDataset } from '../bulk/release.ts';
import { checkLines, dayOf } from './dataset-parts.ts';
import type { DatasetFacts } from './dataset-facts.ts';

const FORMS = { ndjson: 'NDJSON', csv: 'CSV', parquet: 'Parquet', xlsx: 'Workbook (.xlsx)' } as const;

/** The files of the current edition. */
export function downloads({ document, files }: BulkDataset, root: string): Child {
  const whole = files.filter(({ indicator }) => indicator === null);
  const parts = files.filter(({ indicator }) => indicator !== null);
  const query = queryOf(document);
  return section('downloads', 'Downloads', [
    table(`All ${grouped(document.records)} records of edition ${document.edition}`, whole, [
      ['Form', ({ path, form }) => linkTo(root, path, FORMS[form])],
      [{ numbers: 'Size' }, ({ bytes }) => `${grouped(bytes)} bytes (${sizeWords(bytes)})`],
      ['SHA-256', ({ sha256 }) => hash(sha256)],
    ]),
    p(
      linkTo(root, `${PAGES.docs}reading/`, 'How to open them in pandas, R, DuckDB and spreadsheets'),
      '. ',
      linkTo(root, VERIFY_PAGE, 'Check a file'),
      ' in the browser; or in the folder of the downloaded files, where each of these lines prints OK:',
    ),
    checkLines(whole),
    p(
      'The same for programs: ',
      linkTo(root, datasetDocumentPath(document.id), 'descriptor of the dataset (JSON)'),
      query === null ? '' : [', ', linkTo(root, query, 'API'), ' ', code(`/${query}`)],
      '.',
    ),
    parts.length >= 2 &&
      el('details', {}, [
        el('summary', {}, 'One Parquet file for each indicator'),
        table('Parquet files by indicator', parts, [
          ['Indicator', ({ path, indicator }) => linkTo(root, path, indicator ?? '')],
          [{ numbers: 'Size' }, ({ bytes }) => `${grouped(bytes)} bytes`],
          ['SHA-256', ({ sha256 }) => hash(sha256)],
        ]),
      ]),
  ]);
}

/** The ways to all records of a dataset, from the pages of its parts. */
export function wholeDataset(id: string, root: string): Child {
  return [
    'The whole dataset: ',
    linkTo(root, csvPath(id), 'CSV'),
    ', ',
    linkTo(root, packPath(id), 'NDJSON'),
    ', ',
    linkTo(root, `${datasetAddress(id)}#downloads`, 'all files with their hashes'),
  ];
}

/** The query of the API that gives all records of a dataset; null where none does. */
export function queryOf({ id, kind, domain, indicators }: DatasetDocument): string | null {
  if (kind === 'entities') return `${API_ROOT}/entities`;
  if (kind === 'atlas') return apiAddress('atlas', { domain });
  if (indicators.some(({ market }) => market === 'context')) return null;
  return apiAddress('market-observations', { dataset: id });
}

/** Every edition with its files, the newest first; nothing for a list that is published in its current edition only. */
export function editionsTable(
  documents: readonly DatasetDocument[],
  fileOf: DatasetFacts['fileOf'],
  root: string,
): Child {
  const current = documents.at(-1);
  if (!current || current.kind === 'entities') return null;
  const { id } = current;
  return section('editions', 'Editions', [
    p(
      'An edition is dated by its publisher. Every edition of this release stays at its address; ',
      linkTo(root, timeMapPath(id), 'TimeMap'),
      ' lists them for programs',
      current.kind === 'observations'
        ? [', ', linkTo(root, `${REVISION_FEEDS}/${id}/feed.xml`, 'a feed'), ' what differs between them.']
        : '. Differences between editions are counted for datasets of observations only.',
    ),
    table('Editions, the newest first', documents.toReversed(), [
      ['Edition', (document) => [dayOf(document.edition), document === current ? ' (current)' : '']],
      [{ numbers: 'Records' }, ({ records }) => grouped(records)],
      ['Files', (document) => filesOf(document === current ? id : `${id}@${document.edition}`, root)],
      [
        'Read from',
        ({ edition, sources }) =>
          sources.length > 5
            ? `${sources.length} files, as of ${lastDay(edition)}`
            : joinEach(sources, ', ', (source) =>
                linkTo(root, fileOf(source), [`${source.id} `, dayOf(source.dated)]),
              ),
      ],
      ['SHA-256 of the NDJSON', ({ files: [records] }) => hash(records?.sha256 ?? '')],
    ]),
  ]);
}

function filesOf(pack: string, root: string): Child {
  const files = [
    ['NDJSON', packPath(pack)],
    ['CSV', csvPath(pack)],
    ['Parquet', parquetPath(pack)],
    ['descriptor', datasetDocumentPath(pack)],
  ] as const;
  return joinEach(files, ', ', ([form, path]) => linkTo(root, path, form));
}
