/** The search of the site over the published index: everything by its name, no designation, within its size. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };
import { SEARCH_INDEX } from '../../shim/core/paths.ts';
import type { SiteIndex } from '../../shim/core/site-index.ts';
import type * as SiteSearchModule from '../../shim/core/site-search.ts';
import type { SiteHit } from '../../shim/core/site-search.ts';
import { spelling } from '../../shim/core/words.ts';
import { print } from '../../shim/view/node.ts';
import { ON_PAGE, searchResults } from '../../shim/view/search-results.ts';
import { tagsOf } from '../_support/site-pages.ts';
import { builtTree } from '../_support/tree.ts';
import budgets from './budgets.json' with { type: 'json' };
import { items } from '../_support/words.ts';

const root = builtTree();
const text = readFileSync(join(root, SEARCH_INDEX), 'utf8');
const index = JSON.parse(text) as SiteIndex;
const search = (await bundled()).siteSearch(index);

/** The module as browsers get it, in one piece: thousands of searches take seconds, and would take a minute in pieces. */
async function bundled(): Promise<typeof SiteSearchModule> {
  const entryPoints = ['shim/core/site-search.ts'];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'esm' });
  const code = Buffer.from(outputFiles[0]?.contents ?? '').toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)) as typeof SiteSearchModule;
}

/** What a person reads of the results: the links in their order, the last of which leads to designations. */
function links(query: string, most = ON_PAGE): string[] {
  const html = print(searchResults(search, search.find(query), query, { root: '', most }));
  return tagsOf(html).flatMap(({ name, attributes }) => (name === 'a' ? [attributes.get('href') ?? ''] : []));
}

function firstOf(query: string): SiteHit | undefined {
  return search.find(query).hits[0];
}

describe('the first hit', () => {
  test.each([
    ['Belgium', 'places/bel/'],
    ['belgique', 'places/bel/'],
    ['BEL', 'places/bel/'],
    ['بلجيكا', 'places/bel/'],
    ['afganistan', 'places/afg/'],
    ['afghanitsan', 'places/afg/'],
    ['cocaine belgium', 'data/drug-seizures/bel/#rows-seizures'],
    ['kokain belgien', 'data/drug-seizures/bel/#rows-seizures'],
    ['dge bolivia', 'data/informal-economy/bol/#rows-dge'],
    ['stale_cursor', 'docs/#fault-stale_cursor'],
    ['how to cite', 'docs/#citing'],
    ['opium', 'indicators/opium-cultivation/'],
    ['weapons', 'indicators/arms-seized/'],
    ['human trafficking', 'map/organized-crime-index.markets.human_trafficking/'],
    ['informal-economy', 'data/informal-economy/'],
    // A word that means something comes before one that it begins.
    ['kat', 'explore/?indicator=seizures&category=NPS&subgroup=Khat'],
    ['ka', 'places/cpv/'],
  ])('of %s is %s', (query, address) => {
    expect(links(query)[0]).toBe(address);
  });

  test('of a place is its page: by each printed name, and by its codes', () => {
    const alpha2 = new Map(codes.map(([two = '', three = '']) => [three, two]));
    const named = new Map<string, number[]>();
    for (const [place, [code, printed]] of index.places.entries())
      for (const name of [code, ...(alpha2.has(code) ? [alpha2.get(code) ?? ''] : []), ...printed])
        named.set(spelling(name).text, [...new Set([...(named.get(spelling(name).text) ?? []), place])]);
    // Some names are those of several places: these are the first hits together.
    const missed = [...named].flatMap(([name, places]) => {
      const first = search.find(name).hits.slice(0, places.length);
      const found = first.map((hit) => (hit.kind === 'place' ? hit.place : -1)).sort((a, b) => a - b);
      return JSON.stringify(found) === JSON.stringify(places) ? [] : [[name, first]];
    });
    expect(missed).toEqual([]);
  });

  test('of an indicator is its page: by its name, and by its id', () => {
    const missed = index.indicators.flatMap(({ id, label }, indicator) =>
      [id, label].filter((name) => {
        const first = firstOf(name);
        return !(first?.kind === 'indicator' && first.indicator === indicator);
      }),
    );
    expect(missed).toEqual([]);
  });
});

test('an id is its record, with and without an edition, and nothing else', () => {
  for (const id of [
    'seizures.MEX.2021.amphetamine-type-methamphetamine~7792bb',
    'bn.cab.xoka.cd.CHN.1982',
    'organized-crime-index.AFG.2025',
    'cbp-seizure-events.x-us-cbp-atlanta-field-office.2018-10.cocaine-office-of-field~3e9a64',
  ])
    for (const name of [id, `${id}@2025-06`, ` ${id}@2025-10-29 `])
      expect(links(name).slice(0, -1)).toEqual([`r/${name.trim()}`]);
  const [hit] = search.find('bn.cab.xoka.cd.CHN.1982').hits;
  const html = print(searchResults(search, { hits: hit ? [hit] : [], notes: [] }, '', { root: '', most: 1 }));
  expect(html).toContain(
    '>China: Current account balance (BoP, current US$)</a> <span class="detail">1982</span>',
  );
  // Any other text is searched as words.
  expect(links('seizures.MEX')[0]).toBe('data/drug-seizures/mex/#rows-seizures');
  expect(links('seizures.MEX.cocaine')[0]).toBe('data/drug-seizures/mex/#rows-seizures');
  expect(links('seizures.MEX.2021 cocaine')[0]).toBe('data/drug-seizures/mex/#rows-seizures');
  expect(search.find('seizures.ZZZ.2021.x').hits).toEqual([]);
});

test('a word that is still being written finds what it begins', () => {
  // The drug first, the place still in the box of the header.
  expect(links('ice')[0]).toContain('subgroup=Methamphetamine');
  expect(links('ice').indexOf('places/isl/')).toBe(5);
  expect(links('belg')[0]).toBe('places/bel/');
  expect(links('cocaine belg')[0]).toBe('data/drug-seizures/bel/#rows-seizures');
});

test('labels lead to their series, rows say under which labels and when', () => {
  const html = print(
    searchResults(search, search.find('cocaine belgium'), 'cocaine belgium', { root: '', most: 1 }),
  );
  expect(html).toContain('Cocaine-type: Cocaine hydrochloride</a>, 2019 to 2023');
  expect(html).toContain('Reported totals: Cocaine (total of the above');
  expect(html).toContain('2020 to 2021');
  expect(links('heroin prices').slice(0, 2)).toEqual([
    'explore/?indicator=prices-retail&category=Heroin',
    'explore/?indicator=prices-wholesale&category=Heroin',
  ]);
  // Category and subgroup in full: the figure of the series, and what is printed beside it.
  expect(links('cocaine belgium').slice(0, 4)).toContain(
    'explore/?indicator=seizures&geo=BEL&category=Cocaine-type&subgroup=Cocaine%20hydrochloride',
  );
});

test('what was not read as written is said, and an unknown word finds nothing', () => {
  // A story has the year in its title: the place is found all the same.
  const found = search.find('mexico 2019');
  expect(found.hits.map(({ kind }) => kind).slice(0, 2)).toEqual(['page', 'place']);
  expect(found.notes).toEqual(['"2019" was left out after the first result: words do not select periods.']);
  expect(search.find('mexico seizures 2020').notes[0]).toContain('"2020" was left out');
  const { hits, notes } = search.find('belgium qwxyzk');
  expect(hits).toEqual([]);
  expect(notes[0]).toContain('"qwxyzk" is not understood');
  expect(search.find('').hits).toEqual([]);
  expect(search.find('"\'<b>%00').hits).toEqual([]);
  expect(search.find('a '.repeat(10_000)).hits.length).toBeLessThan(200);
});

test('every list ends with the search of designations', () => {
  for (const query of ['belgium', 'qwxyzk', '<script>alert(1)</script>&?#'])
    expect(links(query).at(-1)).toContain(encodeURIComponent(query));
  expect(print(searchResults(search, search.find('x'), '<b>', { root: '', most: 1 }))).not.toContain('<b>');
});

test('no name of a designation is in the index, and none is found', () => {
  const names = readFileSync(join(root, 'data/designations.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => spelling(String((JSON.parse(line) as { name: string }).name)).text);
  expect(names.length).toBeGreaterThan(1800);
  const titles = [
    ...index.pages.flatMap((page) => page.filter((_, at) => at !== 0 && at !== 2)),
    ...index.places.flatMap(([, printed, others]) => [...printed, ...others.split('|')]),
    ...index.indicators.flatMap(({ id, label }) => [id, label]),
    ...index.categories,
    ...index.subgroups,
  ];
  const known = ` ${titles.map((title) => spelling(title).text).join(' | ')} `;
  expect(names.filter((name) => known.includes(` ${name} `))).toEqual([]);
  // The words of a name may be those of a place in another language; the name itself is nowhere in what is listed.
  const listed = names.flatMap((name) => {
    const found = search.find(name);
    return found.hits.length === 0
      ? []
      : { name, text: print(searchResults(search, found, '', { root: '', most: ON_PAGE })) };
  });
  expect(listed.filter(({ name, text: html }) => spelling(html).text.includes(name))).toEqual([]);
  expect(listed.length).toBeLessThan(5);
});

test('every page of the index, and where rows and labels lead, is a page and an anchor of the site', () => {
  const queries = items(`cocaine belgium | dge bolivia | heroin prices | mexico seizures |
    organized crime mexico | weight laredo | seizures`);
  const addresses = [
    ...index.pages.map(([, , address]) => address),
    ...queries.flatMap((query) => links(query).slice(0, -1)),
  ];
  const broken = [...new Set(addresses)].filter((address) => {
    const [page = '', anchor] = address.replace(/\?.*/, '').split('#');
    const file = join(root, page, 'index.html');
    return (
      !existsSync(file) || (anchor !== undefined && !readFileSync(file, 'utf8').includes(`id="${anchor}"`))
    );
  });
  expect(broken).toEqual([]);
});

test('scripts and index stay within what they may weigh; every page loads the first script alone', () => {
  const brotli = (path: string, quality = constants.BROTLI_MAX_QUALITY): number =>
    brotliCompressSync(readFileSync(join(root, path)), {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality },
    }).length;
  expect(brotli('assets/search.js')).toBeLessThanOrEqual(budgets.search.everyPage);
  expect(brotli('assets/search.js') + brotli('assets/finder.js')).toBeLessThanOrEqual(budgets.search.script);
  // As the server compresses it.
  expect(brotli(SEARCH_INDEX, 5)).toBeLessThanOrEqual(budgets.search.index);
});
