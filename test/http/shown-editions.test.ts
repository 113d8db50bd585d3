/** What pages say of editions that share a file, and of labels next to a series. */
import { expect, test } from 'vitest';
import { requestsTo } from '../_support/doors.ts';
import { TEST_SITE } from '../_support/tree.ts';

const ask = requestsTo();

async function page(path: string): Promise<string> {
  const response = await ask(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

test('a cell of a file that several editions of the dataset share is one cell, and all of them are named', async () => {
  const shared =
    'r/cbp-seizure-events.x-us-cbp-atlanta-field-office.2018-10.cocaine-office-of-field~3e9a64@2022-10';
  const html = await page(shared);
  expect(html).toContain(
    'All editions of the dataset have the same file, and so this cell: 2022-10, 2026-01, 2026-05.',
  );
  expect(html).not.toContain('This host publishes one edition');
  expect(await page('r/opium-cultivation.AFG.2019')).toContain(
    'This host publishes one edition of the table.',
  );
});

test.each([
  ['seizures.BEL.2023.not-a-label', /^There is no such record\. .* Closest records: seizures\.BEL\.2023\./],
  ['seizures.BEL.2023.cocaine-type-cocaine-hydrochloride~2295f3@2001-01', /not the cited value\. Closest/],
  ['seizures.BEL.2023.cocaine-type-cocaine-hydrochloride~2295f3@2024-06', /Closest records: .*@2025-06\.$/],
])('programs are told which records the page of %s links to, and of nothing below', async (id, words) => {
  const response = await ask(`r/${id}.json`);
  const { message } = (await response.json()) as { message: string };
  expect(response.status).toBe(404);
  expect(message).toMatch(words);
  expect(message).not.toContain('below');
});

test('labels next to one without a row are not said to be the same thing', async () => {
  const html = await page('explore/?indicator=seizures&geo=MEX&from=2021&to=2023&view=multiples');
  const [, oxycodone = ''] = /Opioids: Oxycodone[\s\S]*?<p class="beside">([\s\S]*?)<\/p>/.exec(html) ?? [];
  expect(oxycodone).toContain('as Fentanyl');
  expect(oxycodone).toContain('perhaps for something else; they are not joined');
});

test.each([
  'explore/?indicator=seizures&geo=MEX',
  'compare/?a=indicator%3Dseizures%26geo%3DMEX&b=indicator%3Dseizures%26geo%3DBEL',
  'search/?q=heroin&x=<i>',
  'designations/?query=garcia',
])('what is printed of %s ends with its address, the query too', async (address) => {
  const html = await page(address);
  const printed = address.replaceAll('&', '&amp;').replace('<i>', '%3Ci%3E');
  expect(html.slice(html.indexOf('<p class="address">'))).toContain(`<span>${TEST_SITE}/${printed}</span>`);
});
