/**
 * Adds to each figure what only a script can do: to save it as a picture. What makes the picture is loaded when it is asked for.
 * The explorer draws its figures again after each change, so it is watched.
 */
import type { savePicture } from './picture.ts';

function offer(): void {
  for (const figure of document.querySelectorAll<HTMLElement>(
    '.fig:has(> .actions):not(:has(> .actions button))',
  ))
    for (const type of ['svg', 'png'] as const) {
      const button = document.createElement('button');
      const words = `Save as ${type.toUpperCase()}`;
      button.type = 'button';
      button.textContent = words;
      button.setAttribute('aria-describedby', `${figure.getAttribute('aria-labelledby')}`);
      button.addEventListener('click', async () => {
        button.textContent = words;
        try {
          const address = new URL('picture.js', import.meta.url).href;
          const picture = (await import(address)) as { savePicture: typeof savePicture };
          await picture.savePicture(figure, type);
        } catch {
          button.textContent = 'Not saved: load the page again';
        }
      });
      const item = document.createElement('li');
      item.append(button);
      figure.querySelector('.actions')?.append(item);
    }
}

offer();
const explorer = document.getElementById('explore');
if (explorer) new MutationObserver(offer).observe(explorer, { childList: true });
