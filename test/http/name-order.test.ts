/** Lists of places by name: case and diacritics do not matter, in the explorer and on the pages of the site. */
import { expect, test } from 'vitest';
import { dotPlot } from '../../shim/view/chart/dots.ts';
import { seriesFigure } from '../../shim/view/chart/panels.ts';
import { print } from '../../shim/view/node.ts';
import { requestsTo } from '../_support/doors.ts';
import { allObservations } from '../_support/records.ts';
import { unescaped } from '../_support/site-pages.ts';
import { items } from '../_support/words.ts';

const ask = requestsTo();

/** The names that a pattern finds in a page, in their order. */
async function namesOn(path: string, pattern: RegExp): Promise<string[]> {
  const html = await (await ask(path)).text();
  return [...html.matchAll(pattern)].map(([, name = '']) => unescaped(name));
}

const OPTIONS = /<option value="[^"]+">([^<]*) \([^()]*\)<\/option>/g;

test.each([
  ['the list of the explorer', 'explore/', OPTIONS],
  ['the places of a dataset', 'data/organized-crime-index/', /<li><a href="[^"]*\/[a-z]{3}\/">([^<]*)</g],
  ['the places of an indicator', 'indicators/organized-crime-index/', /<th scope="row"><a [^>]*>([^<]*)</g],
  ['all places', 'places/', /<a href="[^"]*[a-z]{3}\/">([^<]*)</g],
])('%s has a name with a diacritic where it is without one', async (_, path, pattern) => {
  const names = await namesOn(path, pattern);
  const ordered = names.filter((name) => /^(Costa Rica|Côte d.Ivoire|Croatia)$/.test(name));
  expect(ordered.slice(0, 3)).toEqual(['Costa Rica', expect.stringMatching(/^Côte/), 'Croatia']);
});

test.each([
  ['dots', dotPlot],
  ['series', seriesFigure],
])('%s have places by name, whatever their case and diacritics', (_, draw) => {
  const names = ['Croatia', 'CHILE', 'Czechia', 'Côte d’Ivoire', 'chad'];
  const [record] = allObservations().filter(({ value }) => value !== null);
  if (!record) throw new Error('no record has a value');
  const records = names.map((geoName, at) => ({ ...record, geoName, geoCode: `x-${at}` }));
  const about = { id: 'f', root: '', caption: '', sources: [], boundary: null, query: null };
  const text = print(draw(records, about));
  const drawn = [...text.matchAll(/class="place">([^<]+)|<b>([^<]+)<\/b>/g)].map(
    ([, place, name]) => place ?? name,
  );
  expect(drawn.filter((name) => names.includes(name ?? ''))).toEqual(
    items(`chad | CHILE |
    Côte d’Ivoire | Croatia | Czechia`),
  );
});

test('the table of the explorer sorts places as lists do, either way', async () => {
  for (const sort of ['place', '-place']) {
    const query = `explore/?indicator=seizures&from=2023&to=2023&subgroup=Heroin&view=table&sort=${sort}`;
    const names = await namesOn(query, /<tr><td>([^<]*)<\/td><th scope="row">/g);
    const ordered = names.filter((name) => /^(Costa Rica|Côte d.Ivoire|Czechia)$/.test(name));
    const wanted = ['Costa Rica', expect.stringMatching(/^Côte/), 'Czechia'];
    expect([...new Set(ordered)]).toEqual(sort === 'place' ? wanted : wanted.toReversed());
  }
});

test('a name in capitals is where it is in small letters', async () => {
  const names = await namesOn('explore/', OPTIONS);
  const ordered = names.filter((name) => /^(Argentina|ATLANTA FIELD OFFICE|Australia)$/.test(name));
  expect(ordered).toEqual(['Argentina', 'ATLANTA FIELD OFFICE', 'Australia']);
});
