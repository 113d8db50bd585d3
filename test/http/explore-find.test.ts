/** The search for series of /explore/: among those of what is chosen, and the ways to fewer. */
import { expect, test } from 'vitest';
import { requestsTo } from '../_support/doors.ts';
import { tagsOf, unescaped } from '../_support/site-pages.ts';

const ask = requestsTo();

async function page(query: string): Promise<string> {
  const response = await ask(`explore/?${query}`);
  return response.text();
}

test('words find series of what is chosen, and the form of the words keeps it', async () => {
  const html = await page('dataset=drug-seizures&geo=BEL&find=cocaine');
  const [form = ''] = /<form class="find"[^]*?<\/form>/.exec(html) ?? [];
  const kept = tagsOf(form).filter(({ attributes }) => attributes.get('type') === 'hidden');
  expect(kept.map(({ attributes }) => [attributes.get('name'), attributes.get('value')])).toEqual([
    ['dataset', 'drug-seizures'],
    ['geo', 'BEL'],
  ]);
  const [list = ''] = /<section class="found"[^]*?<\/section>/.exec(html) ?? [];
  const links = tagsOf(list).flatMap(({ attributes }) => attributes.get('href') ?? []);
  expect(links).not.toEqual([]);
  for (const link of links) expect(link).toMatch(/dataset=drug-seizures&.*geo=BEL&/);
});

test('where many series are found, datasets and then indicators lead to fewer, with as many as they say', async () => {
  const fewer = (html: string): [address: string, count: number][] =>
    [...html.matchAll(/<a href="\.\.\/explore\/\?([^"]*find=[^"]*)">[^<]*<\/a> \(([\d,]+)\)/g)].map(
      ([, address = '', count = '']) => [unescaped(address), Number(count.replaceAll(',', ''))],
    );
  const countOf = (html: string): number =>
    Number(/role="status">([\d,]+) series/.exec(html)?.[1]?.replaceAll(',', ''));
  const all = await page('find=cocaine');
  const datasets = fewer(all);
  expect(datasets.length).toBeGreaterThan(3);
  expect(datasets.reduce((sum, [, count]) => sum + count, 0)).toBe(countOf(all));
  for (const [address, count] of datasets) expect(countOf(await page(address))).toBe(count);
  const indicators = fewer(await page('find=cocaine&dataset=drug-prices'));
  expect(indicators.map(([address]) => new URLSearchParams(address).get('indicator'))).toEqual([
    'prices-retail',
    'prices-wholesale',
  ]);
  expect(await page('find=cocaine&indicator=seizures')).toContain('For fewer, add a word such as');
});

test('where what is chosen has none, a link leads to the words alone', async () => {
  const html = await page('dataset=drug-seizures&geo=MEX&find=cocaine+belgium');
  const [, address = ''] = /<a href="\.\.\/explore\/\?([^"]*)">Look for the words/.exec(html) ?? [];
  expect(unescaped(address)).toBe('find=cocaine%20belgium');
  expect(await page(unescaped(address))).toMatch(/role="status">[1-9]\d* series/);
});
