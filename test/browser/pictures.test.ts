/** Figures saved as pictures: the file alone has the same marks in the same colours, and says what it shows, from where and by whom. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { inBrowser } from '../_support/browser.ts';
import { TEST_SITE } from '../_support/tree.ts';

const site = inBrowser();

/** The record and value of each mark, where it leads from an address, and how each of its shapes is drawn. */
const marksFrom = (
  address: string,
): string => `[...document.querySelectorAll('#drawn .mark, :root:is(svg) .mark')].map((mark) => ({
  ...mark.dataset,
  link: mark.parentElement.localName === 'a' && new URL(mark.parentElement.getAttribute('href'), '${address}').href,
  shapes: [...mark.querySelectorAll('circle, path, line, use')].map((shape) => {
    const style = getComputedStyle(shape);
    return ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'fill-opacity', 'opacity'].map((name) => style[name]).join(' ');
  }),
}))`;

/** Where the marks are, as shares of the width and the height that all of them take together. */
const PLACES = `(() => {
  const at = [...document.querySelectorAll('#drawn .mark, :root:is(svg) .mark')].map((mark) => {
    const { x, y, width, height } = mark.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  });
  const share = (axis) => {
    const all = at.map((point) => point[axis]);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    return all.map((one) => (one - least) / (most - least || 1));
  };
  return [...share(0), ...share(1)];
})()`;

/** What the matrix of a drawing in a drawing is in Firefox: without its own place. */
const AS_FIREFOX = `const { getScreenCTM } = SVGGraphicsElement.prototype;
SVGSVGElement.prototype.getScreenCTM = function () {
  return getScreenCTM.call(this.ownerSVGElement ? this.parentElement : this);
};`;

const FIGURES = [
  {
    name: 'a place',
    path: 'places/afg/',
    figure: '#figure-opium-cultivation',
    file: 'area-under-illicit-opium-poppy-cultivation-afghanistan',
    address: `${TEST_SITE}/places/afg/#figure-opium-cultivation`,
  },
  {
    name: 'a map',
    path: 'map/seizures/',
    figure: '.fig.map',
    file: 'drug-seizures',
    address: `${TEST_SITE}/map/seizures/#places`,
  },
  {
    name: 'the explorer after a change',
    path: 'explore/?indicator=seizures&geo=MEX&category=Cocaine-type',
    figure: '#figure',
    file: 'drug-seizures-belgium-cocaine-type',
    address: `${TEST_SITE}/explore/?indicator=seizures&geo=BEL&category=Cocaine-type#figure`,
    change: async (page: Page): Promise<void> => {
      await page.getByLabel('Place', { exact: true }).selectOption('BEL');
      await page.getByRole('heading', { name: 'Drug seizures: Belgium' }).waitFor();
    },
  },
];

test.each(FIGURES)('$name: saved as SVG and PNG', async ({ path, figure, file, address, change }) => {
  // Narrow and dark on the screen; wide and light in the picture.
  const { page, messages } = await site.open(path, {
    colorScheme: 'dark',
    viewport: { width: 700, height: 800 },
  });
  // The button is the script's: nobody without one is offered a picture.
  expect(await (await fetch(new URL(path, site.url()))).text()).not.toContain('Save as');
  await change?.(page);
  await page.evaluate(AS_FIREFOX);
  const shown = page.locator(figure);
  const save = async (type: string): Promise<{ name: string; at: string }> => {
    const download = page.waitForEvent('download');
    await shown.getByRole('button', { name: `Save as ${type}` }).click();
    return { name: (await download).suggestedFilename(), at: await (await download).path() };
  };
  const [svg, png] = [await save('SVG'), await save('PNG')];
  expect([svg.name.startsWith(file), png.name]).toEqual([true, svg.name.replace(/svg$/, 'png')]);
  const lines = await shown.locator('figcaption, .boundary, .source, .borders').allTextContents();
  expect(lines.join(' ')).toMatch(/, edition \d{4}.+Licence: /);
  // As wide as in the picture, and in its font.
  await page.setViewportSize({ width: 1300, height: 800 });
  await shown.evaluate((element) => {
    element.id = 'drawn';
    const width = element.querySelectorAll('.panel').length === 1 ? 44 : 60;
    element.style.cssText = `width: ${width}rem; font-family: Arial, Helvetica, Liberation Sans, sans-serif`;
  });
  await page.emulateMedia({ colorScheme: 'light', media: 'print' });
  expect(await shown.getByRole('button').count()).toBe(0);
  await page.emulateMedia({ media: null });
  const marks = await page.evaluate<unknown[]>(marksFrom(address));
  expect(marks.length).toBeGreaterThan(3);
  const places = await page.evaluate<number[]>(PLACES);

  const text = readFileSync(svg.at, 'utf8');
  expect(text.match(/var\(| style=|<style|<image|font-face|vector-effect/g)).toBeNull();
  const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
  expect(links.filter((href) => !href.startsWith(`${TEST_SITE}/`) && !href.startsWith('#'))).toEqual([]);
  // The file without the site, in a browser that draws it by itself.
  await page.route('**/picture.svg', (route) => route.fulfill({ contentType: 'image/svg+xml', body: text }));
  await page.goto('http://alone.invalid/picture.svg');
  expect(await page.evaluate(`document.documentElement.localName`)).toBe('svg');
  expect(await page.evaluate(marksFrom(address))).toEqual(marks);
  const drawn = await page.evaluate<number[]>(PLACES);
  expect(drawn).toEqual(places.map((place): unknown => expect.closeTo(place, 1.7)));
  const words = await page.evaluate<string>(
    `[...document.querySelectorAll('text')].map((line) => line.textContent).join('')`,
  );
  const plain = (line: string): string => line.replaceAll(/\s/g, '');
  for (const line of [...lines, `Public Evidence, ${address}. `]) expect(plain(words)).toContain(plain(line));

  const { width, height, data } = PNG.sync.read(readFileSync(png.at));
  const [size] = /width="\d+" height="\d+"/.exec(text) ?? [];
  expect(`width="${width / 2}" height="${height / 2}"`).toBe(size);
  const colours = new Map<number, number>();
  for (let at = 0; at < data.length; at += 4) {
    const colour = data.readUInt32BE(at);
    colours.set(colour, (colours.get(colour) ?? 0) + 1);
  }
  const count = (colour: number): number => colours.get(colour) ?? 0;
  expect(data.readUInt32BE(0)).toBe(0xfbfaf7ff);
  expect(count(0xfbfaf7ff)).toBeGreaterThan(data.length / 8);
  // Marks, and text.
  expect(Math.min(count(0x155e75ff), count(0x1d1c1aff))).toBeGreaterThan(100);
  expect(messages).toEqual([]);
});

test('a picture that could not be made is said to be missing', async () => {
  const { page } = await site.open('places/afg/');
  await page.route('**/assets/picture.js', (route) => route.abort());
  const buttons = page.locator('#figure-opium-cultivation').getByRole('button');
  await buttons.first().click();
  await expect
    .poll(() => buttons.allTextContents())
    .toEqual(['Not saved: load the page again', 'Save as PNG']);
});
