/** The address printed above a page is that of what is shown. */
import { printedAddress } from './shared/dom.ts';

addEventListener('beforeprint', () => {
  const address = document.querySelector('.top > .address span');
  if (address) address.textContent = printedAddress();
});
