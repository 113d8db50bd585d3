/** The frame of every figure: caption, notes, legend, boundary, source with edition and licence, and what a reader can do next. */
import type { Observation } from '../../core/records.ts';
import { csvPath } from '../../core/paths.ts';
import { recordAddress, sourceAddress } from '../address.ts';
import { el, type Child } from '../node.ts';
import type { Marked } from './mark.ts';

/** A publisher's file as figures name it. */
export interface FigureSource {
  id: string;
  name: string;
  publisher: string;
  edition: string;
  license: string;
  stale: boolean;
  staleAfter: string | null;
}

/** What a figure says of itself. */
export interface FigureAbout {
  /** Unique in the page. */
  id: string;
  /** Path from the page to the site root: `../../`. */
  root: string;
  /** What is drawn, in words. */
  caption: string;
  /** The files of the records drawn. */
  sources: readonly FigureSource[];
  /** How the indicator must not be read, in one sentence. */
  boundary: string | null;
  /** Address of the API query that gives exactly the records drawn; null where the API has no such records. */
  query: string | null;
  /** Address of the table of the same rows. */
  rows?: string;
  /** Label of each indicator by its id, for a figure of several. */
  indicators?: ReadonlyMap<string, string>;
  /** Other records of the same places, named where a series has no row; without it, the records drawn. */
  beside?: readonly Observation[];
}

/** A figure: `notes` say how it is drawn, `body` is the drawing, `part` says what is left out. */
export function figure(
  records: readonly Marked[],
  about: FigureAbout,
  parts: { kind: string; notes: readonly string[]; body: Child; legend: Child; part?: string | null },
): Child {
  const { id, caption, boundary, query, root, rows } = about;
  const { kind, notes, body, legend, part = null } = parts;
  return el(
    'figure',
    {
      id,
      class: `fig ${kind}`,
      'data-query': query === null ? null : `/${query.replace(/^\//, '')}`,
      'data-part': part,
      'aria-labelledby': `${id}-caption`,
    },
    '\n',
    el(
      'figcaption',
      { id: `${id}-caption` },
      caption,
      notes.length > 0 ? el('span', { class: 'how' }, notes.join(' ')) : '',
    ),
    '\n',
    body,
    '\n',
    part === null
      ? ''
      : el(
          'p',
          { class: 'part' },
          part,
          rows === undefined ? '' : [' ', el('a', { href: `${root}${rows}` }, 'All rows')],
        ),
    legend,
    '\n',
    boundary === null ? '' : el('p', { class: 'boundary' }, boundary),
    sourceLines(about),
    actions(records, about),
    '\n',
  );
}

function sourceLines({ sources, root }: FigureAbout): Child {
  return sources.map(({ id, name, publisher, edition, license, stale, staleAfter }) =>
    el(
      'p',
      { class: 'source' },
      'Source: ',
      publisher,
      ', ',
      el('a', { href: `${root}${sourceAddress(id)}` }, name),
      `, edition ${edition}. `,
      stale
        ? [
            el(
              'span',
              { class: 'stale' },
              `newer edition due${staleAfter === null ? '' : ` since ${staleAfter}`}`,
            ),
            ' ',
          ]
        : '',
      `Licence: ${license.replace(/\.$/, '')}.`,
    ),
  );
}

function actions(records: readonly Marked[], { root, rows, query }: FigureAbout): Child {
  const [first] = records;
  const datasets = new Set(records.map((record) => ('datasetId' in record ? record.datasetId : null)));
  const [dataset] = datasets;
  const link = (label: string, address: string, title: string | null = null): Child =>
    el('li', {}, el('a', { href: `${root}${address}`, title }, label));
  return el(
    'ul',
    { class: 'actions' },
    rows === undefined ? '' : link('Table of rows', rows),
    query === null ? '' : link('JSON', query.replace(/^\//, ''), 'The API query of this figure'),
    datasets.size === 1 && typeof dataset === 'string'
      ? link('CSV', csvPath(dataset), 'All rows of the dataset')
      : '',
    first
      ? link(
          'Cite',
          recordAddress(first.id, first.edition),
          'Each mark leads to its record and how to cite it',
        )
      : '',
  );
}
