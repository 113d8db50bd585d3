/** Pages of cells whose place, period and label have several rows: the order in a file does not prove that two editions print the same row. */
import { expect, test } from 'vitest';
import type { Observation } from '../../shim/core/records.ts';
import { requestsTo, testApp } from '../_support/doors.ts';
import { textOf } from '../_support/page-text.ts';
import { packManifest, allObservations } from '../_support/records.ts';
import { builtTree, treeRecords } from '../_support/tree.ts';

const ask = requestsTo(testApp(builtTree()));
const past = packManifest().editions.find(({ id }) => id.startsWith('drug-seizures@'));
const old = treeRecords<Observation>(past?.path ?? '');
const current = new Map(allObservations().map((record) => [record.id, record]));

async function page({ id, edition }: Observation): Promise<string> {
  const response = await ask(`/r/${id}@${edition}`);
  expect(response.status).toBe(200);
  return textOf(await response.text());
}

test('a row that another edition prints in another place of several is not said to have another value there', async () => {
  const record = old.find((one) => {
    const now = current.get(one.id);
    return now !== undefined && now.value !== one.value && current.has(`${one.id.replace(/\.2$/, '')}.3`);
  });
  if (!record) throw new Error('no such record');
  const text = await page(record);
  expect(text).toMatch(/is current and has \d+ rows with this label\. Which rows .* cannot be told\./);
  expect(text).toContain('cells that differ may be of different rows');
  for (const claim of ['is current and prints', 'The editions differ in this row', 'no longer in it'])
    expect(text).not.toContain(claim);
});

test('one of several rows that both editions print alike is said to be printed so', async () => {
  const record = old.find((one) => one.id.endsWith('.2') && current.get(one.id)?.value === one.value);
  if (!record) throw new Error('no such record');
  expect(await page(record)).toContain('is current and prints');
});
