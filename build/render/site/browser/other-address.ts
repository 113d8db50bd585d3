/**
 * What is different where a page is shown at another address than the one it was built for. On a copy of the files, links to pages of
 * records lead to their rows. A site built for one machine alone prints the address it is opened at, so that what is copied works.
 */
import { isOfOneMachine, PAGES } from '../../../../shim/view/address.ts';
import { isCopy, leadToRows } from './shared/copy.ts';

const up = document.querySelector('.brand')?.getAttribute('href') ?? './';
const own = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? location.href;
const [site, root] = [own, location.href].map((address) => new URL(up, address).href) as [string, string];

if (site !== root) {
  if (isOfOneMachine(site)) rename(site.slice(0, -1), root.slice(0, -1));
  // Only the service has pages of records, so where one is shown the service is there.
  const records = `${site}${PAGES.records}`;
  const isOfRecord = own.startsWith(records) && own !== records;
  const hasLinks = document.querySelector(`[href^="${up}${PAGES.records}"]`) !== null;
  if (hasLinks && !isOfRecord && (await isCopy(root))) leadToRows(document.body, up);
}

/** Writes one address in place of another wherever the page shows it. */
function rename(from: string, to: string): void {
  for (const { childNodes } of document.querySelectorAll('body *'))
    for (const node of childNodes) if (node instanceof Text) node.data = node.data.replaceAll(from, to);
}
