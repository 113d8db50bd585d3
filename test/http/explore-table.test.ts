/** The table of /explore/: every row says what its value is of. */
import { expect, test } from 'vitest';
import { requestsTo } from '../_support/doors.ts';
import { allObservations } from '../_support/records.ts';
import { unescaped } from '../_support/site-pages.ts';

const ask = requestsTo();

/** Labels of the rows by record, without the edition. */
async function labelsOf(query: string): Promise<Map<string, string>> {
  const html = await (await ask(`explore/?${query}&view=table`)).text();
  const rows = html.matchAll(/<a href="\.\.\/r\/([^"@]+)@[^"]*">[^<]*<\/a><\/th><td>([^<]*)<\/td>/g);
  return new Map([...rows].map(([, id = '', label = '']) => [id, unescaped(label)]));
}

const records = new Map(allObservations().map((record) => [record.id, record]));

test.each(['geo=BEL', 'dataset=drug-prices&geo=MEX', 'geo=MEX&category=Total'])(
  'no two indicators share a label where rows of several are shown: %s',
  async (query) => {
    const shown = await labelsOf(query);
    expect(shown.size).toBeGreaterThan(10);
    const indicators = new Map<string, Set<string>>();
    for (const [id, label] of shown)
      indicators.set(label, (indicators.get(label) ?? new Set()).add(records.get(id)?.indicatorId ?? ''));
    expect([...indicators].filter(([, own]) => own.size > 1)).toEqual([]);
    expect([...indicators.keys()].filter((label) => label.startsWith('Total'))).toEqual([]);
  },
);

test.each(['indicator=seizures&geo=BEL', 'dataset=drug-seizures&geo=BEL'])(
  'rows of one indicator do not repeat it: %s',
  async (query) => {
    for (const [id, label] of await labelsOf(query))
      expect(label.startsWith(records.get(id)?.category ?? '')).toBe(true);
  },
);
