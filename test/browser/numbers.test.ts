/** Numbers as people read them: no line ends within one, at any width or on paper, and no page scrolls sideways for it. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser } from '../_support/browser.ts';

const site = inBrowser();

/** Where numbers of values and ranges are. */
const VALUES =
  'table.rows td, .record .value, .record .state, .printed li, .dots .label, .home .figure, .steps strong, .stories p, a.c, .find label';

/** What a pattern finds in places of a page and goes on in a second line, or beyond its cell. */
const brokenIn = (places: string, pattern: string): string =>
  `[...document.querySelectorAll('main :is(${places})')].flatMap((place) => {
  const letters = [];
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) if (texts.currentNode.parentElement.checkVisibility()) for (let at = 0; at < texts.currentNode.length; at++) letters.push([texts.currentNode, at]);
  const box = (at) => { const range = document.createRange(), [node, from] = letters[at];
    range.setStart(node, from); range.setEnd(node, from + 1); return range.getBoundingClientRect(); };
  return [...letters.map(([node, at]) => node.data[at]).join('').matchAll(/${pattern}/gi)].flatMap(({ 0: number, index }) => {
    const [first, last, whole] = [box(index), box(index + number.length - 1), place.getBoundingClientRect()];
    return first.top !== last.top || last.right > whole.right + 1 || first.left < whole.left - 1 ? [number] : [];
  });
})`;

/** Numbers of values and ranges, and words next to them, such as "reported". */
const BROKEN = brokenIn(VALUES, String.raw`\d[\d.]*\d|\b[a-z]{3,9}\b`);

/** What is broken in a page that is so wide, each with the width; the page itself where it scrolls sideways. */
async function brokenAt(page: Page, widths: readonly number[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const scrolled = await page.evaluate(`document.documentElement.scrollWidth`);
    if (scrolled !== width) found.push([width, `the page is ${String(scrolled)} px wide`]);
    found.push(...(await page.evaluate<string[]>(BROKEN)).map((number) => [width, number]));
  }
  return found;
}

test.each([
  'explore/?dataset=drug-prices&geo=FRA',
  'explore/?dataset=drug-seizures&geo=ARE&view=table',
  'explore/?indicator=prices-wholesale&geo=MEX&view=table',
  'data/drug-prices/fra/',
  'data/drug-seizures/are/',
  'places/fra/',
  'r/prices-retail.FRA.2018.amphetamine-tablet~6d0172',
])('%s: no number wraps within its digits', async (path) => {
  const { page } = await site.open(path);
  const found = await brokenAt(page, [320, 390, 641, 768, 1030, 1280, 1440]);
  // The width of a page of A4 within its margins.
  await page.setViewportSize({ width: 673, height: 800 });
  await page.emulateMedia({ media: 'print' });
  found.push(...(await page.evaluate<string[]>(BROKEN)).map((number) => ['print', number]));
  expect(found.slice(0, 12)).toEqual([]);
});

test.each([
  '',
  'places/fra/',
  'places/mex/',
  'indicators/prices-retail/',
  'data/drug-prices/',
  'data/drug-prices/fra/',
  'data/drug-seizures/are/',
  'news/',
  'news/opium-broken-best-estimates/',
  'explore/?dataset=drug-prices&geo=FRA',
  'r/prices-retail.FRA.2018.amphetamine-tablet~6d0172',
])('%s: nor in text of twice the size', async (path) => {
  const { page } = await site.open(path);
  await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; });
    document.documentElement.style.fontSize = '200%'`);
  expect((await brokenAt(page, [320, 390, 1280])).slice(0, 12)).toEqual([]);
});

test.each([
  'data/',
  'sources/',
  'r/',
  'data/border-drug-seizures/',
  'data/border-drug-seizures/x-us-cbp-miami-field-office/',
  'places/x-us-cbp-miami-field-office/',
  'indicators/cbp-seizure-weight/',
  'explore/?indicator=cbp-seizure-weight&geo=x-us-cbp-miami-field-office&view=table',
])('%s: no line ends within a date or a month', async (path) => {
  const { page } = await site.open(path);
  await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
  const broken = brokenIn('td, tbody th', String.raw`\b\d{4}-\d\d(-\d\d)?\b`);
  for (const width of [360, 768, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const found = await page.evaluate<string[]>(broken);
    expect([width, found.slice(0, 5)]).toEqual([width, []]);
  }
  await page.setViewportSize({ width: 673, height: 800 });
  await page.emulateMedia({ media: 'print' });
  expect((await page.evaluate<string[]>(broken)).slice(0, 5)).toEqual([]);
});

test.each([
  'explore/?indicator=use-cannabis&geo=x-kosovo',
  'explore/?dataset=drug-prices&geo=FRA&view=table',
  'explore/?indicator=prices-wholesale&view=table&limit=500',
  'explore/?indicator=arms-offences&geo=COL&view=table',
  'data/arms/col/',
  'r/opium-cultivation.AFG.2019',
])('%s: no place, unit, status or cell is broken within a word, at widths of tablets too', async (path) => {
  const { page } = await site.open(path);
  const broken = brokenIn('table.rows td, .record td .hash', String.raw`\b(of|[a-z]{3,13}|sheet1![a-z]\d)\b`);
  for (const width of [320, 360, 390, 600, 640, 768, 900, 1000, 1030, 1150, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const found = await page.evaluate<string[]>(broken);
    expect([width, found.slice(0, 5)]).toEqual([width, []]);
  }
});
