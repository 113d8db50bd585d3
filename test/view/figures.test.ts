/** Every figure of the built pages shows exactly the records of its query, each with its value. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AtlasRecord, Observation } from '../../shim/core/records.ts';
import { atlasRecordId } from '../../shim/view/address.ts';
import { testApp } from '../_support/doors.ts';
import { builtTree, TEST_SITE, treeText } from '../_support/tree.ts';
import { unescaped } from '../_support/site-pages.ts';

const root = builtTree();

/** A figure as its page prints it. */
interface Printed {
  page: string;
  query: string | null;
  /** What the figure says it leaves out; null where it shows all records of its query. */
  part: string | null;
  marks: { id: string; value: string }[];
}

function figuresOf(page: string): Printed[] {
  const html = treeText(page);
  return [...html.matchAll(/<figure ([^>]*)>([\s\S]*?)<\/figure>/g)].map(([, head = '', body = '']) => ({
    page,
    query: attribute(head, 'data-query'),
    part: attribute(head, 'data-part'),
    marks: [...body.matchAll(/<g ([^>]*data-record=[^>]*)>/g)].map(([, mark = '']) => ({
      id: attribute(mark, 'data-record') ?? '',
      value: attribute(mark, 'data-value') ?? 'none',
    })),
  }));
}

function attribute(tag: string, name: string): string | null {
  const value = new RegExp(` ?${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? null : unescaped(value);
}

const app = testApp();

/** What a mark may show of one record: its id, and a value as JSON prints it; one of several for a record of many fields. */
interface Shown {
  id: string;
  values: string[];
}

/** All records of a query, page by page. */
async function recordsOf(query: string): Promise<Shown[]> {
  const records: Shown[] = [];
  const url = new URL(query, TEST_SITE);
  if (!url.searchParams.has('limit')) url.searchParams.set('limit', '100');
  for (;;) {
    const response = await app.fetch(new Request(url));
    if (response.status !== 200) throw new Error(`${url.pathname}${url.search}: ${response.status}`);
    const { data } = (await response.json()) as {
      data: {
        observations?: Observation[];
        records?: AtlasRecord[];
        page: { next_cursor: string | null };
      };
    };
    for (const { id, value } of data.observations ?? []) records.push({ id, values: [printed(value)] });
    for (const { domain, data: fields } of data.records ?? [])
      records.push({
        id: atlasRecordId(DATASETS[domain], fields.iso3, fields.year),
        values: leavesOf(fields).map(printed),
      });
    const { next_cursor: next } = data.page;
    if (next === null) return records;
    url.searchParams.set('cursor', next);
  }
}

/** The records of a context indicator: no resource of the API has them, their figures are drawn from the pack. */
function packed(indicator: string): Shown[] {
  const lines = readFileSync(join(root, 'data/national-indicators.ndjson'), 'utf8').trimEnd().split('\n');
  return lines
    .map((line) => JSON.parse(line) as Observation)
    .filter(({ indicatorId }) => indicatorId === indicator)
    .map(({ id, value }) => ({ id, values: [printed(value)] }));
}

const DATASETS = { organized_crime: 'organized-crime-index', firearms_tracing: 'firearms-tracing' };

function printed(value: unknown): string {
  return value === null ? '' : JSON.stringify(value);
}

function leavesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}

test('the marks of every figure are the records of its query, with their values', async () => {
  const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.html'),
  );
  const figures = pages.flatMap(figuresOf);
  const wrong: string[] = [];
  for (const { page, query, part, marks } of figures) {
    // The cells of a story are picked one by one: its own test compares them with its dossier.
    if (page.startsWith('news/')) continue;
    const records = query === null ? packed(page.split('/')[1] ?? '') : await recordsOf(query);
    const byId = new Map(records.map(({ id, values }) => [id, values]));
    const drawn = new Set(marks.map(({ id }) => id));
    const missing = part === null ? records.filter(({ id }) => !drawn.has(id)) : [];
    const further = marks.filter(({ id, value }) => !byId.get(id)?.includes(value));
    if (missing.length > 0 || further.length > 0 || drawn.size !== marks.length)
      wrong.push(
        `${page}: ${query}: ${marks.length} marks of ${records.length} records, without ${missing[0]?.id}, wrong ${further[0]?.id}`,
      );
  }
  expect(figures.length).toBeGreaterThan(4);
  expect(wrong.slice(0, 10)).toEqual([]);
});
