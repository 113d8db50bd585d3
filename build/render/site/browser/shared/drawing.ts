/**
 * What is laid out on the page, as SVG: each line of text, each box and each shape is written down where it is, with the style that it
 * has there, so that what is written needs no style sheet and no layout.
 */

const SVG = 'http://www.w3.org/2000/svg';

/** Attributes of shapes that are kept as they are. */
const KEPT = new Set(
  'id href d r cx cy x y x1 x2 y1 y2 width height transform patternUnits patternTransform'.split(' '),
);

/** Properties that a shape has from what it is in, unless it has its own. */
const INHERITED = [
  'fill fill-opacity fill-rule stroke stroke-width stroke-dasharray stroke-linecap stroke-linejoin paint-order',
  'shape-rendering pointer-events font-family font-size font-weight font-style text-anchor',
].flatMap((names) => names.split(' '));

/** How much of the height of a line of text is below what letters stand on. */
const DESCENT = 0.19;

/** An element of SVG with attributes. */
export function made(
  tag: string,
  attributes: Record<string, string | number> = {},
  ...children: Node[]
): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * What an element of the page shows, as a group of SVG that has the top left corner of the element at a point; links are those of a page
 * with the given address.
 */
export function drawingOf(root: HTMLElement, [x, y]: readonly [x: number, y: number], page: URL): SVGElement {
  const inherited = getComputedStyle(root);
  const corner = root.getBoundingClientRect();
  const [left, top] = [corner.left - x, corner.top - y];
  /** The line of text that is being written: what follows on it is written into the same element. */
  let line: { text: SVGElement; part: Text; node: Text; bottom: number; right: number } | null = null;
  let isAfterSpace = false;
  const drawing = made(
    'g',
    Object.fromEntries(INHERITED.map((name) => [name, inherited.getPropertyValue(name)])),
  );
  copy(root, drawing);
  return drawing;

  function copy(element: HTMLElement, into: SVGElement): void {
    const style = getComputedStyle(element);
    const isOfLine = style.display === 'inline';
    if (!isOfLine) line = null;
    paint(element, style, into);
    let inside = into;
    if (element.matches('.mark')) into.append((inside = made('g', recordOf(element))));
    for (const node of element.childNodes) {
      if (node instanceof Text) write(node, style, inside);
      else if (node instanceof HTMLElement) copy(node, inside);
      else if (node instanceof SVGElement) inside.append(shape(node, inherited));
    }
    if (!isOfLine) line = null;
  }

  /** Its background and its borders, below the text of their line. */
  function paint(element: HTMLElement, style: CSSStyleDeclaration, into: SVGElement): void {
    const rect = (fill: string, at: number, from: number, width: number, height: number): void => {
      if (fill === 'rgba(0, 0, 0, 0)' || width * height === 0) return;
      const place = { x: round(at - left), y: round(from - top), width: round(width), height: round(height) };
      into.insertBefore(made('rect', { fill, ...place }), line?.text ?? null);
    };
    const widthOf = (side: 'Top' | 'Right' | 'Bottom' | 'Left'): number =>
      parseFloat(style[`border${side}Width`]);
    for (const box of element.getClientRects()) {
      rect(style.backgroundColor, box.left, box.top, box.width, box.height);
      rect(style.borderTopColor, box.left, box.top, box.width, widthOf('Top'));
      rect(style.borderRightColor, box.right - widthOf('Right'), box.top, widthOf('Right'), box.height);
      rect(style.borderBottomColor, box.left, box.bottom - widthOf('Bottom'), box.width, widthOf('Bottom'));
      rect(style.borderLeftColor, box.left, box.top, widthOf('Left'), box.height);
    }
  }

  /** Text, in the order of reading: a line has one place, and what follows on it is where the font puts it. */
  function write(node: Text, style: CSSStyleDeclaration, into: SVGElement): void {
    const range = document.createRange();
    let at = 0;
    for (const character of node.data) {
      range.setStart(node, at);
      range.setEnd(node, (at += character.length));
      // Safari has another for what begins a line in the middle of a word: where the line before ends.
      const rect = [...range.getClientRects()].at(-1);
      // At the ends of lines white space has no place, between words it is one space.
      const isSpace = /[ \t\r\n]/.test(character);
      isAfterSpace ||= isSpace;
      if (!rect) continue;
      if (line && Math.abs(line.bottom - rect.bottom) > 1) line = null;
      if (!isSpace) {
        if (line && isAfterSpace) line.part.data += ' ';
        if (line?.node !== node)
          line = { ...run(node, style, rect, into), node, bottom: rect.bottom, right: 0 };
        line.part.data += character;
        isAfterSpace = false;
      }
      if (line) line.right = rect.right;
    }
  }

  /** Begins a run of text in one style, on the line that is being written or on another. */
  function run(
    node: Text,
    style: CSSStyleDeclaration,
    rect: DOMRect,
    into: SVGElement,
  ): { text: SVGElement; part: Text } {
    const part = new Text();
    const fonts = differing(style, inherited, ['font-size', 'font-weight', 'font-style']);
    const gap = line ? round(rect.left - line.right) : 0;
    const own = made('tspan', { fill: style.color, ...fonts, ...(gap === 0 ? {} : { dx: gap }) }, part);
    const base = rect.bottom - rect.height * DESCENT - top;
    const text: SVGElement = line?.text ?? made('text', { x: round(rect.left - left), y: round(base) });
    const link = node.parentElement?.closest('a');
    text.append(link ? made('a', { href: addressOf(link) }, own) : own);
    if (!line) into.append(text);
    return { text, part };
  }

  /** A shape with what is in it; `around` is the style of what it is in. A drawing of its own is a group at its place. */
  function shape(element: SVGElement, around: CSSStyleDeclaration): SVGElement {
    const style = getComputedStyle(element);
    const isDrawing = element instanceof SVGSVGElement;
    const shown = made(isDrawing ? 'g' : element.localName, {
      ...recordOf(element),
      ...(isDrawing ? { transform: placeOf(element) } : geometryOf(element)),
      ...(element instanceof SVGAElement ? { href: addressOf(element) } : {}),
      ...differing(style, around, INHERITED),
      ...(style.opacity === '1' ? {} : { opacity: style.opacity }),
      ...(style.vectorEffect === 'none' ? {} : strokeOf(element, style)),
    });
    for (const node of element.childNodes) {
      if (node instanceof Text) shown.append(new Text(node.data));
      else if (node instanceof SVGElement) shown.append(shape(node, style));
    }
    return shown;
  }

  /**
   * Where a drawing is in what it is in, and how large a step of it is there. Of a drawing in another the matrix does not say it in
   * Firefox; the parts of such a drawing begin at 0.
   */
  function placeOf(element: SVGSVGElement): string {
    if (element.ownerSVGElement) {
      const { width, viewBox } = element;
      const [across, down] = [element.x, element.y].map(({ baseVal }) => round(baseVal.value));
      const scale = element.hasAttribute('viewBox') ? width.baseVal.value / viewBox.baseVal.width : 1;
      return `translate(${across} ${down}) scale(${round(scale)})`;
    }
    const { a, b, c, d, e, f } = element.getScreenCTM() ?? new DOMMatrix();
    return `matrix(${[a, b, c, d, e - left, f - top].map(round).join(' ')})`;
  }

  function addressOf(link: Element): string {
    return new URL(link.getAttribute('href') ?? '', page).href;
  }
}

/** What tells which record a mark is of. */
function recordOf(element: Element): Record<string, string> {
  const isKept = ({ name }: Attr): boolean =>
    name.startsWith('data-') || (name === 'class' && element.matches('.mark'));
  return Object.fromEntries([...element.attributes].filter(isKept).map(({ name, value }) => [name, value]));
}

/** Its attributes as they are, and parts of the width of its drawing in pixels. */
function geometryOf(element: SVGElement): Record<string, string | number> {
  const width = element.ownerSVGElement?.getBoundingClientRect().width ?? 0;
  return Object.fromEntries(
    [...element.attributes]
      .filter(({ name }) => KEPT.has(name))
      .map(({ name, value }) => [
        name,
        value.endsWith('%') ? round((parseFloat(value) / 100) * width) : value,
      ]),
  );
}

/** A line that is as wide at every size of its drawing, in steps of the drawing: programs differ in what they make of such lines. */
function strokeOf(element: SVGElement, style: CSSStyleDeclaration): Record<string, string> {
  const scale = (element instanceof SVGGraphicsElement && element.getScreenCTM()?.a) || 1;
  const scaled = (lengths: string): string =>
    lengths.replaceAll(/[\d.]+/g, (length) => String(round(Number(length) / scale)));
  return {
    'stroke-width': scaled(style.strokeWidth),
    'stroke-dasharray': scaled(style.strokeDasharray),
  };
}

/** The properties of a style that another one has not. */
function differing(
  style: CSSStyleDeclaration,
  other: CSSStyleDeclaration,
  names: readonly string[],
): Record<string, string> {
  const pairs = names.map((name) => [name, style.getPropertyValue(name), other.getPropertyValue(name)]);
  return Object.fromEntries(pairs.filter(([, value, around]) => value !== around));
}

function round(amount: number): number {
  return Math.round(amount * 1000) / 1000;
}
