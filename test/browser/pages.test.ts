/**
 * One page of every type in a browser: no finding of axe-core, no sideways scroll at 320 px, no message on the console and no breach
 * of the policy while every control is used.
 */
import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PAGE_POLICY } from '../../shim/core/headers.ts';
import { inBrowser } from '../_support/browser.ts';
import { casesOf } from '../_support/share.ts';
import { onePageOfEachType } from '../_support/site-pages.ts';

const site = inBrowser();
const PAGES = onePageOfEachType();

/** Every width, both schemes and forced colours, each at least once; colours and widths do not depend on each other. */
const VIEWS = [
  { width: 320, colorScheme: 'light', forcedColors: 'none' },
  { width: 1440, colorScheme: 'light', forcedColors: 'active' },
  { width: 768, colorScheme: 'dark', forcedColors: 'none' },
] as const;

describe.each(PAGES)('%s: %s', (type, address) => {
  // The page for unknown addresses comes with a 404, and the explorer and the API are sent refusals; the browser reports both.
  const expected = (message: string): boolean =>
    (type === 'not found' && message.includes('404')) ||
    (['explore', 'resource'].includes(type) && /responded with a status of (400|503)/.test(message));

  test('no finding of axe-core, no sideways scroll at any width or with text of twice the size, no field on paper, nothing blocked and nothing on the console while every control is used', async () => {
    const { page, messages } = await site.open(address, { axe: true, reducedMotion: 'reduce' });
    await page.evaluate(`addEventListener('securitypolicyviolation', (event) =>
      console.error('blocked: ' + event.violatedDirective + ' ' + event.blockedURI))`);
    await page.evaluate(`opened = [...document.querySelectorAll('details:not([open])')];
      opened.forEach((one) => { one.open = true; })`);
    const found: string[] = [];
    const inViews = async (
      count: number,
      look: (view: string, index: number) => Promise<void>,
    ): Promise<void> => {
      for (const [index, { width, colorScheme, forcedColors }] of VIEWS.slice(0, count).entries()) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme, forcedColors });
        await look(`${width} ${forcedColors === 'active' ? 'forced' : colorScheme}`, index);
      }
    };
    await inViews(VIEWS.length, async (view, index) => {
      const scrolled = await page.evaluate(`document.documentElement.scrollWidth`);
      if (scrolled !== VIEWS[index]?.width) found.push(`${view}: the page is ${String(scrolled)} px wide`);
      found.push(...(await page.evaluate<string[]>(CUT_CAPTIONS)).map((text) => `${view}: cut: ${text}`));
    });
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const scrolled = await page.evaluate(`document.documentElement.scrollWidth`);
      if (scrolled !== width) found.push(`${width} with large text: the page is ${String(scrolled)} px wide`);
    }
    await page.evaluate(`document.documentElement.style.fontSize = ''`);
    await page.emulateMedia({ media: 'print' });
    const printed = await page.locator(':is(form, main input, select):visible').count();
    if (printed > 0) found.push(`${printed} forms or fields are printed`);
    await page.emulateMedia({ media: null });
    await page.evaluate(FEWER_ALIKE);
    await inViews(casesOf(VIEWS.length, 2), async (view, index) => {
      const rules = index === 0 ? null : RULES_OF_LOOKS;
      found.push(...(await violations(page, rules)).map((violation) => `${view}: ${violation}`));
    });
    expect(found.slice(0, 12)).toEqual([]);
    await page.evaluate(`opened.forEach((one) => { one.open = false; })`);
    await useEveryControl(page);
    expect(messages.filter((message) => !expected(message))).toEqual([]);
    // Trusted Types are on: text cannot become markup.
    await expect(page.evaluate(`document.body.innerHTML = '<b>x</b>'`)).rejects.toThrow(/TrustedHTML/);
  });
});

/** Captions that go on beyond the window: a table may be wider, what it is called is read without scrolling. */
const CUT_CAPTIONS = `[...document.querySelectorAll('main caption')]
  .filter((caption) => caption.getBoundingClientRect().right > innerWidth)
  .map((caption) => caption.textContent)`;

/** Takes out what is there many times: marks of a drawing, rows of a table, items of a list; of each, a few are looked at. */
const FEWER_ALIKE = `document.querySelectorAll('main *').forEach((parent) =>
  [...parent.children].slice(${casesOf(30, 8)}).forEach((child) => {
    if (child.tagName === child.previousElementSibling?.tagName && !child.id) child.remove();
  }))`;

/**
 * Rules whose findings depend on the width; all others are checked in the first view. Contrast, the slowest, is too: every pair of
 * colours of both schemes is checked by test/site/colours.test.ts. The third view is left out of a run that takes a share.
 */
const RULES_OF_LOOKS = [
  'target-size',
  'scrollable-region-focusable',
  'link-in-text-block',
  'aria-hidden-focus',
];

/** What axe-core finds, by all rules or by some: rule, element and what to do. */
async function violations(page: Page, rules: readonly string[] | null): Promise<string[]> {
  const options =
    rules === null
      ? { rules: { 'target-size': { enabled: true } } }
      : { runOnly: { type: 'rule', values: rules } };
  const result: unknown = await page.evaluate(`axe.run(document, {
    resultTypes: ['violations'],
    ...${JSON.stringify(options)},
  }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) =>
    id + ' ' + html.slice(0, 160) + ' ' + failureSummary.slice(0, 240))))`);
  return Array.isArray(result) ? result.map(String) : [];
}

/** Opens, fills in, chooses and presses everything that is not a link. */
async function useEveryControl(page: Page): Promise<void> {
  const loading = new Set<Request>();
  page.on('request', (request) => void loading.add(request));
  page.on('requestfinished', (request) => void loading.delete(request));
  page.on('requestfailed', (request) => void loading.delete(request));
  for (const summary of await page.locator('summary').all())
    if (await summary.isVisible()) await summary.click();
  for (const select of await page.locator('select').all())
    if (await select.isVisible()) await select.selectOption({ index: 1 });
  for (const input of await page.locator('input:not([type=number]):not([type=file])').all())
    if (await input.isVisible()) await input.fill('x');
  for (const number of await page.locator('input[type=number]').all())
    if (await number.isVisible()) await number.fill((await number.getAttribute('min')) ?? '1');
  for (const file of await page.locator('input[type=file]').all())
    await file.setInputFiles({ name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') });
  for (const button of await page.locator('button').all()) if (await button.isVisible()) await button.click();
  await expect.poll(() => loading.size).toBe(0);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
}

test('every type of page comes with the same policy, from every address', async () => {
  for (const [, address] of PAGES) {
    const response = await fetch(new URL(address, site.url()), { headers: { accept: 'text/html' } });
    expect([address, response.headers.get('content-security-policy')]).toEqual([address, PAGE_POLICY]);
  }
});

test('what is below the box for a file is where it is before the script of the box runs', async () => {
  const tops: number[] = [];
  for (const isBlocked of [true, false]) {
    const { page } = await site.open('docs/');
    if (isBlocked) await page.route(/assets\/verify\.js/, (route) => route.abort());
    await page.goto(new URL('sources/iafq/', site.url()).href);
    expect(await page.locator('.verify-file').isVisible()).toBe(!isBlocked);
    tops.push(await page.evaluate(`document.querySelector('.verify details').getBoundingClientRect().top`));
  }
  expect(tops[0]).toBe(tops[1]);
});

test('on a narrow screen the menu opens with the keyboard', async () => {
  const { page } = await site.open('docs/', { viewport: { width: 360, height: 800 } });
  expect(await page.getByRole('link', { name: 'Data', exact: true }).isVisible()).toBe(false);
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').innerText()).toBe('Skip to content');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.getByRole('link', { name: 'Data', exact: true }).isVisible()).toBe(true);
});

test('on a wide screen the menu is open and has no button', async () => {
  const { page } = await site.open('docs/', { viewport: { width: 1440, height: 800 } });
  expect(await page.getByRole('link', { name: 'Data', exact: true }).isVisible()).toBe(true);
  expect(await page.getByText('Menu', { exact: true }).isVisible()).toBe(false);
});

test('on paper a page says what it is, from where, of when, and under which licence; navigation and forms are gone', async () => {
  const { page } = await site.open('explore/');
  await page.emulateMedia({ media: 'print' });
  const text = await page.locator('body').innerText();
  expect(text).toContain('Public Evidence, https://evidence.example/explore/');
  expect(text).toMatch(/Data as of \d{4}-\d{2}-\d{2}/);
  expect(text).toContain('own licence governs its data');
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
  expect(await page.locator('form').first().isVisible()).toBe(false);
});

test('on paper what is closed on the screen is open, and a table repeats its heading', async () => {
  const { page } = await site.open('places/mex/');
  await page.emulateMedia({ media: 'print' });
  const inside = page.locator('main details:not([open]) table').first();
  expect(await inside.locator('td').first().isVisible()).toBe(true);
  await page.goto(
    new URL('explore/?indicator=prices-retail&geo=DEU&view=table', page.url().replace(/places.*/, '')).href,
  );
  expect(await page.evaluate(`getComputedStyle(document.querySelector('table.rows thead')).display`)).toBe(
    'table-header-group',
  );
  expect(await page.locator('.find').isVisible()).toBe(false);
});

test('the front page is not longer than 3,200 px at 1440', async () => {
  const { page } = await site.open('', { viewport: { width: 1440, height: 900 } });
  expect(Number(await page.evaluate(`document.documentElement.scrollHeight`))).toBeLessThanOrEqual(3200);
});

test('what the site will not do is in columns on the front page alone', async () => {
  const { page } = await site.open('about/', { viewport: { width: 1440, height: 900 } });
  const columns = `getComputedStyle(document.querySelector('#boundaries + *')).columnCount`;
  expect(await page.evaluate(columns)).toBe('auto');
  await page.goto(site.url());
  expect(await page.evaluate(columns)).toBe('3');
});
