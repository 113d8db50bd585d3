/** What is different on a copy of the files without the service. */
import { isOfOneMachine, PAGES, recordAddress, rowOnCopy } from '../../../../../shim/view/address.ts';

/**
 * The address of that site with `/` at its end, which pages name as their own; null where this is the site, and where its build was
 * given no address. `root` is that of the files at hand, one folder above the page.
 */
export function siteOfCopy(root: URL): string | null {
  const own = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
  const site = own === undefined ? root.href : new URL('../', own).href;
  return site === root.href || isOfOneMachine(site) ? null : site;
}

/** Whether files are all there is below a root: the explorer is asked for data, and data does not come. */
export async function isCopy(root: string): Promise<boolean> {
  try {
    const response = await fetch(`${root}${PAGES.explore}?answer=json`);
    return response.headers.get('content-type')?.startsWith('application/json') !== true;
  } catch {
    return true;
  }
}

/** Leads what links to pages of records to their rows. */
export function leadToRows(place: Element, root: string): void {
  const pages = `${root}${recordAddress('')}`;
  for (const link of place.querySelectorAll(`a[href^="${pages}"]`))
    link.setAttribute('href', `${root}${rowOnCopy(link.getAttribute('href')?.slice(pages.length) ?? '')}`);
}
