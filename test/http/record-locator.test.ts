/** r/ on a plain folder server, and the box that checks a file: in a browser. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { PAGE_POLICY } from '../../shim/core/headers.ts';
import type { Observation } from '../../shim/core/records.ts';
import { sha256Hex } from '../../shim/store/disk.ts';
import { rowAddress } from '../../shim/view/address.ts';
import { inBrowser } from '../_support/browser.ts';
import { fileServer } from '../_support/file-server.ts';
import { allObservations, packManifest } from '../_support/records.ts';
import { builtTree, temporaryFolder, TEST_SITE } from '../_support/tree.ts';

const site = inBrowser();

const policy = PAGE_POLICY;
const servers = [
  await fileServer(builtTree(), { policy }),
  await fileServer(builtTree(), { policy, missing: '404.html' }),
];
const [plain = '', hosted = ''] = servers.map(({ url }) => url);
afterAll(() => {
  for (const server of servers) server.close();
});

const records = allObservations();
const yearly = records.find(({ geoCode, datasetId }) => datasetId === 'drug-seizures' && geoCode === 'BEL');
const monthly = records.find(({ period }) => period.length === 7);

async function landed(page: Page, address: string): Promise<void> {
  await page.waitForURL((url) => url.href.endsWith(address));
}

describe('the locator', () => {
  test.each([
    ['a record by year', yearly],
    ['a record by month', monthly],
  ])('leads %s to its row on a folder without the service', async (_what, record?: Observation) => {
    if (!record) throw new Error('no record');
    const { page, messages } = await site.open(new URL(`r/#${record.id}`, plain).href);
    await landed(page, rowAddress(record));
    expect(await page.locator(`[id="${record.id}"]`).count()).toBe(1);
    expect(messages).toEqual([]);
    await page.goto(new URL(`r/#${record.id}@${record.edition}`, plain).href);
    await landed(page, rowAddress(record));
  });

  test('says that another edition is shown, and leads there on request only', async () => {
    if (!yearly) throw new Error('no record');
    const { page, messages } = await site.open(new URL(`r/#${yearly.id}@2001-01`, plain).href);
    const note = page.locator('#found');
    await note.waitFor();
    expect(await note.textContent()).toContain(
      'This link cites edition 2001-01. The pages of this site show edition',
    );
    const [cell, row] = await note
      .locator('a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect([cell, row]).toEqual([
      `${plain}explore/?id=${yearly.id}%402001-01`,
      new URL(rowAddress(yearly), plain).href,
    ]);
    expect(messages).toEqual([]);
  });

  describe('of a dataset with two current editions', () => {
    const ofDataset = records.filter(({ datasetId }) => datasetId === 'border-drug-seizures');
    const [first] = ofDataset;
    const other = ofDataset.find(({ edition }) => edition !== first?.edition);
    /** The page of 2022 has rows of both. */
    const mixed = ofDataset.find(({ period, edition }) => period === '2022-10' && edition === other?.edition);

    test('does not lead silently to the row of the other one', async () => {
      const { page } = await site.open(new URL(`r/#${first?.id}@${other?.edition}`, plain).href);
      await page.locator('#found').waitFor();
      expect(await page.locator('#found').textContent()).toBe(
        `This link cites edition ${other?.edition}. The row is of edition ${first?.edition}. Look for the cited cell in the files of its edition. The row in the edition shown is not the cited cell.`,
      );
    });

    test('leads to the cell where its page has rows of both', async () => {
      if (!mixed || !first) throw new Error('no record');
      for (const [edition, words] of [
        [mixed.edition, `edition ${mixed.edition} (sha256 `],
        [first.edition, `The record "${mixed.id}" is in other editions.`],
      ] as const) {
        const { page, messages } = await site.open(new URL(`r/#${mixed.id}@${edition}`, plain).href);
        await landed(page, `explore/?id=${mixed.id}%40${edition}`);
        await page.locator('main', { hasText: words }).waitFor();
        expect(messages).toEqual([]);
      }
    });

    test('says above each row of such a page which file its cell is in', async () => {
      if (!mixed) throw new Error('no record');
      const { page } = await site.open(new URL(rowAddress(mixed), plain).href);
      const heading = page.locator('tbody', { has: page.locator(`[id="${mixed.id}"]`) }).locator('.shared');
      expect(await heading.innerText()).toMatch(new RegExp(`; file ${mixed.sourceId}$`));
      expect(await heading.locator('a').getAttribute('href')).toMatch(`sources/${mixed.sourceId}/`);
    });
  });

  test('leads to the page of the record where the service runs', async () => {
    const { page, messages } = await site.open(`r/#${yearly?.id}@${yearly?.edition}`);
    await landed(page, `/r/${yearly?.id}@${yearly?.edition}`);
    expect(messages).toEqual([]);
  });

  test.each([
    ['a row that left the table', 'seizures.BEL.2018.cocaine-type-cocaine-hydrochloride~2295f3', ''],
    ['an unknown label', 'seizures.BEL.2023.nosuch', ''],
    ['a place without a page', 'seizures.ZZZ.2023.x', ''],
    ['a row of another edition alone', 'seizures.BEL.2023.nosuch', '@2024-06'],
  ])(
    'says on its own page that %s is not in the edition shown, and where to look',
    async (_what, id, edition) => {
      const { page } = await site.open(new URL(`r/#${id}${edition}`, plain).href);
      const note = page.locator('#found');
      await note.waitFor();
      const cited =
        edition === ''
          ? ''
          : 'This link cites edition 2024-06. The pages of this site show edition 2025-06. Look for the cited cell in the files of its edition. ';
      expect(await note.textContent()).toBe(
        `${cited}The edition shown, 2025-06, has no row ${id}. Look for it in the files of the editions of its dataset, or at its address on the site.`,
      );
      const links = await note.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
      const cell = edition === '' ? [] : [`${plain}explore/?id=${id}%402024-06`];
      const editions = `${plain}data/drug-seizures/#editions`;
      expect(links).toEqual([...cell, editions, `${TEST_SITE}/r/${id}${edition}`]);
      expect(new URL(page.url()).pathname).toBe('/r/');
      await page.goto(editions);
      expect(await page.locator('#editions').count()).toBe(1);
    },
  );

  test('says that a row cannot be looked up where its page does not come', async () => {
    if (!yearly) throw new Error('no record');
    const { page } = await site.open(`${plain}r/`);
    await page.route(/data\/drug-seizures\/bel/, (route) => route.fulfill({ status: 503 }));
    await page.evaluate(`location.hash = ${JSON.stringify(yearly.id)}`);
    await page.locator('#found').waitFor();
    expect(await page.locator('#found').textContent()).toContain(
      `The row of ${yearly.id} cannot be looked up: its page came with HTTP status 503.`,
    );
  });

  test('a country and year of the atlas, and of national context', async () => {
    const { page } = await site.open(new URL('r/#organized-crime-index.AFG.2025', plain).href);
    await landed(page, 'data/organized-crime-index/afg/#organized-crime-index.AFG.2025');
    expect(await page.locator('[id="organized-crime-index.AFG.2025"]').count()).toBe(1);
    await page.goto(new URL('r/#bn.cab.xoka.cd.PAK.1987', plain).href);
    await landed(page, 'data/national-indicators/pak/#bn.cab.xoka.cd.PAK.1987');
    // The explorer has neither.
    for (const id of ['organized-crime-index.AFG.2025', 'bn.cab.xoka.cd.PAK.1987']) {
      await page.goto(new URL(`r/#${id}@2001-01`, plain).href);
      await page.locator('#found', { hasText: 'is not the cited cell' }).waitFor();
      expect(await page.locator('#found a').count()).toBe(1);
    }
  });

  test('says where no dataset has such ids; markup in an id is text', async () => {
    const { page, messages } = await site.open(new URL('r/#<img src=x onerror=alert(1)>', plain).href);
    await page.locator('#found').waitFor();
    expect(await page.locator('#found img').count()).toBe(0);
    expect(await page.locator('#found').textContent()).toContain('There is no dataset');
    expect(messages).toEqual([]);
  });

  test('an unknown address stays what it is, whatever follows its #', async () => {
    const { page } = await site.open('docs/nowhere#intro');
    await page.evaluate(() => new Promise((loaded) => setTimeout(loaded, 500)));
    expect(page.url()).toBe(`${site.url()}docs/nowhere#intro`);
    expect(await page.title()).toContain('Page not found');
  });

  test('a host that gives 404.html for r/<id> is led on too', async () => {
    if (!yearly) throw new Error('no record');
    const { page } = await site.open(new URL(`r/${yearly.id}@${yearly.edition}`, hosted).href);
    await landed(page, rowAddress(yearly));
    expect(await page.locator(`[id="${yearly.id}"]`).count()).toBe(1);
  });

  test('without a script the page has the table', async () => {
    const { page } = await site.open(new URL('r/', plain).href, { javaScriptEnabled: false });
    expect(await page.locator('[data-begins="seizures"]').count()).toBe(1);
    const datasets = packManifest().packs.filter(({ kind }) => kind !== 'entities');
    for (const { id } of datasets)
      expect(await page.locator(`[data-dataset="${id}"]`).count()).toBeGreaterThan(0);
  });
});

describe('the box that checks a file', () => {
  const folder = (name: string, text: string): string => {
    const file = join(temporaryFolder(), name);
    writeFileSync(file, text);
    return file;
  };
  const sha256 = (file: string): string => sha256Hex(readFileSync(file));
  const answer = async (page: Page, file: string): Promise<string> => {
    const box = page.locator('.verify-answer');
    await page.locator('.verify input').setInputFiles(file);
    await box.getByText(sha256(file)).waitFor();
    return (await box.textContent()) ?? '';
  };

  test('knows data files of the release, and what is not one; nothing is sent', async () => {
    const { page, messages } = await site.open(`r/${yearly?.id}`);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const isAsset = (line: string): boolean => /^GET \/assets\/(?!sources\.json)/.test(line);
    expect(await answer(page, join(builtTree(), 'data/drug-seizures.csv'))).toContain(
      '/data/drug-seizures.csv of this release',
    );
    expect(await answer(page, folder('other.txt', 'other'))).toContain('Not a file this release knows.');
    expect(new Set(sent.filter((line) => !isAsset(line)))).toEqual(
      new Set(['GET /assets/sources.json', 'GET /SHA256SUMS']),
    );
    expect(messages).toEqual([]);
  });

  test.each([
    ['of this machine', 'http://127.0.0.1'],
    ['that is not secure', 'http://plain.example'],
  ])('recognises the file of its page on an origin %s', async (_what, origin) => {
    // A file of our own takes the place of the publisher's: its hash is put into the page on its way.
    const file = folder('publisher.xlsx', 'a file of a publisher');
    const { page, messages } = await site.open('about/');
    await page.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      const response = await route.fetch({ url: new URL(pathname, site.url()).href });
      if (!pathname.startsWith('/r/')) return route.fulfill({ response });
      const body = (await response.text()).replace(
        /data-sha256="[0-9a-f]{64}" data-name/,
        `data-sha256="${sha256(file)}" data-name`,
      );
      return route.fulfill({ response, body });
    });
    await page.goto(`${origin}/r/${yearly?.id}`);
    expect(await page.evaluate('isSecureContext')).toBe(origin.includes('127'));
    const text = await answer(page, file);
    expect(text).toContain('Yes: this is World Drug Report 2025, annex 7.1');
    expect(text).toContain('edition 2025-06. Open sheet Seizures, cell');
    expect(text).toContain(sha256(file));
    const changed = folder('changed.xlsx', 'a file of a publishes');
    expect(await answer(page, changed)).toContain('Not a file this release knows.');
    expect(messages).toEqual([]);
  });
});
