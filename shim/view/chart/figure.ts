/** The frame of every figure: caption, notes, legend, boundary, source with edition and licence, and what a reader can do next. */
import type { DatasetDocument, DatasetSource, Observation } from '../../core/records.ts';
import { csvPath } from '../../core/paths.ts';
import { exploreOf, recordAddress, sourceAddress } from '../address.ts';
import { el, linkTo, type Child } from '../node.ts';
import { counted } from '../words.ts';
import type { Marked } from './mark.ts';

/** Sentences of how not to read a figure that are shown; the others open. */
const MOST_BOUNDARIES = 4;

/** The script of pages with figures: with it they can be saved as pictures. */
export const FIGURES_SCRIPT = 'figures.js';

/** Whether the markup of a page has a figure with actions, to which that script adds. */
export function hasFigures(markup: string): boolean {
  return markup.includes('<ul class="actions">');
}

/** A publisher's file as figures name it. */
interface FigureSource
  extends
    Pick<DatasetSource, 'id' | 'name' | 'publisher' | 'license'>,
    Partial<Pick<DatasetSource, 'stale' | 'staleAfter'>> {
  edition: string;
  /** Whether there is a newer file of it. */
  older?: boolean;
}

/** The files of a dataset that these records are from, in the order of its document; all, where no records are given. */
export function figureSources(
  { sources }: Pick<DatasetDocument, 'sources'>,
  records?: readonly Pick<Observation, 'sourceId'>[],
): FigureSource[] {
  const wanted = records && new Set(records.map(({ sourceId }) => sourceId));
  return sources
    .filter(({ id }) => wanted?.has(id) ?? true)
    .map((source) => ({ ...source, edition: source.dated }));
}

/** What a figure says of itself. */
export interface FigureAbout {
  /** Unique in the page. */
  id: string;
  /** Path from the page to the site root: `../../`. */
  root: string;
  /** What is drawn, in words. */
  caption: string;
  /** The caption with links in it; without it, the words. */
  linked?: Child;
  sources: readonly FigureSource[];
  /** How the indicator must not be read, in one sentence; of several indicators, in some. */
  boundary: string | null | readonly string[];
  /** Address of the API query that gives exactly the records drawn; null where there is none for them alone. */
  query: string | null;
  rows?: string;
  /** Label of each indicator by its id, for a figure of several. */
  indicators?: ReadonlyMap<string, string>;
  /** The published CSV of these rows; without it, that of their dataset. */
  csv?: string;
  /** What it means where nothing is drawn; without it, that the source has no row. */
  nothing?: string;
  /** Whether the query names its place: a map says nothing of the others. */
  onePlace?: boolean;
  /** Address of what cites the whole figure, from its page; without it, the first record is cited. */
  cite?: string;
  /** Further forms of the figure, below its legend. */
  more?: Child;
  /** Whether the page is the explorer itself: it needs no link to it. */
  explored?: boolean;
  /** Whether the figure is alone in a frame: what a reader can do next is behind the link below it. */
  embedded?: boolean;
  /** On a copy of the files: what addresses of the service begin with, null where none is known. Records have no pages there. */
  copied?: { at: string | null };
  /** Periods of other figures next to this one: the axis holds them too, and a series of one period is drawn on it. */
  periods?: readonly string[];
  /** One scale of amounts for all panels; without it, each has its own. */
  oneScale?: boolean;
}

/** A figure: `notes` say how it is drawn, `body` is the drawing, `part` says what is left out. */
export function figure(
  records: readonly Marked[],
  about: FigureAbout,
  parts: { kind: string; notes: readonly string[]; body: Child; legend: Child; part?: string | null },
): Child {
  const { id, caption, linked = caption, boundary, query, root, rows, more = '' } = about;
  const { kind, notes, body, legend, part = null } = parts;
  return el(
    'figure',
    {
      id,
      class: `fig ${kind}`,
      'data-query': query === null ? null : `/${query}`,
      'data-part': part,
      'aria-labelledby': `${id}-caption`,
    },
    '\n',
    el('figcaption', { id: `${id}-caption` }, [
      linked,
      notes.length > 0 ? el('span', { class: 'how' }, notes.join(' ')) : '',
    ]),
    '\n',
    body,
    '\n',
    part !== null &&
      el('p', { class: 'part' }, part, rows === undefined ? '' : [' ', linkTo(root, rows, 'All rows')]),
    legend,
    '\n',
    more,
    boundaryLines([boundary ?? []].flat()),
    sourceLines(about),
    about.embedded === true ? '' : actions(records, about),
    '\n',
  );
}

function boundaryLines(sentences: readonly string[]): Child {
  const lines = sentences.map((sentence) => el('p', { class: 'boundary' }, sentence));
  const further = lines.slice(MOST_BOUNDARIES);
  return [
    lines.slice(0, MOST_BOUNDARIES),
    further.length > 0 &&
      el('details', {}, [
        el('summary', {}, `How not to read it: ${counted(further.length, 'further sentence')}`),
        further,
      ]),
  ];
}

function sourceLines({ sources, root }: FigureAbout): Child {
  return sources.map((source) => el('p', { class: 'source' }, ['Source: ', sourceSentences(source, root)]));
}

/** Who published a source, which edition it is, whether a newer one is due, and its licence. */
export function sourceSentences(
  { id, name, publisher, edition, license, stale, staleAfter, older }: FigureSource,
  root: string,
): Child {
  return [
    `${publisher}, `,
    linkTo(root, sourceAddress(id, older === true ? edition : undefined), name),
    `, edition ${edition}. `,
    stale === true && [
      el('span', { class: 'stale' }, `newer edition due${staleAfter == null ? '' : ` since ${staleAfter}`}`),
      '. ',
    ],
    `Licence: ${license.replace(/\.$/, '')}.`,
  ];
}

function actions(
  records: readonly Marked[],
  { root, rows, query, csv, cite, explored = false, copied }: FigureAbout,
): Child {
  const [first] = records;
  const datasets = new Set(records.map((record) => ('datasetId' in record ? String(record.datasetId) : '')));
  const [dataset = ''] = datasets.size === 1 ? datasets : [];
  const link = (
    label: string,
    address: string | undefined,
    title: string | null = null,
    at: string | null = root,
  ): Child =>
    address === undefined || at === null
      ? ''
      : el('li', {}, el('a', { href: `${at}${address}`, title }, label));
  const service = copied ? copied.at : root;
  return el('ul', { class: 'actions' }, [
    link('Table of rows', rows),
    link('Explore', explored || query === null ? undefined : (exploreOf(query) ?? undefined)),
    link('JSON', query ?? undefined, 'The API query of this figure', service),
    link(
      'CSV',
      csv ?? (dataset === '' ? undefined : csvPath(dataset)),
      csv === undefined ? 'All rows of the dataset' : null,
      csv === undefined ? root : service,
    ),
    cite === undefined
      ? link(
          'Cite',
          first && recordAddress(first.id, first.edition),
          'Each mark leads to its record and how to cite it',
        )
      : link('Cite', cite, null, ''),
  ]);
}
