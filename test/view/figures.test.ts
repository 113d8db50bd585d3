/** Every figure of the built pages shows exactly the records of its API query, each with the value that the API gives. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Observation } from '../../shim/core/records.ts';
import { testApp } from '../_support/doors.ts';
import { builtTree, TEST_SITE } from '../_support/tree.ts';

const root = builtTree();

/** A figure as its page prints it. */
interface Printed {
  page: string;
  query: string | null;
  /** What the figure says it leaves out; null where it shows all records of its query. */
  part: string | null;
  marks: string[];
}

function figuresOf(page: string): Printed[] {
  const html = readFileSync(join(root, page), 'utf8');
  return [...html.matchAll(/<figure ([^>]*)>([\s\S]*?)<\/figure>/g)].map(([, head = '', body = '']) => ({
    page,
    query: attribute(head, 'data-query'),
    part: attribute(head, 'data-part'),
    marks: [...body.matchAll(/<g ([^>]*data-record=[^>]*)>/g)]
      .map(([, mark = '']) => `${attribute(mark, 'data-record')} ${attribute(mark, 'data-value')}`)
      .toSorted(),
  }));
}

function attribute(tag: string, name: string): string | null {
  const value = new RegExp(` ?${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&') ?? null;
}

const app = testApp();

/** All records of a query, page by page; the answers of the API as text are kept, so that values are as JSON prints them. */
async function recordsOf(query: string): Promise<string[]> {
  const records: string[] = [];
  const url = new URL(query, TEST_SITE);
  if (!url.searchParams.has('limit')) url.searchParams.set('limit', '100');
  for (;;) {
    const response = await app.fetch(new Request(url));
    if (response.status !== 200) throw new Error(`${url.pathname}${url.search}: ${response.status}`);
    const { observations, page } = (await response.json()) as {
      observations: Observation[];
      page: { next_cursor: string | null };
    };
    records.push(
      ...observations.map(({ id, value }) => `${id} ${value === null ? '' : JSON.stringify(value)}`),
    );
    if (page.next_cursor === null) return records.toSorted();
    url.searchParams.set('cursor', page.next_cursor);
  }
}

test('the marks of every figure are the records of its query, with their values', async () => {
  const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.html'),
  );
  const figures = pages.flatMap(figuresOf);
  const wrong: string[] = [];
  for (const { page, query, part, marks } of figures) {
    // The cells of a story are picked one by one: its own test compares them with its dossier.
    if (query === null) {
      if (!page.startsWith('news/')) wrong.push(`${page}: a figure without a query`);
      continue;
    }
    const records = await recordsOf(query);
    const missing = part === null ? records.filter((record) => !marks.includes(record)) : [];
    const further = marks.filter((mark) => !records.includes(mark));
    if (missing.length > 0 || further.length > 0 || new Set(marks).size !== marks.length)
      wrong.push(
        `${page}: ${query}: ${missing.length} missing, ${further.length} further, ${marks.length} marks`,
      );
  }
  expect(figures.length).toBeGreaterThan(4);
  expect(wrong.slice(0, 10)).toEqual([]);
}, 120_000);
