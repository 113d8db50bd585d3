/** The pages of addresses below r/ that have no cell to show: what was looked for, why there is none, and what there is instead. */
import type { Cell } from '../core/cell.ts';
import { PAGES, rootFrom } from './address.ts';
import { printPage, type Site } from './frame.ts';
import { el, hash, linkTo, p, type Child } from './node.ts';
import { cellLink, placeOfCell, plainValue } from './record-words.ts';
import { listEach } from './table.ts';

/** What such a page says. */
export interface MissingRecord {
  /** Path of the request: links lead to the root of the site from there. */
  path: string;
  title: string;
  /** The id as it was given, for people. */
  given: string;
  sentences: readonly string[];
  /** Cells that there are, with a heading; none of them is what was looked for. */
  others: { heading: string; cells: readonly Cell[] } | null;
  site: Site;
}

/** Prints the page. */
export function printMissingRecord({ path, title, given, sentences, others, site }: MissingRecord): string {
  const root = rootFrom(path);
  return printPage(site, {
    path,
    title,
    description: sentences[0] ?? title,
    unlisted: true,
    body: el('article', { class: 'record' }, [
      el('p', { class: 'over' }, 'Record ', hash(given)),
      el('h1', {}, title),
      sentences.map((sentence) => p(sentence)),
      others !== null &&
        others.cells.length > 0 && [el('h2', {}, others.heading), listEach(others.cells, otherCell)],
      p(
        'Go on: ',
        linkTo(root, PAGES.records, 'how to find a record'),
        ', ',
        linkTo(root, PAGES.data, 'all datasets'),
        ', ',
        linkTo(root, PAGES.places, 'all places'),
        '.',
      ),
    ]),
  });
}

function otherCell(cell: Cell): Child {
  const { place, period, label } = placeOfCell(cell);
  return [cellLink(cell, `${place}, ${period}: ${label}`), `: ${plainValue(cell)}, edition ${cell.edition}`];
}
