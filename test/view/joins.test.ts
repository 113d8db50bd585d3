/** Rule 3 of the chart grammar over every series of the built tree: a line joins neighbouring periods of one series and nothing else. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Observation } from '../../shim/core/records.ts';
import { groupedBy } from '../../shim/core/groups.ts';
import { seriesFigure } from '../../shim/view/chart/panels.ts';
import type { Child, Element } from '../../shim/view/node.ts';
import { casesOf, shareOf } from '../_support/share.ts';
import { builtTree } from '../_support/tree.ts';

/** All current observations of the tree. */
function observations(): Observation[] {
  const folder = join(builtTree(), 'data');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson') && name !== 'revisions.ndjson')
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as Observation)
    .filter((record) => 'indicatorId' in record);
}

function elements(child: Child): Element[] {
  if (child === null || child === false || typeof child !== 'object') return [];
  if ('markup' in child) return [];
  if ('tag' in child) return [child, ...child.children.flatMap(elements)];
  return child.flatMap(elements);
}

const seriesKey = ({ datasetId, indicatorId, geoCode, category, subgroup }: Observation): string =>
  JSON.stringify([datasetId, indicatorId, geoCode, category, subgroup]);

/** The period after a year or month, worked out apart from the code under test. */
function next(period: string): string {
  if (period.length === 4) return String(Number(period) + 1);
  const [year = 0, month = 0] = period.split('-').map(Number);
  return month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`;
}

/** Where the marks of the records are that rule 3 lets a line join, as the line would be drawn. */
function allowed(records: readonly Observation[], placeOf: ReadonlyMap<string, string>): Set<string> {
  const periods = groupedBy(records, ({ period }) => period);
  const lines = new Set<string>();
  for (const [period, [from, another]] of periods) {
    const [to, further] = periods.get(next(period)) ?? [];
    if (!from || !to || another || further || from.value === null || to.value === null) continue;
    const kept: (keyof Observation)[] = [
      'status',
      'unit',
      'edition',
      'sourceId',
      'category',
      'subgroup',
      'geoCode',
    ];
    if (kept.every((member) => from[member] === to[member]))
      lines.add(`${placeOf.get(from.id)} ${placeOf.get(to.id)}`);
  }
  return lines;
}

/** Series of one figure: as many as it draws. */
const FIGURE = 24;

test('no line joins two records unless rule 3 allows it, and all it allows are drawn', () => {
  const all = shareOf([...groupedBy(observations(), seriesKey).values()], 4);
  const wrong: string[] = [];
  let [marks, lines, panels] = [0, 0, 0];
  for (let from = 0; from < all.length; from += FIGURE) {
    const records = all.slice(from, from + FIGURE).flat();
    const byId = new Map(records.map((record) => [record.id, record]));
    const about = { id: 'f', root: './', caption: 'c', sources: [], boundary: null, query: 'q' };
    const parts = elements(seriesFigure(records, about));
    marks += parts.filter(({ attributes }) => attributes['data-record'] !== undefined).length;
    for (const panel of parts.filter(({ attributes }) => attributes['class'] === 'marks')) {
      const inside = elements(panel.children);
      const placeOf = new Map<string, string>();
      for (const group of inside.filter(({ attributes }) => attributes['data-record'] !== undefined)) {
        const at = elements(group.children).findLast(({ attributes }) => attributes['class'] === 'at');
        placeOf.set(String(group.attributes['data-record']), `${at?.attributes['x']},${at?.attributes['y']}`);
      }
      const own = [...placeOf.keys()].flatMap((id) => byId.get(id) ?? []);
      const drawn = inside
        .filter(({ attributes }) => String(attributes['class']).startsWith('join '))
        .map(({ attributes: { x1, y1, x2, y2 } }) => `${x1},${y1} ${x2},${y2}`);
      const may = allowed(own, placeOf);
      if (drawn.some((line) => !may.has(line)) || new Set(drawn).size !== may.size)
        wrong.push(`${own[0]?.id}: ${drawn.join('; ')}`);
      if (new Set(own.map(seriesKey)).size !== 1) wrong.push(`${own[0]?.id}: a panel of several series`);
      lines += drawn.length;
      panels += 1;
    }
  }
  expect(all.length).toBeGreaterThan(casesOf(17_000, 4000));
  expect(marks).toBe(all.flat().length);
  expect(lines).toBeGreaterThan(casesOf(10_000, 2000));
  // Series of one or two periods are values: nothing can join them.
  expect(panels).toBe(all.filter((records) => new Set(records.map(({ period }) => period)).size > 2).length);
  expect(wrong.slice(0, 3)).toEqual([]);
});
