/**
 * What people come for, by keyboard alone, each within a number of actions. An action is: writing words, choosing from a list with
 * arrows and Enter, following a link, pressing a button, or choosing a file.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { inBrowser } from '../_support/browser.ts';
import { builtTree } from '../_support/tree.ts';

const site = inBrowser();

/** A reader at work: the page, and how many actions were taken. */
interface Reader {
  page: Page;
  actions: number;
  /** Writes into the search box of the page, which `/` leads to. */
  write(words: string): Promise<void>;
  /** Chooses the hit with these words by arrows and Enter, the first one where none are given. */
  choose(words?: RegExp): Promise<void>;
  /** Follows a link or presses a button that the Tab key comes to. */
  follow(target: Locator): Promise<void>;
  /** The text of the page. */
  text(): Promise<string>;
}

async function reader(path = ''): Promise<Reader> {
  const { page } = await site.open(path, { reducedMotion: 'reduce' });
  const list = page.locator('.search-found:not([hidden]) .what > a');
  const self: Reader = {
    page,
    actions: 0,
    async write(words) {
      self.actions += 1;
      await page.keyboard.press('/');
      await page.keyboard.type(words);
      await list.first().waitFor();
    },
    async choose(words) {
      self.actions += 1;
      const names = await list.allInnerTexts();
      const at = words === undefined ? 0 : names.findIndex((name) => words.test(name));
      expect([names, at >= 0]).toEqual([names, true]);
      for (let step = 0; step <= at; step += 1) await page.keyboard.press('ArrowDown');
      await left(page, () => page.keyboard.press('Enter'));
    },
    async follow(target) {
      self.actions += 1;
      const element = target.first();
      await element.focus();
      // Focused, so it is in the order of the Tab key; its key does the rest.
      expect(await element.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
      await left(page, () => page.keyboard.press('Enter'));
    },
    text: async () => page.locator('main').innerText(),
  };
  return self;
}

/** A file as text. */
async function text8(path: Promise<string>): Promise<string> {
  return readFile(await path, 'utf8');
}

/** Does something that leads to another page or another part of this one, and waits for that. */
async function left(page: Page, act: () => Promise<void>): Promise<void> {
  const before = page.url();
  await act();
  await page.waitForURL((url) => url.href !== before);
  await page.waitForLoadState();
}

describe('by keyboard alone', () => {
  test('cocaine in Belgium: at most 4, 2019 to 2023 under two labels, which is said', async () => {
    const one = await reader();
    await one.write('cocaine belgium');
    await one.follow(
      one.page.locator('.search-found').getByRole('link', { name: 'Cocaine-type: Cocaine hydrochloride' }),
    );
    const text = await one.text();
    const rows = await one.page.locator('main tbody tr').allInnerTexts();
    expect(
      rows.flatMap((row) => /^Belgium\s+(\d{4})\s+Cocaine-type: Cocaine hydrochloride/.exec(row)?.[1] ?? []),
    ).toEqual(['2019', '2022', '2023']);
    expect(text).toMatch(/records under other labels .*"Cocaine \(total of the above.*\(2020, 2021\)/);
    expect(one.actions).toBeLessThanOrEqual(4);
  });

  test('heroin prices in two countries side by side: at most 6', async () => {
    const one = await reader();
    await one.write('heroin prices belgium');
    await one.follow(
      one.page.locator('.search-found').getByRole('link', { name: 'Heroin: Grams', exact: true }),
    );
    await one.follow(one.page.getByRole('link', { name: 'Compare with another place or query' }));
    one.actions += 1;
    await one.page.getByLabel('The last view again, for another place').focus();
    await one.page.keyboard.type('Austria');
    await one.follow(one.page.getByRole('button', { name: 'Compare' }));
    const figures = one.page.locator('main figure');
    for (const [at, place] of ['Belgium', 'Austria'].entries()) {
      expect(await figures.nth(at).innerText()).toContain(place);
      expect(await figures.nth(at).locator('.mark').count()).toBeGreaterThan(0);
    }
    expect(one.actions).toBeLessThanOrEqual(6);
  });

  test('a designation by name: at most 3', async () => {
    const one = await reader();
    await one.write('sinaloa cartel');
    await one.choose(/^Search designations for/);
    const results = await one.text();
    expect(results).toMatch(/not proof of guilt/);
    await one.follow(one.page.locator('main table a'));
    expect(one.page.url()).toMatch(/\/designations\/\d+$/);
    expect(await one.page.locator('h1').innerText()).toMatch(/SINALOA CARTEL/i);
    expect(one.actions).toBeLessThanOrEqual(3);
  });

  test('a view as CSV for Excel: at most 2', async () => {
    const one = await reader('explore/?indicator=seizures&geo=BEL');
    const link = one.page.getByRole('link', { name: 'CSV for Excel' }).first();
    const download = one.page.waitForEvent('download');
    one.actions += 1;
    await link.focus();
    await one.page.keyboard.press('Enter');
    const text = await text8((await download).path());
    expect(text.slice(0, 1)).toBe('\ufeff');
    expect(text).toContain('Cocaine hydrochloride');
    expect(one.actions).toBeLessThanOrEqual(2);
  });

  test('Mexico: at most 2', async () => {
    const one = await reader();
    await one.write('mexico');
    await one.choose();
    expect(one.page.url()).toContain('/places/mex/');
    expect(await one.text()).toMatch(/^Places\s+Mexico/);
    expect(one.actions).toBeLessThanOrEqual(2);
  });

  test('who reports opium: at most 2', async () => {
    const one = await reader();
    await one.write('opium');
    await one.choose();
    const text = await one.text();
    for (const words of ['Places and years', 'Afghanistan', 'Myanmar', 'Colombia'])
      expect(text).toContain(words);
    expect(one.actions).toBeLessThanOrEqual(2);
  });

  test('where a number comes from: 1, from a figure, a table and a story', async () => {
    const starts: [path: string, link: string][] = [
      ['indicators/opium-cultivation/', 'svg .mark a, svg a .mark, svg a:has(.mark)'],
      ['data/drug-seizures/bel/', 'main tbody th a'],
      ['news/belgium-cocaine-seizures-labels/', 'main .c, main [href^="#cite-"]'],
    ];
    for (const [path, link] of starts) {
      const one = await reader(path);
      await one.follow(one.page.locator(link));
      const text = await one.text();
      expect([path, /\b[0-9a-f]{64}\b/.test(text)]).toEqual([path, true]);
      expect(one.actions).toBe(1);
      await one.page.context().close();
    }
  });

  test('cite a figure: at most 2', async () => {
    const one = await reader('indicators/opium-cultivation/');
    await one.follow(one.page.locator('figure .actions a', { hasText: 'Cite' }));
    const text = await one.text();
    expect(text).toMatch(/BibTeX/);
    expect(text).toMatch(/World Drug Report/);
    expect(one.actions).toBeLessThanOrEqual(2);
  });

  test('what changed in the last edition: at most 2', async () => {
    const one = await reader();
    await one.write('changes');
    await one.choose(/what differs between editions/);
    expect(one.page.url()).toMatch(/#differences$/);
    expect(await one.page.locator('section:has(#differences)').innerText()).toMatch(
      /Edition .* next to edition/,
    );
    expect(one.actions).toBeLessThanOrEqual(2);
  });

  test('what changed in all datasets since the last visit: at most 2', async () => {
    const one = await reader();
    await one.follow(one.page.getByRole('link', { name: 'What changed between editions' }));
    await one.follow(one.page.locator('section:has(#editions) tbody a'));
    const section = one.page.locator(`section:has([id="${new URL(one.page.url()).hash.slice(1)}"])`);
    expect(await section.innerText()).toMatch(/Edition .* next to edition/);
    expect(one.actions).toBeLessThanOrEqual(2);
  });

  test('verify a file: at most 3', async () => {
    const one = await reader();
    await one.write('verify a file');
    await one.choose();
    expect(one.page.url()).toMatch(/\/verify\/$/);
    one.actions += 1;
    await one.page.locator('.verify input').setInputFiles(join(builtTree(), 'data/coca-cultivation.csv'));
    await expect
      .poll(() => one.page.locator('.verify-answer').innerText())
      .toContain('this is /data/coca-cultivation.csv of this release');
    expect(one.actions).toBeLessThanOrEqual(3);
  });
});
