/**
 * The search box of every page. What answers it (finder.js and the index) is loaded when a box is first used, so that pages stay small;
 * until then, and where it cannot be loaded, the form leads to the page of the search. `/` leads to the box from anywhere. The same script
 * loads what a page needs that is shown at another address than its own.
 */
import { SEARCH_INDEX } from '../../../../shim/core/paths.ts';
import type { SiteIndex } from '../../../../shim/core/site-index.ts';
import type { begin } from './finder.ts';

const ROOT = new URL('../', import.meta.url).href;
const boxes = [...document.querySelectorAll<HTMLFormElement>('form.search')];
let isBegun = false;

const script = <Exports>(name: string): Promise<Exports> => import(`${ROOT}assets/${name}.js`);

async function load(): Promise<void> {
  if (isBegun) return;
  isBegun = true;
  try {
    const [finder, index] = await Promise.all([
      script<{ begin: typeof begin }>('finder'),
      fetch(ROOT + SEARCH_INDEX).then((response) => response.json() as Promise<SiteIndex>),
    ]);
    finder.begin(boxes, index, ROOT);
  } catch {
    // The form still leads to the page of the search; the next use tries again.
    isBegun = false;
  }
}

for (const form of boxes) form.addEventListener('focusin', load);
if (document.getElementById('found') !== null && location.search !== '') void load();
if (document.activeElement?.closest('form.search')) void load();

const own = document.querySelector<HTMLLinkElement>('[rel=canonical]');
if (own && !location.href.startsWith(own.href)) void script('other-address');

addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  const isWriting = target instanceof Element && target.closest('input, textarea, select') !== null;
  if (key !== '/' || ctrlKey || metaKey || altKey || isWriting) return;
  event.preventDefault();
  const field = (boxes.find((form) => form.closest('main')) ?? boxes[0])?.querySelector('input');
  field?.focus();
  field?.select();
});
