/**
 * A figure as a picture that stands alone: a copy of it is laid out in the colours of the light scheme and in a font that is everywhere,
 * with what the page says of itself on paper below it, and is drawn as it is then (shared/drawing.ts).
 */
import { printedAddress } from './shared/dom.ts';
import { drawingOf, made } from './shared/drawing.ts';

/** Around the figure, in pixels. */
const MARGIN = 24;

/** The most pixels that every browser draws; of more, some make an empty picture. */
const MOST_PIXELS = 4096 ** 2;

/** Fonts of the same widths, one of which nearly every machine has. */
const FONTS = 'Arial, Helvetica, Liberation Sans, sans-serif';

/** What a reader can do on the page alone. */
const CONTROLS = '.actions, .hidden, .others, :is(.note, .part) > a';

/** Saves a figure of the page under the words of its caption. */
export async function savePicture(figure: HTMLElement, type: 'svg' | 'png'): Promise<void> {
  const caption = captionOf(figure);
  const svg = pictureOf(figure, caption);
  const file = new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(type === 'svg' ? file : await painted(file));
  link.download = `${nameOf(caption)}.${type}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A drawing with two pixels for each of its own, or as many as browsers can draw. */
async function painted(svg: Blob): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(svg);
  await image.decode();
  const { width, height } = image;
  const scale = Math.min(2, Math.sqrt(MOST_PIXELS / width / height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.floor(width * scale), Math.floor(height * scale)];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) =>
    canvas.toBlob((png) => (png ? resolve(png) : reject(new Error('Nothing was drawn.')))),
  );
}

function captionOf(figure: HTMLElement): string {
  const caption = copyOf(figure).querySelector('figcaption');
  caption?.querySelector('.how')?.remove();
  return caption?.textContent.trim() ?? '';
}

/** Words as the name of a file: small letters and digits of ASCII. */
function nameOf(words: string): string {
  const plain = words.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return (
    plain
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 100)
      .replaceAll(/^-|-$/g, '') || 'figure'
  );
}

function pictureOf(figure: HTMLElement, caption: string): SVGElement {
  const page = new URL(printedAddress());
  page.hash = figure.id;
  const copy = copyOf(figure);
  copy.style.margin = '0';
  const notes = figure
    .closest('.result, .compared > section')
    ?.querySelectorAll<HTMLElement>(':scope > .note');
  const box = document.createElement('div');
  const beside = [...(notes ?? [])].map(copyOf);
  for (const note of beside) note.className = 'boundary';
  box.append(copy, ...beside, ...sourceLines(figure, page));
  const width = copy.querySelectorAll('.panel').length === 1 ? 44 : 60;
  box.style.cssText = `${lightColours()} color-scheme: light; forced-color-adjust: none; color: var(--ink);
    --sans: ${FONTS}; font-family: var(--sans); position: absolute; left: -999rem; top: 0; width: ${width}rem;`;
  document.body.append(box);
  try {
    const { offsetWidth, offsetHeight } = box;
    const size = { width: offsetWidth + 2 * MARGIN, height: offsetHeight + 2 * MARGIN };
    const words = [...box.querySelectorAll('.how, .part, .boundary, .borders, .source')];
    return made(
      'svg',
      { ...size, viewBox: `0 0 ${size.width} ${size.height}` },
      made('title', {}, new Text(caption)),
      made('desc', {}, new Text(words.map(({ textContent }) => textContent).join(' '))),
      made('rect', { ...size, fill: getComputedStyle(box).getPropertyValue('--paper') }),
      drawingOf(box, [MARGIN, MARGIN], page),
    );
  } finally {
    box.remove();
  }
}

/** A part of the page without its controls; sentences that are folded are open, tables are left out. */
function copyOf(part: HTMLElement): HTMLElement {
  const copy = part.cloneNode(true) as HTMLElement;
  for (const control of copy.querySelectorAll(CONTROLS)) control.remove();
  for (const folded of copy.querySelectorAll('details'))
    folded.replaceWith(...folded.querySelectorAll('.boundary'));
  return copy;
}

/** What the style sheet sets for every page, without what it changes for dark schemes, high contrast and paper. */
function lightColours(): string {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  return rules
    .map((rule) => (rule instanceof CSSStyleRule && rule.selectorText === ':root' ? rule.style.cssText : ''))
    .join(' ');
}

/** Where the records are, and what the page says of itself on paper: its address, date and licence. */
function sourceLines({ dataset: { query } }: HTMLElement, page: URL): HTMLElement[] {
  const root = document.querySelector('.brand')?.getAttribute('href') ?? './';
  const records = document.createElement('p');
  if (query !== undefined)
    records.textContent = `Records as JSON: ${new URL(`${root}${query.slice(1)}`, page).href}`;
  const about = document.querySelector('.top > .address')?.cloneNode(true) as HTMLElement;
  about.querySelector('span')?.replaceChildren(page.href);
  for (const line of [records, about]) line.className = 'source';
  return [records, about];
}
