/**
 * The address printed above a page is that of what is shown: scripts change its query, and a copy of the files has one file for all
 * queries of an address.
 */
addEventListener('beforeprint', () => {
  const address = document.querySelector('.top > .address span');
  if (address) address.textContent = address.textContent.replace(/\?.*/, '') + location.search;
});
