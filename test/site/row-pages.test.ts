/** A dataset that is too large for pages of its rows: pages that count them, and no link to a row that is on no page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testApp } from '../_support/doors.ts';
import { tagsOf } from '../_support/site-pages.ts';
import { temporaryFolder, TEST_SITE } from '../_support/tree.ts';
import { buildSite, someDatasets } from '../_support/few-rows.ts';

const datasets = someDatasets('coca-cultivation', 'opium-cultivation', 'drug-use-prevalence');
const out = join(temporaryFolder(), 'tree');
// Rows of coca (70) and opium (120) are on pages, the thousands of prevalence are not.
await buildSite({ datasets, out, threads: 1, mostRows: 1000 });
const page = (path: string): string => readFileSync(join(out, path, 'index.html'), 'utf8');
const files = new Set(readdirSync(out, { recursive: true, encoding: 'utf8' }));

test('[DISC-PAGES] its pages count rows by indicator and lead to the explorer, the API and the files', () => {
  const html = page('data/drug-use-prevalence/afg');
  expect(html).toContain('too many for pages of rows');
  for (const address of [
    'explore/?dataset=drug-use-prevalence&amp;geo=AFG',
    'api/v1/market-observations?dataset=drug-use-prevalence&amp;geo=AFG',
    'data/drug-use-prevalence.csv',
  ])
    expect(html).toContain(`href="../../../${address}"`);
  expect(html).not.toMatch(/<tr id="use-/);
  expect(page('data/opium-cultivation/afg')).toMatch(/<tr id="opium/);
  expect(page('data/drug-use-prevalence')).toContain('too many for pages of rows');
  expect(page('places/afg')).toMatch(/more are in datasets that are too large for pages of their rows/);
});

test('[DISC-LINKS] every address and anchor of every page is there', () => {
  // The pages of designations lead to files that this release does not have.
  const pages = [...files].filter((path) => path.endsWith('.html') && !path.startsWith('designations/'));
  const ids = new Map(
    pages.map((path) => [
      path,
      new Set(
        tagsOf(readFileSync(join(out, path), 'utf8')).flatMap(({ attributes }) => attributes.get('id') ?? []),
      ),
    ]),
  );
  const dead = pages.flatMap((path) =>
    tagsOf(readFileSync(join(out, path), 'utf8')).flatMap(({ name, attributes }) => {
      const href = name === 'a' ? attributes.get('href') : undefined;
      if (href === undefined) return [];
      const url = new URL(href.replaceAll('&amp;', '&'), `${TEST_SITE}/${path}`);
      const target = `${decodeURIComponent(url.pathname.slice(1))}${url.pathname.endsWith('/') ? 'index.html' : ''}`;
      // Other hosts, and what the service answers: the explorer, the API, single records.
      if (
        url.origin !== TEST_SITE ||
        url.search !== '' ||
        /^(r|api|mcp|download|designations)\b/.test(target)
      )
        return [];
      const anchor = decodeURIComponent(url.hash.slice(1));
      const isThere = files.has(target) && (anchor === '' || ids.get(target)?.has(anchor) === true);
      return isThere ? [] : [`${path}: ${href}`];
    }),
  );
  expect(dead.slice(0, 10)).toEqual([]);
  expect(pages.length).toBeGreaterThan(300);
});

test('[DISC-PAGES] its records have their page in the service, with links that lead somewhere', async () => {
  const app = testApp(out);
  const list = await app.fetch(
    new Request(`${TEST_SITE}/api/v1/market-observations?dataset=drug-use-prevalence&geo=AFG&limit=1`),
  );
  const { data } = (await list.json()) as { data: { observations: { id: string }[] } };
  const record = await app.fetch(new Request(`${TEST_SITE}/r/${data.observations[0]?.id ?? ''}`));
  expect(record.status).toBe(200);
  const rows = [...(await record.text()).matchAll(/href="\.\.\/(data\/drug-use-prevalence\/[^"]*)"/g)];
  expect(rows.length).toBeGreaterThan(0);
  for (const [, address = ''] of rows) expect(existsSync(join(out, address))).toBe(true);
});
