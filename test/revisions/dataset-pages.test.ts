/** What the page of a dataset says of differences between its editions, against what its links give. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testApp } from '../_support/doors.ts';
import { unescaped } from '../_support/site-pages.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';

const app = testApp();

interface Answer {
  data: { pairs: { from: string; to: string }[]; page: { matched: number; returned: number } };
}

/** The links to differences of a page: words, pair, and the counts in the words. */
function linksOf(dataset: string) {
  const html = readFileSync(join(builtTree(), 'data', dataset, 'index.html'), 'utf8');
  const links = html.matchAll(
    /<a href="([^"]*v1\/revisions\?[^"]*)">([\d,]+) differences? between editions (\S+) and ([^\s,<]+),/g,
  );
  return [...links].map(([, href = '', own = '', from = '', to = '']) => ({
    href: unescaped(href),
    from,
    to,
    own: Number(own.replaceAll(',', '')),
  }));
}

test.each(['arms', 'border-drug-seizures', 'drug-seizures', 'informal-employment'])(
  '%s: a link to differences gives as many as it says, of the pair it names',
  async (dataset) => {
    const links = linksOf(dataset);
    expect(links).not.toEqual([]);
    for (const { href, from, to, own } of links) {
      const response = await app.fetch(new Request(new URL(href, `${TEST_SITE}/data/${dataset}/`)));
      const { pairs, page } = ((await response.json()) as Answer).data;
      expect(page).toMatchObject({ matched: own, returned: Math.min(own, 100) });
      expect(pairs).toMatchObject([{ from, to }]);
    }
  },
);
