/** What a reader loads and what a host keeps stays within budgets.json. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, test } from 'vitest';
import { pagesByType, sitePages, tagsOf, type SitePage } from '../_support/site-pages.ts';
import { builtTree } from '../_support/tree.ts';
import budgets from './budgets.json' with { type: 'json' };

const root = builtTree();
const pages = sitePages();

/** Bytes as the server sends them. */
function sent(bytes: Uint8Array): number {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
}

const assets = readdirSync(join(root, 'assets')).filter((name) => !/\.(sha256|txt)$/.test(name));
const sizes = new Map(
  assets.map((name) => {
    const bytes = readFileSync(join(root, 'assets', name));
    return [name, name.endsWith('.woff2') ? bytes.length : sent(bytes)];
  }),
);
const sizeOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (sizes.get(name) ?? Number.NaN), 0);
const fonts = sizeOf(assets.filter((name) => name.endsWith('.woff2')));

/** Everything that is loaded before a reader sees the page. */
function firstView({ html }: SitePage): number {
  const loaded = tagsOf(html).flatMap(({ name, attributes }) => {
    const address = name === 'script' ? attributes.get('src') : attributes.get('href');
    const isLoaded = name === 'script' || (name === 'link' && attributes.get('rel') === 'stylesheet');
    return isLoaded && address !== undefined ? [address.replace(/^.*assets\//, '')] : [];
  });
  return sent(Buffer.from(html)) + sizeOf([...new Set(loaded)]) + fonts;
}

test('every page stays within what it may load before it is seen', () => {
  const over: [path: string, bytes: number][] = [];
  for (const [type, ofType] of pagesByType(pages))
    // Compressing all of them takes half a minute; a page that is heavy when compressed is among the longest.
    for (const page of ofType.toSorted((a, b) => b.html.length - a.html.length).slice(0, 25)) {
      const bytes = firstView(page);
      const limit = new Map(Object.entries(budgets.firstView)).get(type) ?? budgets.firstView.any;
      if (!(bytes <= limit)) over.push([page.path, bytes]);
    }
  expect(over.slice(0, 20)).toEqual([]);
});

test('fonts, style sheet and scripts', () => {
  expect(fonts).toBeLessThanOrEqual(budgets.fonts);
  expect(sizes.get('site.css')).toBeLessThanOrEqual(budgets.style);
  const lazy = new Map(Object.entries(budgets.lazyScripts));
  for (const name of assets.filter((asset) => asset.endsWith('.js')))
    expect([name, (sizes.get(name) ?? Number.NaN) <= (lazy.get(name) ?? budgets.script)]).toEqual([
      name,
      true,
    ]);
});

test('the fonts have every letter that pages show, so none is drawn in another font', () => {
  const others = pages.flatMap(({ path, html }) =>
    (html.match(/[\u0100-\uffff]/g) ?? [])
      .filter((letter) => /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(letter))
      .filter((letter) => !'ıŒœªº'.includes(letter))
      .map((letter) => `${path}: ${letter}`),
  );
  expect(others.slice(0, 20)).toEqual([]);
});

test('the largest page of rows', () => {
  const rows = pagesByType(pages);
  const largest = Math.max(
    ...[...(rows.get('rows') ?? []), ...(rows.get('rows of a year') ?? [])].map(({ html }) =>
      Buffer.byteLength(html),
    ),
  );
  expect(largest).toBeLessThanOrEqual(budgets.rowPage);
});

test('size and number of the published files', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(root, path)).isFile(),
  );
  const bytes = files.reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
  expect(bytes).toBeLessThanOrEqual(budgets.tree);
  expect(files.length).toBeLessThanOrEqual(budgets.files);
});
