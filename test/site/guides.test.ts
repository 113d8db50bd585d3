/** The guides of docs/ as pages: each is there, whole, with the address of its site, and can be reached and pointed at. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GUIDES } from '../../build/render/site/guides.ts';
import { unescaped } from '../_support/site-pages.ts';
import { TEST_SITE, treeText } from '../_support/tree.ts';

test('every guide is a page, and the documentation lists it', () => {
  const files = readdirSync('docs').filter((name) => name.endsWith('.md'));
  expect(GUIDES.map((name) => `${name}.md`).toSorted()).toEqual(files.toSorted());
  // A container is built from what its context holds.
  expect(readFileSync('.dockerignore', 'utf8').split('\n')).not.toContain('docs');
  const index = treeText('docs/index.html');
  expect(GUIDES.filter((name) => !index.includes(`<a href="${name}/">`))).toEqual([]);
});

test.each(GUIDES)('docs/%s/ has all of its file', (name) => {
  const text = readFileSync(`docs/${name}.md`, 'utf8');
  const page = treeText(`docs/${name}/index.html`);
  const own = text
    .replaceAll(/https:\/\/evidence\.example\b/g, TEST_SITE)
    .replaceAll(/(http:\/\/localhost:3000|\{site_url\})(?=\/)/g, TEST_SITE);
  const withoutFences = own.replaceAll(/^ *```.*$/gm, '').replaceAll(/\]\([^)]*\)/g, '');
  const words = (from: string): string[] => from.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  // Tags are between words and within them.
  const there = new Set(['', ' '].flatMap((tag) => words(unescaped(page.replaceAll(/<[^>]*>/g, tag)))));
  expect(page).not.toMatch(/<th[^>]*><\/th>/);
  expect(words(withoutFences).length).toBeGreaterThan(100);
  expect(words(withoutFences).filter((word) => !there.has(word))).toEqual([]);
});

test('headings are anchors, as in the file itself', () => {
  const page = treeText('docs/self-hosting/index.html');
  const headings = [...readFileSync('docs/self-hosting.md', 'utf8').matchAll(/^## (.+)$/gm)];
  expect(headings.length).toBeGreaterThan(3);
  expect([...page.matchAll(/<h2 id="([a-z0-9-]+)">/g)]).toHaveLength(headings.length);
  expect(page).toContain('id="without-data-of-its-own"');
});
