/**
 * r/ leads `r/#<id>` to the page of the record where the service runs. On a copy of the files (and 404.html there) it leads to the row of
 * the record on the page of its dataset and place, once that page has it. An id with an edition that the copy does not show never leads
 * silently to the row of another edition: the explorer may read the cell from the files of its own.
 */
import { atlasRecordId } from '../../../../shim/core/paths.ts';
import {
  datasetAddress,
  exploreAddress,
  recordAddress,
  rowAddress,
  rowsAddress,
} from '../../../../shim/view/address.ts';
import { el, type Child } from '../../../../shim/view/node.ts';
import { isCopy, siteOfCopy } from './shared/copy.ts';
import { draw } from './shared/dom.ts';

/** The row of an id: its dataset, its address below the site root, and the editions that the pages of its dataset show. */
interface Place {
  dataset: string;
  address: string;
  editions: string[];
  /** Whether the explorer can show the record in any edition. */
  isExplored: boolean;
}

const ROOT = new URL('../', location.href.replace(/[#?].*$/, ''));

/** Addresses below r/: only there what follows # is the id of a record. */
const BELOW_RECORDS = /\/r\/([^/]+)$/;

void show();
addEventListener('hashchange', () => void show());

async function show(): Promise<void> {
  const named = nameOf(location);
  if (named === '') return;
  // On the page for unknown addresses, which hosts of files give for r/<id>: the folder r/ has the table.
  if (!document.querySelector('[data-begins]')) {
    if (BELOW_RECORDS.test(location.pathname)) location.replace(new URL(`./#${named}`, location.href));
    return;
  }
  const [id = '', edition] = named.split('@');
  const place = placeOf(id);
  if (!place) return say('There is no dataset with records whose ids begin like ', el('code', {}, id), '.');
  if (!(await isCopy(ROOT.href))) return location.replace(new URL(recordAddress(named), ROOT));
  const address = new URL(place.address, ROOT).href;
  const shown = place.editions.join(', ');
  const cell =
    edition !== undefined && place.isExplored ? new URL(exploreAddress({ id: named }), ROOT) : null;
  const isShown = edition === undefined || place.editions.includes(edition);
  const found = await editionsOfRow(place);
  // Meanwhile the address has another id.
  if (nameOf(location) !== named) return;
  const isFound = Array.isArray(found);
  const isCited = edition === undefined || (isFound && found.includes(edition));
  if (isShown && isCited && isFound) {
    // On a page with rows of several editions this row may be of another one: the explorer knows.
    return location.replace(found.length > 1 && cell ? cell : address);
  }
  const cited =
    edition === undefined || (isShown && !isFound)
      ? ''
      : `This link cites edition ${edition}. ${isShown ? 'The row is of' : 'The pages of this site show'} edition ${isShown && isFound ? found.join(', ') : shown}. `;
  const read = cell ? [link(cell.href, 'Look for the cited cell in the files of its edition'), '. '] : [];
  if (isFound)
    return say(cited, ...read, link(address, 'The row in the edition shown'), ' is not the cited cell.');
  say(
    cited,
    ...(isShown ? [] : read),
    ...(found === null
      ? [`The edition shown, ${shown}, has no row `, el('code', {}, id), '. ']
      : ['The row of ', el('code', {}, id), ` cannot be looked up: ${found}. `]),
    ...elsewhere(place, named),
  );
}

/** The editions that the rows of the page of an address are of; null where it lacks the anchor it leads to; or why that cannot be said. */
async function editionsOfRow({ address, editions }: Place): Promise<string[] | string | null> {
  const [page = '', anchor] = address.split('#');
  // The explorer says itself what it does not find.
  if (anchor === undefined) return editions;
  try {
    const response = await fetch(new URL(page, ROOT));
    if (!response.ok)
      return response.status === 404 ? null : `its page came with HTTP status ${response.status}`;
    const text = await response.text();
    if (!text.includes(` id="${anchor}"`)) return null;
    const named = [...text.matchAll(/ data-edition="([^"]+)"/g)].map(([, edition = '']) => edition);
    return editions.length > 1 ? [...new Set(named)] : editions;
  } catch {
    return 'its page did not come';
  }
}

/** Where else a row may be: among the editions of its dataset, and on the site that this is a copy of. */
function elsewhere({ dataset }: Place, named: string): Child[] {
  const site = siteOfCopy(ROOT);
  const editions = new URL(`${datasetAddress(dataset)}#editions`, ROOT).href;
  return [
    'Look for it in the files of ',
    link(editions, 'the editions of its dataset'),
    ...(site === null ? [] : [', or at ', link(`${site}${recordAddress(named)}`, 'its address on the site')]),
    '.',
  ];
}

function link(href: string, words: string): Child {
  return el('a', { href }, words);
}

/** The id after the #, or in the path where a host gives this page for every address below r/. */
function nameOf({ hash, pathname }: Location): string {
  const text = hash.slice(1) || (BELOW_RECORDS.exec(pathname)?.[1] ?? '').replace(/^index\.html$/, '');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads the table of the page: the longest beginning that fits. */
function placeOf(id: string): Place | null {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-begins]')]
    .filter(({ dataset }) => id.startsWith(`${dataset['begins'] ?? ''}.`))
    .sort((a, b) => (b.dataset['begins']?.length ?? 0) - (a.dataset['begins']?.length ?? 0));
  const [row] = rows;
  if (!row) return null;
  const { begins = '', dataset = '', kind } = row.dataset;
  const [geo = '', period = ''] = id.slice(begins.length + 1).split('.');
  const shown = row.closest('tr')?.querySelectorAll<HTMLElement>('[data-edition]') ?? [];
  const editions = [...shown].map((edition) => edition.dataset['edition'] ?? '');
  // A dataset that is too large for pages of its rows: the explorer shows the one record.
  const isOnPage = row.dataset['rows'] !== 'none';
  const address = !isOnPage
    ? exploreAddress({ id })
    : kind === 'atlas'
      ? `${rowsAddress(dataset, geo)}#${atlasRecordId(dataset, geo, Number(period))}`
      : rowAddress({ datasetId: dataset, geoCode: geo, period, id });
  return { dataset, address, editions, isExplored: row.dataset['explored'] !== undefined };
}

function say(...words: Child[]): void {
  const note = document.getElementById('found');
  if (!note) return;
  note.hidden = false;
  draw(note, words);
}
