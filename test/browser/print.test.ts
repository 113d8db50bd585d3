/** Pages on paper: the address above them is that of what is shown, and nothing is wider than the paper. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, onTestFinished, test } from 'vitest';
import { inBrowser } from '../_support/browser.ts';
import { fileServer } from '../_support/file-server.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';

const site = inBrowser();

test('the address on paper has the query that a script has changed, and nothing of it is on the screen', async () => {
  const { page, messages } = await site.open('explore/?indicator=seizures&geo=MEX');
  const address = page.locator('.top > .address');
  expect(await address.isVisible()).toBe(false);
  await page.getByLabel('Place', { exact: true }).selectOption('BEL');
  await page.getByRole('heading', { name: 'Drug seizures: Belgium' }).waitFor();
  await page.pdf();
  expect(await address.textContent()).toContain(`${TEST_SITE}/explore/?indicator=seizures&geo=BEL. `);
  expect(await page.getByRole('heading', { name: 'Copy as' }).isVisible()).toBe(true);
  await page.emulateMedia({ media: 'print' });
  expect(await address.isVisible()).toBe(true);
  // What can be copied is not on paper, and nor is its heading.
  expect(await page.locator('h3', { hasText: 'Copy as' }).isVisible()).toBe(false);
  expect(await page.getByRole('heading', { name: 'Cite' }).isVisible()).toBe(true);
  expect(messages).toEqual([]);
});

test('the search on a copy of the files is printed with its query, as it is written', async () => {
  const copy = await fileServer(builtTree());
  onTestFinished(() => copy.close());
  const { page, messages } = await site.open(`${copy.url}search/?q=opium`);
  const address = page.locator('.top > .address');
  await page.locator('#found .hits').waitFor();
  await page.pdf();
  expect(await address.textContent()).toContain(`${TEST_SITE}/search/?q=opium. `);
  await page.locator('main input').fill('cocaine belgium');
  await page.pdf();
  expect(await address.textContent()).toContain(`${TEST_SITE}/search/?q=cocaine%20belgium. `);
  expect(messages).toEqual([]);
});

test('on paper the address, release and licence are above the heading, and nothing is wider than A4', async () => {
  const { page } = await site.open('places/mex/', { viewport: { width: 673, height: 950 } });
  await page.emulateMedia({ media: 'print' });
  for (const path of [
    'places/mex/',
    'places/esp/',
    'r/prices-retail.FRA.2018.amphetamine-tablet~6d0172',
    'data/drug-seizures/',
    'releases/',
    'data/drug-prices/fra/',
    'news/belgium-cocaine-seizures-labels/',
    'news/opium-broken-best-estimates/',
    'news/colombia-firearms-zero-and-blank/',
  ]) {
    await page.goto(new URL(path, site.url()).href);
    const first = await page.locator('.top').innerText();
    expect(first).toContain(`Public Evidence, ${TEST_SITE}/${path}. `);
    expect(first).toContain('Release and checksums: release.json');
    expect(first).toContain('own licence governs its data');
    expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 673]);
    expect([path, await page.evaluate(OFF_PAPER)]).toEqual([path, []]);
  }
});

test('a matrix is on the paper with all its names and years, whatever their number', async () => {
  const { page } = await site.open('places/mex/');
  await page.emulateMedia({ media: 'print' });
  for (const [path, first, last] of [
    ['indicators/ny.gdp.pcap.cd/', '1960', 'Pakistan'],
    ['indicators/dt.dod.dppg.cd/', '1970', 'Pakistan'],
    [
      'explore/?indicator=cbp-seizure-weight&geo=x-us-cbp-miami-field-office&from=2022-01&view=matrix',
      '2022-01',
      'Office',
    ],
  ] as const)
    for (const width of [673, 718]) {
      await page.setViewportSize({ width, height: 950 });
      await page.goto(new URL(path, site.url()).href);
      const matrix = page.locator('.matrix table');
      expect(await matrix.locator('thead th').first().innerText()).toBe(first);
      expect(await matrix.locator('tbody th').last().innerText()).toContain(last);
      expect([path, width, await page.evaluate(OFF_PAPER)]).toEqual([path, width, []]);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
      // Columns are narrow, and none is over the next one.
      const overlaps = `(() => {
        const boxes = [...document.querySelectorAll('.matrix thead span')].map((one) => one.getBoundingClientRect());
        return boxes.filter(({ left }, at) => at > 0 && left < boxes[at - 1].right - .5).length;
      })()`;
      expect([path, width, await page.evaluate(overlaps)]).toEqual([path, width, 0]);
    }
});

test('the first page on paper has the map: its table, which is longer than a page, follows it', async () => {
  for (const path of ['map/arms-seized/', 'map/dge/']) {
    const { page } = await site.open(path);
    const [first = ''] = drawnOn(await page.pdf({ format: 'A4' }));
    expect([path, (first.match(/ [lc]\n/g) ?? []).length > 1000]).toEqual([path, true]);
  }
});

test.each([
  ['a place', 'places/mex/', null],
  [
    'a record',
    'r/prices-retail.FRA.2018.amphetamine-tablet~6d0172',
    /"prices-retail\.FRA\.2018\.amphetamine-tablet~6d0172"/,
  ],
  ['a dataset', 'data/drug-seizures/', null],
  ['the rows of a place', 'data/drug-prices/fra/', /"geoCode":"FRA"/],
  ['a story', 'news/opium-broken-best-estimates/', null],
])(
  'on paper is all that the page of %s says, with address, release and licence first',
  async (_name, path, own) => {
    const { page } = await site.open(path);
    const document = await getDocumentProxy(new Uint8Array(await page.pdf({ format: 'A4' })));
    const { text } = await extractText(document, { mergePages: false });
    const [first = '', ...rest] = text.map(closed);
    for (const said of [`${TEST_SITE}/${path}. `, 'Release and checksums', 'Each source’s own licence'])
      expect(first).toContain(closed(said));
    const printed = [first, ...rest].join('');
    const said = await page.evaluate(SAID);
    expect(said.length).toBeGreaterThan(50);
    expect(said.filter((word) => !printed.includes(word))).toEqual([]);
    if (own === null) return;
    const values = readFileSync(join(builtTree(), 'data/drug-prices.ndjson'), 'utf8')
      .split('\n')
      .filter((line) => own.test(line))
      .map((line) => (JSON.parse(line) as { value: number | null }).value);
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter((value) => value !== null && !printed.includes(String(value)))).toEqual([]);
  },
);

/** Lines are broken in other places on paper. */
const closed = (text: string): string => text.replaceAll(/\s+/g, '');

/** The words with digits that a reader sees, except in what paper has no use for. */
const SAID = `(() => {
  for (const one of document.querySelectorAll('main :is(form, button, nav, script, .hidden)')) one.remove();
  return document.querySelector('main').innerText.split(/\\s+/).filter((word) => /\\d/.test(word));
})()` as unknown as () => string[];

/** Elements that are seen and reach over the left or the right edge of the paper. */
const OFF_PAPER = `[...document.querySelectorAll('body *')].flatMap((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  const isOff = width > 0 && (left < -.5 || right > innerWidth + .5);
  return isOff && one.checkVisibility() && !one.closest('.hidden') ? [one.tagName + ' ' + left + ' ' + one.textContent.slice(0, 40)] : [];
}).slice(0, 5)`;

/** What each page of a document draws, as the operators of PDF. */
function drawnOn(document: Buffer): string[] {
  const text = document.toString('latin1');
  return [...text.matchAll(/\/Type \/Page\n[^]*?\/Contents (\d+) 0 R/g)].map(([, number = '']) => {
    const head = new RegExp(`\\n${number} 0 obj\\n<<[^]*?>>\\s*stream\\r?\\n`).exec(text);
    const from = (head?.index ?? 0) + (head?.[0].length ?? 0);
    return inflateSync(document.subarray(from, text.indexOf('endstream', from))).toString('latin1');
  });
}
