/** docs/reference/: every resource has a page whose form sends its request, and shows what comes back as it is. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { inBrowser } from '../_support/browser.ts';
import { treeText } from '../_support/tree.ts';

const site = inBrowser();
const NAMES = OPERATIONS.map(({ name }) => name);

/** Sends the form of the page as it is; resolves to what the page then shows. */
async function sent(page: Page): Promise<{ status: string; answer: string }> {
  await page.click('.try button');
  const status = page.locator('.try-status');
  await status.filter({ hasText: /^Status/ }).waitFor();
  return { status: await status.innerText(), answer: await page.locator('.try-answer').innerText() };
}

test.each(OPERATIONS)(
  'the page of $name has a field for each parameter, and what each accepts',
  ({ name, parameters }) => {
    const html = treeText(`docs/reference/${name}/index.html`);
    const fields = [...html.matchAll(/<(?:input|select) id="f-([a-z0-9_]+)" name="\1"/g)].map(
      ([, field]) => field,
    );
    expect(fields).toEqual(parameters.map((parameter) => parameter.name));
    for (const parameter of parameters) expect(html).toContain(`<code id="${name}-${parameter.name}">`);
    expect(treeText('docs/index.html')).toContain(`<a href="../docs/reference/${name}/">`);
  },
);

test.each(NAMES.filter((name) => name !== 'federation'))('%s answers from its page', async (name) => {
  const { page, messages } = await site.open(`docs/reference/${name}/`);
  const { status, answer } = await sent(page);
  expect(status).toMatch(/^Status 200 after [\d,]+ ms, [\d,]+ bytes\.$/);
  expect(answer).toContain(`GET ${site.url()}api/v1/${name}`);
  expect(answer).toContain(`"resource": "${name}"`);
  expect(answer).toMatch(/etag\s+"[0-9a-f]/i);
  expect(messages).toEqual([]);
});

test('a request that is refused, and evidence that is not there, are shown as they are', async () => {
  const { page } = await site.open('docs/reference/market-observations/');
  await page.fill('#f-limit', '0');
  const refused = await sent(page);
  expect(refused.status).toContain('Status 400');
  expect(refused.answer).toContain(
    'Invalid value 0 for parameter \\"limit\\": expected an integer from 1 to 500.',
  );

  await page.goto(`${site.url()}docs/reference/federation/`);
  await page.selectOption('#f-lane', 'producers-summary');
  const absent = await sent(page);
  expect(absent.status).toContain('Status 503');
  expect(absent.answer).toContain('"status": "unavailable"');
});

test('of a long body the first lines are shown, and the rest is a link away', async () => {
  const { page } = await site.open('docs/reference/market-observations/');
  for (const name of ['dataset', 'indicator', 'geo']) await page.fill(`#f-${name}`, '');
  await page.fill('#f-limit', '500');
  const { answer } = await sent(page);
  expect(answer).toMatch(/The first 200 of [\d,]+ lines\./);
  const shown = await page.locator('.try-answer [role=region]').innerText();
  expect(shown.split('\n')).toHaveLength(200);
  expect(await page.locator('.try-answer a').getAttribute('href')).toBe(
    `${site.url()}api/v1/market-observations?limit=500`,
  );
});

test('the answer fits a narrow window', async () => {
  const { page } = await site.open('docs/reference/market-observations/', {
    viewport: { width: 320, height: 800 },
  });
  await sent(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
});

test('without a script the command is there, and no form that does nothing', async () => {
  const { page } = await site.open('docs/reference/series/', { javaScriptEnabled: false });
  expect(await page.locator('.try').isVisible()).toBe(false);
  expect(await page.locator('#example ~ pre').first().innerText()).toContain('curl ');
});
