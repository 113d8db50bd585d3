/** The address of the page at hand. */

/** The address that the page prints as its own, with the query that is shown: scripts change it, and a copy of the files has one file for all queries. */
export function printedAddress(): string {
  const printed = document.querySelector('.top > .address span')?.textContent ?? location.href;
  return printed.replace(/[?#].*/, '') + location.search;
}
