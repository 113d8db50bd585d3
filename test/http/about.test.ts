/** What /about/ says of figures and of cells without a value is true of the pages that it names. */
import { describe, expect, test } from 'vitest';
import type { AtlasRecord, Observation } from '../../shim/core/records.ts';
import { testApp, requestsTo } from '../_support/doors.ts';
import { textOf } from '../_support/page-text.ts';
import { packManifest } from '../_support/records.ts';
import { tagsOf, unescaped } from '../_support/site-pages.ts';
import { treeRecords, treeText } from '../_support/tree.ts';

const ask = requestsTo(testApp());
const text = async (target: string): Promise<string> => (await ask(target)).text();
/** What the page says. */
const said = textOf(treeText('about/index.html'));

describe('figures: a table of the same records is on the page or behind a link', () => {
  const query = 'indicator=seizures&geo=BEL&category=Cocaine-type';

  test.each([
    ['explore', `explore/?${query}`],
    ['comparison', `compare/?a=${encodeURIComponent(query)}`],
    ['frame', `embed/?${query}`],
  ])('%s', async (name, target) => {
    const html = await text(target);
    const marks = tagsOf(html).flatMap(({ attributes }) => attributes.get('data-record') ?? []);
    expect(marks.length).toBeGreaterThan(3);
    const hasTable = html.includes('<table class="rows');
    const links = tagsOf(html).flatMap(({ attributes }) => attributes.get('href') ?? []);
    const explored = links.map(unescaped).find((href) => href.startsWith('../explore/?')) ?? '';
    const rows = hasTable ? html : await text(explored.slice('../'.length));
    const table = unescaped(rows.slice(rows.indexOf('<table class="rows')));
    for (const id of marks) expect(table).toContain(`r/${id}@`);
    // Where the page has no table, the sentence says so.
    expect([name, hasTable || said.includes(`in a ${name}`)]).toEqual([name, true]);
  });
});

test('cells without a value: observations have a reason, fields of the atlas have none', async () => {
  expect(said).toContain('An observation that is unavailable has what its file shows as the reason');
  const observations = packManifest().packs.flatMap(({ kind, path }) =>
    kind === 'observations' || kind === 'context' ? treeRecords<Observation>(path) : [],
  );
  const without = observations.filter((one) => one.value === null && one.unavailableReason === null);
  expect(without.map(({ id }) => id)).toEqual([]);
  expect(said).toContain(
    'firearms tracing or of the Global Organized Crime Index is unavailable without a reason',
  );
  for (const { id, path } of packManifest().packs.filter(({ kind }) => kind === 'atlas')) {
    const gone = treeRecords<AtlasRecord>(path).find(({ meta }) => meta.unavailable_fields.length > 0);
    const html = await text(`r/${id}.${gone?.data.iso3}.${gone?.data.year}`);
    expect(html).toContain('<td>unavailable</td>');
    expect(html).not.toContain('<td>unavailable: ');
  }
});
