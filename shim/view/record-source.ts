/** Where the value of a cell's page comes from: the publisher's file, the release, the terms. */
import { lastDay, sourcesIn } from '../core/editions.ts';
import { RELEASE } from '../core/paths.ts';
import type { DatasetSource } from '../core/records.ts';
import {
  datasetAddress,
  exploreAddress,
  placeAddress,
  rowAddress,
  rowsAddress,
  sourceAddress,
} from './address.ts';
import { locatorWords } from './locator.ts';
import { el, hash, joined, linkTo, type Child } from './node.ts';
import { placeOfCell, ROOT, type CellView } from './record-words.ts';
import { facts } from './table.ts';
import { sizeWords } from './words.ts';

/** The page of the file: the newest file of a source is at the address without a date. */
function fileAddress({ cell: { source, pack }, editions }: CellView): string {
  const dates = editions
    .flatMap((edition) => sourcesIn(edition.pack))
    .flatMap(({ id, edition }) => (id === source.id ? [lastDay(edition)] : []));
  const isOlder =
    dates.length === 0 ? pack.id.includes('@') : dates.some((date) => date > lastDay(source.dated));
  return sourceAddress(source.id, isOlder ? source.dated : undefined);
}

/** Where the value is printed, in which file, in which release, and under which terms. */
export function sourceFacts(view: CellView): Child {
  const { cell, release, api } = view;
  const { source, document, pack, id, edition, locator } = cell;
  const { where, how } = locatorWords(locator);
  return facts([
    [
      'Printed in',
      [
        linkTo(ROOT, fileAddress(view), source.name),
        ', ',
        el('b', { class: 'where', 'data-locator': locator }, where),
        how === '' ? null : el('span', { class: 'how' }, how),
      ],
    ],
    [
      'Source file',
      [
        'sha256 ',
        el('code', { class: 'hash', 'data-sha256': source.sha256 }, source.sha256),
        el('span', { class: 'how' }, [
          `${source.publisher}. Edition ${source.dated}, retrieved ${source.retrievedAt}, ${sizeWords(source.bytes)}. `,
          source.stale &&
            !pack.id.includes('@') &&
            el('span', { class: 'due' }, `A newer one has been due since ${source.staleAfter ?? ''}.`),
          ' ',
          el('a', { href: source.url, rel: 'external' }, 'Publisher’s page'),
          ', ',
          el('a', { href: source.downloadUrl, rel: 'external' }, 'publisher’s file'),
          '.',
        ]),
      ],
    ],
    [
      'In this release',
      [
        'record ',
        hash(id),
        `, edition ${edition}, dataset `,
        linkTo(ROOT, datasetAddress(document.id), document.id),
        el('span', { class: 'how' }, [
          'Packaged records: ',
          linkTo(ROOT, pack.path, pack.path),
          ', sha256 ',
          hash(pack.sha256),
          '. ',
          release === null
            ? 'The manifest of the release cannot be read at the moment.'
            : [
                linkTo(ROOT, RELEASE, `Release ${release.serial}`),
                `, data of ${release.generatedAt.slice(0, 10)}, tree `,
                hash(release.treeSha256),
                release.signed ? ', signed.' : ', unsigned.',
              ],
        ]),
      ],
    ],
    ['Around it', placeLinks(view)],
    ['As data', api === null ? null : linkTo(ROOT, api, `/${api}`)],
    ['Licence', licence(source)],
  ]);
}

function placeLinks({ cell, editions }: CellView): Child {
  const { place, code } = placeOfCell(cell);
  const links = [linkTo(ROOT, placeAddress(code), `everything about ${place}`)];
  // Pages of rows show the current edition.
  if (cell.kind === 'observation' && editions.at(-1)?.cell?.edition === cell.edition)
    links.unshift(
      cell.pack.rowPages === false
        ? linkTo(ROOT, rowsAddress(cell.document.id, code), `${place} in this dataset`)
        : linkTo(ROOT, rowAddress(cell.record), `all rows of ${place} in this dataset`),
    );
  if (cell.kind === 'observation' && cell.pack.kind === 'observations') {
    const { indicatorId: indicator, geoCode: geo, category, subgroup } = cell.record;
    const series = exploreAddress({ indicator, geo, category, subgroup });
    links.push(linkTo(ROOT, series, 'explore its series'));
  }
  return joined(links, ', ');
}

/** Whether the value may be used commercially, in a sentence after the words of the licence. */
const COMMERCIAL: Record<DatasetSource['rights']['verdict'], string> = {
  open: 'Commercial use: yes.',
  non_commercial: 'Commercial use: no.',
  unresolved: 'Commercial use: unclear.',
};

function licence({ license, licenseUrl, rights }: DatasetSource): Child {
  return [
    licenseUrl === null ? license : el('a', { href: licenseUrl, rel: 'external license' }, license),
    el('span', { class: 'how' }, [
      `${COMMERCIAL[rights.verdict]} ${rights.evidence} Checked ${rights.checked}.`,
    ]),
  ];
}
