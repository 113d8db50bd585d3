/** What a chart must hold: bars of one dataset and one unit, each a cell that can be drawn or is shown as unavailable. */
import { cellOf, type CitedDataset } from '../citation.ts';
import { fieldOf } from '../records.ts';
import type { Chart } from '../story.ts';

/** Problems of a chart with the line each stands on. */
export function chartProblems(
  { line, points, label, series, title }: Chart,
  datasets: Map<string, CitedDataset>,
): { line: number; message: string }[] {
  const problems: { line: number; message: string }[] = [];
  if (title.text === '') problems.push({ line, message: 'a chart needs a title' });
  if (points.length === 0) problems.push({ line, message: 'a chart needs at least one bar' });
  const units = new Set<string>();
  const sets = new Set<string>();
  for (const { token, line: at } of points) {
    const cell = cellOf(token, datasets);
    if ('rule' in cell) {
      problems.push({ line: at, message: cell.message });
      continue;
    }
    const { record, value, dataset } = cell;
    if (value !== null && typeof value !== 'number')
      problems.push({ line: at, message: `${token.raw} is no number` });
    if (typeof value === 'number' && value < 0)
      problems.push({
        line: at,
        message: `${token.raw} is negative, which bars from a common base cannot show`,
      });
    for (const field of [label, ...(series === null ? [] : [series])])
      if (field !== 'field' && typeof (fieldOf(record, field) ?? null) === 'object')
        problems.push({
          line: at,
          message: `${token.raw}: its record has no field "${field}" to name the bar`,
        });
    sets.add(token.dataset);
    units.add(typeof record['unit'] === 'string' ? record['unit'] : dataset.entry.id);
  }
  if (sets.size > 1)
    problems.push({ line, message: `one chart draws on one dataset, not ${[...sets].join(', ')}` });
  else if (units.size > 1)
    problems.push({
      line,
      message: `one chart has one unit; units are never converted (${[...units].join(', ')})`,
    });
  return problems;
}
