/** Every link, anchor and request on every page leads to something, and a reader comes to every page by links. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testApp } from '../_support/doors.ts';
import { addressOf, sitePages, tagsOf, unescaped } from '../_support/site-pages.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';

const root = builtTree();
const app = testApp();
const files = new Set(readdirSync(root, { recursive: true, encoding: 'utf8' }));

/** What a revision says of a row that left its table. */
interface Withdrawn {
  id: string;
  kind: string;
  datasetId: string;
  geoCode: string;
  from: { edition: string };
}

/** A page as the checks need it. */
interface Linked {
  path: string;
  ids: Set<string>;
  /** Addresses it names, absolute. */
  links: Set<string>;
  /** Whether its canonical address is its own, or it has none because search engines leave it out. */
  namesItself: boolean;
}

const pages: Linked[] = sitePages().map(({ path, html }) => {
  const tags = tagsOf(html, /\s(?:href|src|id)=/);
  const named = tags.flatMap(({ name, attributes }) =>
    // The canonical address and the forms of a page are those of the public site.
    attributes.get('rel') === 'canonical' || name === 'form'
      ? []
      : [attributes.get('href') ?? attributes.get('src') ?? []].flat(),
  );
  const requests = [...html.matchAll(/curl (?:-O )?(?:'|&#39;)([^ ]+?)(?:'|&#39;)/g)];
  return {
    path,
    ids: new Set(tags.flatMap(({ attributes }) => attributes.get('id') ?? [])),
    links: new Set(
      [...named, ...requests.map(([, link = '']) => unescaped(link))].map(
        (link) => new URL(link, `${TEST_SITE}/${path}`).href,
      ),
    ),
    namesItself:
      html.includes('<meta name="robots" content="noindex">') ||
      html.includes(`<link rel="canonical" href="${addressOf(path)}">`),
  };
});
const byPath = new Map(pages.map((page) => [page.path, page]));

/** The file of an address of this site; null where it is not one of a file. */
function fileOf({ pathname }: URL): string | null {
  const path = decodeURIComponent(pathname.slice(1));
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  return files.has(file) ? file : null;
}

/** Every link of all pages to this site: its address, and the first page that has it. */
const internal = new Map(
  pages
    .toReversed()
    .flatMap(({ path, links }) =>
      [...links].flatMap((link): [string, string][] =>
        link.startsWith(`${TEST_SITE}/`) ? [[link, path]] : [],
      ),
    ),
);

test('[DISC-LINKS] every anchor is on its page', () => {
  const missing = [...internal].filter(([link]) => {
    const url = new URL(link);
    const file = fileOf(url);
    const anchor = decodeURIComponent(url.hash.slice(1));
    // What follows # on the finder of records is an id.
    if (anchor === '' || file === null || file.startsWith('r/')) return false;
    return byPath.get(file)?.ids.has(anchor) !== true;
  });
  expect(missing.slice(0, 20)).toEqual([]);
  expect(internal.size).toBeGreaterThan(200);
});

test('[DISC-LINKS] every address is a file or answers', async () => {
  const ids = currentRecordIds();
  const requested = new Map<string, string>();
  for (const [link, path] of internal) {
    const url = new URL(link);
    const [, id] = /^\/r\/([^@]+)(?:@[^/]+)?$/.exec(decodeURIComponent(url.pathname)) ?? [];
    url.hash = '';
    if (fileOf(url) === null && url.pathname !== '/mcp' && !(id !== undefined && ids.has(id)))
      requested.set(url.href, path);
  }
  const dead: string[] = [];
  for (const [address, path] of requested) {
    const { status } = await app.fetch(new Request(address, { method: 'HEAD' }));
    if (status !== 200) dead.push(`${path}: ${address} (${status})`);
  }
  expect(dead.slice(0, 20)).toEqual([]);
});

test('addresses of records answer: one of each thousand', async () => {
  const records = [...internal.keys()].filter((link) => link.startsWith(`${TEST_SITE}/r/`)).toSorted();
  const chosen = records.filter((_, index) => index % 1000 === 0);
  for (const address of chosen)
    expect([address, (await app.fetch(new Request(address))).status]).toEqual([address, 200]);
  expect(records.length).toBeGreaterThan(0);
});

test('links of a row that left its table lead to pages, where its place left it too', async () => {
  const left = readFileSync(join(root, 'data/revisions.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Withdrawn)
    .filter(({ kind }) => kind === 'withdrawn');
  const ofPlaces = new Map(left.map((row) => [`${row.datasetId} ${row.geoCode}`, row]));
  const dead: string[] = [];
  for (const { id, from } of ofPlaces.values()) {
    const address = `${TEST_SITE}/r/${id.split('@')[0]}@${from.edition}`;
    const html = await (await app.fetch(new Request(address))).text();
    for (const { attributes } of tagsOf(html)) {
      const url = new URL(attributes.get('href') ?? '', address);
      if (url.href.startsWith(`${TEST_SITE}/data/`) && fileOf(url) === null) dead.push(`${id}: ${url.href}`);
    }
  }
  expect(dead).toEqual([]);
  expect(ofPlaces.size).toBeGreaterThan(20);
});

test('queries of the explorer answer with records: one of each hundred', async () => {
  const queries = [...internal.keys()].filter((link) => link.startsWith(`${TEST_SITE}/explore/?`)).toSorted();
  for (const address of queries.filter((_, index) => index % 100 === 0)) {
    const html = await (await app.fetch(new Request(address))).text();
    expect([address, /data-matched="[1-9]/.test(html)]).toEqual([address, true]);
  }
  expect(queries.length).toBeGreaterThan(500);
});

test('a reader comes to every page from the front page', () => {
  const reached = new Set(['index.html']);
  const waiting = ['index.html'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
    for (const link of byPath.get(path)?.links ?? []) {
      const file = link.startsWith(`${TEST_SITE}/`) ? fileOf(new URL(link)) : null;
      if (file === null || reached.has(file) || !byPath.has(file)) continue;
      reached.add(file);
      waiting.push(file);
    }
  const orphans = pages.map(({ path }) => path).filter((path) => !reached.has(path) && path !== '404.html');
  expect(orphans.slice(0, 20)).toEqual([]);
});

test('every page names its own address as the canonical one', () => {
  expect(pages.flatMap(({ path, namesItself }) => (namesItself ? [] : [path]))).toEqual([]);
});

/** Ids of the records of the current editions; those of the atlas are made of dataset, country and year. */
function currentRecordIds(): Set<string> {
  const ids = new Set<string>();
  for (const name of readdirSync(join(root, 'data')).filter((file) => file.endsWith('.ndjson'))) {
    const text = readFileSync(join(root, 'data', name), 'utf8');
    for (const [, id = ''] of text.matchAll(/^\{"id":"([^"]+)"/gm)) ids.add(id);
  }
  return ids;
}
