/** What a copy of the files knows of the site it was made of. */
import { isOfOneMachine } from '../../../../../shim/view/address.ts';

/**
 * The address of that site with `/` at its end, which pages name as their own; null where this is the site, and where its build was
 * given no address. `root` is that of the files at hand, one folder above the page.
 */
export function siteOfCopy(root: URL): string | null {
  const own = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
  const site = own === undefined ? root.href : new URL('../', own).href;
  return site === root.href || isOfOneMachine(site) ? null : site;
}
