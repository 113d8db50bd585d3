/** Marks in Chromium: every kind has its own shape in the DOM and its own pixels, and every label is inside its figure. */
import type { Page } from 'playwright-core';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { PAGE_POLICY } from '../../shim/core/headers.ts';
import { coverageMatrix } from '../../shim/view/chart/matrix.ts';
import { dotPlot } from '../../shim/view/chart/dots.ts';
import { seriesFigure } from '../../shim/view/chart/panels.ts';
import { printPage } from '../../shim/view/frame.ts';
import { el } from '../../shim/view/node.ts';
import { inBrowser } from '../_support/browser.ts';
import { contrast } from '../_support/colour.ts';
import { KINDS, PREPARED } from './prepared.ts';

const site = inBrowser();

const WIDTHS = [320, 360, 768, 1440];
const SCHEMES = ['light', 'dark', 'forced-colors', 'print'] as const;
/** Size of a cropped mark: no neighbour reaches into it at the narrowest width. */
const CROP = { width: 12, height: 14 };
/** Pixels of the 168 by which the crops of two kinds differ at least. */
const DIFFERENT = 10;

const ABOUT = {
  root: '../',
  caption: 'Cocaine seized in Belgium, a prepared series',
  sources: [
    {
      id: 'prepared-1',
      name: 'A prepared file',
      publisher: 'A publisher with a long name of its own',
      edition: '2026-01',
      license: 'as published',
      stale: true,
      staleAfter: '2026-06-30',
    },
  ],
  boundary: 'A seizure is an administrative observation.',
  query: 'api/v1/market-observations?dataset=prepared',
};

const several = PREPARED.filter(({ period }) => period === '2016');
const YEARS = PREPARED.map(({ period }) => period);
/** Ten rows of one period, each a zero. */
const ZEROS = PREPARED.filter(({ value }) => value === 0).flatMap((zero) =>
  Array.from({ length: 10 }, (_, index) => ({ ...zero, id: `zero.${index}` })),
);
const HTML = printPage(
  { siteUrl: 'https://evidence.example', generatedAt: null },
  {
    path: 'prepared/index.html',
    title: 'Prepared',
    description: 'A prepared series',
    body: [
      el('h1', {}, 'Prepared'),
      seriesFigure(PREPARED, { ...ABOUT, id: 'panels' }),
      seriesFigure(several, { ...ABOUT, id: 'values' }),
      seriesFigure([...PREPARED, ...ZEROS], { ...ABOUT, id: 'zeros' }),
      dotPlot(
        [...several, ...PREPARED.slice(6, 9).map((one) => ({ ...one, geoName: 'Bosnia and Herzegovina' }))],
        {
          ...ABOUT,
          id: 'dots',
        },
      ),
      coverageMatrix('Coverage', [{ label: 'Belgium', records: PREPARED }], [...new Set(YEARS)], '../'),
    ],
  },
);

/** Opens the prepared page under the policy of all pages. */
async function open(scheme: (typeof SCHEMES)[number]): Promise<{ page: Page; messages: string[] }> {
  const { page, messages } = await site.open('prepared/', {
    viewport: { width: 768, height: 900 },
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
    forcedColors: scheme === 'forced-colors' ? 'active' : 'none',
    made: { html: HTML, headers: { 'content-security-policy': PAGE_POLICY } },
  });
  if (scheme === 'print') await page.emulateMedia({ media: 'print' });
  await page.evaluate('document.fonts.ready.then(() => true)');
  return { page, messages };
}

/** The middle of each mark's shape, with everything else in the drawing hidden; keys are record ids. */
const SHAPES = `(() => {
  for (const part of document.querySelectorAll('#panels .marks > :not(a), #panels .mark text'))
    part.setAttribute('visibility', 'hidden');
  document.querySelector('#panels .marks').scrollIntoView({ block: 'center' });
  return Object.fromEntries([...document.querySelectorAll('#panels .mark')].map((mark) => {
    const { x, y, width, height } = mark.querySelector('.at:last-child > *').getBoundingClientRect();
    return [mark.dataset.record, { x: x + width / 2, y: y + height / 2 }];
  }));
})()`;

/** Pictures of the mark of each kind alone. */
async function crops(page: Page): Promise<Map<string, PNG>> {
  const middles = await page.evaluate<Record<string, { x: number; y: number }>>(SHAPES);
  const window = PNG.sync.read(await page.screenshot());
  return new Map(
    [...KINDS].map(([kind, { id }]) => {
      const { x, y } = middles[id] ?? { x: 0, y: 0 };
      const crop = new PNG(CROP);
      const [left, top] = [Math.round(x) - CROP.width / 2, Math.round(y) - CROP.height / 2];
      PNG.bitblt(window, crop, left, top, CROP.width, CROP.height);
      return [kind, crop];
    }),
  );
}

function difference(one: PNG, other: PNG): number {
  const { width, height } = CROP;
  return pixelmatch(one.data, other.data, undefined, width, height, { threshold: 0.1, includeAA: true });
}

/** Kinds whose pictures cannot be told apart. */
function alikeIn(pictures: ReadonlyMap<string, PNG>): string[] {
  // Shape says what a record is, height how much: a value near zero and one of several rows have the shape of any value.
  const kinds = [...pictures].filter(([kind]) => !['near zero', 'several'].includes(kind));
  expect(kinds).toHaveLength(10);
  return kinds.flatMap(([kind, picture], index) =>
    kinds.slice(index + 1).flatMap(([other, another]) => {
      const pixels = difference(picture, another);
      return pixels < DIFFERENT ? [`${kind} and ${other}: ${pixels}`] : [];
    }),
  );
}

/** What is wrong with the labels of the figures, by name. */
const LABELS = `(() => {
  const name = (node) => node.closest('figure').id + ': ' + node.textContent;
  const all = [...document.querySelectorAll('figure text, figure :is(p, li, span, b, dt, dd, figcaption)')];
  const shown = all.filter((node) => node.getClientRects().length > 0 && !node.matches('.k, .place:empty'));
  const outside = shown.filter((node) => {
    const box = node.getBoundingClientRect();
    const frame = node.closest('figure').getBoundingClientRect();
    return box.left < frame.left - 0.5 || box.right > frame.right + 0.5 || box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5;
  });
  const cut = shown.filter((node) => node.tagName !== 'text' && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0);
  const small = shown.filter((node) => Number.parseFloat(getComputedStyle(node).fontSize) < 11);
  const labels = shown.filter((node) => node.tagName === 'text');
  const overlapping = labels.flatMap((label, index) => labels.slice(index + 1).flatMap((other) => {
    const [a, b] = [label.getBoundingClientRect(), other.getBoundingClientRect()];
    const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
    return apart ? [] : [name(label) + ' / ' + name(other)];
  }));
  const { scrollWidth, clientWidth } = document.documentElement;
  return {
    labels: labels.length,
    wrong: { outside: outside.map(name), cut: cut.map(name), small: small.map(name), overlapping, sideways: scrollWidth - clientWidth },
  };
})()`;

/** Colours of the parts of a drawing, by selector. */
const COLOURS = `(() => {
  const of = (property) => (selector) => {
    const node = document.querySelector('#panels .marks ' + selector);
    return [selector, node ? getComputedStyle(node)[property] : 'missing'];
  };
  return {
    paper: getComputedStyle(document.body).backgroundColor,
    shapes: [of('fill')('.dot'), ...['.ring', '.nil', '.range', '.gone', '.hatch', '.sign', '.join', '.bracket', '.base'].map(of('stroke'))],
    texts: ['text', 'text.rows', 'text.zero'].map(of('fill')),
  };
})()`;

describe.each(SCHEMES)('%s', (scheme) => {
  test('at every width every kind has its own pixels and every label is whole', async () => {
    const { page, messages } = await open(scheme);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const { labels, wrong } = await page.evaluate<{ labels: number; wrong: object }>(LABELS);
      expect(labels).toBeGreaterThan(10);
      // No paper is as narrow as a telephone, and a table of years cannot scroll on it.
      const sideways = scheme === 'print' && width < 700 ? expect.any(Number) : 0;
      const none = { outside: [], cut: [], small: [], overlapping: [], sideways };
      expect({ width, ...wrong }).toEqual({ width, ...none });
    }
    // Labels are hidden from now on.
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const pictures = await crops(page);
      expect([width, alikeIn(pictures)]).toEqual([width, []]);
      const [near, zero] = [pictures.get('near zero'), pictures.get('zero')];
      expect(near && zero && difference(near, zero)).toBeGreaterThanOrEqual(DIFFERENT);
    }
    expect(messages).toEqual([]);
  });

  test('marks are seen against the page, and their labels can be read', async () => {
    const { page } = await open(scheme);
    const colours = await page.evaluate<{ paper: string } & Record<'shapes' | 'texts', [string, string][]>>(
      COLOURS,
    );
    // Paper that is printed on is white.
    const paper = scheme === 'print' ? '#ffffff' : colours.paper;
    const faint = (pairs: [string, string][], least: number): [string, string][] =>
      pairs.filter(([, colour]) => !(contrast(colour, paper) >= least));
    expect(faint(colours.shapes, 3)).toEqual([]);
    expect(faint(colours.texts, 4.5)).toEqual([]);
  });
});

test('every record is one mark with its period, status and value, a link to its record', async () => {
  const { page } = await open('light');
  const marks = await page.evaluate<Record<string, string>[]>(`
    [...document.querySelectorAll('#panels g.mark')].map((node) => ({
      ...node.dataset,
      kind: [...node.classList].slice(1).join(' '),
      title: node.querySelector('title').textContent,
      href: node.closest('a').getAttribute('href'),
    }))`);
  expect(marks).toHaveLength(PREPARED.length);
  expect(new Set(marks.map(({ kind }) => kind)).size).toBe(10);
  for (const { id, period, status, value } of PREPARED) {
    const mark = marks.find(({ record }) => record === id);
    expect(mark).toMatchObject({ period, status, value: value === null ? '' : JSON.stringify(value) });
    expect(mark?.['href']).toBe(`../r/${id}@2026-01`);
  }
  expect(marks[0]?.['title']).toBe('Belgium, 2001: 80 Kilograms, reported');
  expect(marks.find(({ period }) => period === '2009')?.['title']).toBe(
    'Belgium, 2009: unavailable: suppressed by the source',
  );
  const named = page.locator('#panels').getByRole('link', { name: 'Belgium, 2001: 80 Kilograms, reported' });
  expect(await named.count()).toBe(1);
});
