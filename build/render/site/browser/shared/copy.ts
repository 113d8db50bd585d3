/** What is different on a copy of the files without the service. */
import { isOfOneMachine, PAGES, rowOnCopy } from '../../../../../shim/view/address.ts';

/**
 * The address of that site with `/` at its end, which pages name as their own; null where this is the site, and where its build was
 * given no address. `root` is that of the files at hand, one folder above the page.
 */
export function siteOfCopy(root: URL): string | null {
  const own = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
  const site = own === undefined ? root.href : new URL('../', own).href;
  return site === root.href || isOfOneMachine(site) ? null : site;
}

/** Whether there are only files below a root: a request to the explorer gets no data. */
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
  const [pages, rows] = [`${root}${PAGES.records}`, `${root}${rowOnCopy('')}`];
  for (const link of place.querySelectorAll(`[href^="${pages}"]`))
    link.setAttribute('href', `${link.getAttribute('href')}`.replace(pages, rows));
}
