/** The numbers of a chart as a table for readers and as CSV for machines, record by record. */
import { csvLine } from '../../lib/csv.ts';
import type { Edition, Point } from '../edition.ts';
import { escaped } from '../../lib/html.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import { storyPath } from './addresses.ts';

const COLUMNS: [name: string, cell: (point: Point) => string][] = [
  ['label', ({ label }) => label],
  ['series', ({ series }) => series ?? ''],
  ['value', ({ value }) => text(value)],
  ['lower', ({ lower }) => text(lower)],
  ['upper', ({ upper }) => text(upper)],
  ['unit', ({ unit }) => unit],
  ['status', ({ status }) => status],
  ['unavailableReason', ({ reason }) => reason ?? ''],
  ['dataset', ({ token }) => token.dataset],
  ['recordId', ({ token }) => token.recordId],
  ['field', ({ token }) => token.field],
  ['locator', ({ locator }) => locator],
  ['sourceSha256', ({ source }) => source.sha256],
];

/** The bars of all charts of a story as CSV; blank is unavailable. */
export function renderChartData({ id, blocks }: Edition): Artifact {
  const points = blocks.flatMap((block) => (block.kind === 'chart' ? block.points : []));
  const lines = points.map((point) => csvLine(COLUMNS.map(([, cell]) => cell(point))));
  return textArtifact(storyPath(id, 'data.csv'), csvLine(COLUMNS.map(([name]) => name)) + lines.join(''));
}

/** The same bars as an HTML table. */
export function chartTable(points: Point[], title: string): string {
  const shown = (name: string, of: (point: Point) => unknown): boolean =>
    name === 'value' || points.some((point) => of(point) !== null && of(point) !== '');
  const columns: [name: string, cell: (point: Point) => string, numeric: boolean, used: boolean][] = [
    ['Bar', ({ label }) => label, false, true],
    ['Group', ({ series }) => series ?? '', false, shown('series', ({ series }) => series)],
    [
      'Value',
      ({ value, reason }) => (value === null ? `unavailable: ${reason ?? 'no value'}` : text(value)),
      true,
      true,
    ],
    ['Lower', ({ lower }) => text(lower), true, shown('lower', ({ lower }) => lower)],
    ['Upper', ({ upper }) => text(upper), true, shown('upper', ({ upper }) => upper)],
    ['Unit', ({ unit }) => unit, false, true],
    ['Status', ({ status }) => status, false, true],
    ['Record', ({ token }) => token.recordId, false, true],
    ['Cell', ({ locator }) => locator, false, true],
  ];
  const used = columns.filter(([, , , isUsed]) => isUsed);
  const head = used.map(
    ([name, , numeric]) => `<th scope="col"${numeric ? ' class="num"' : ''}>${name}</th>`,
  );
  const rows = points.map((point, position) => {
    const cells = used.map(([name, cell, numeric]) => {
      const key = `bar ${position + 1} ${name.toLowerCase()}`;
      return `<td${numeric ? ' class="num"' : ''} data-cell="${key}">${escaped(cell(point))}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<table><caption>${escaped(title)}</caption><thead><tr>${head.join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
}

function text(value: number | null): string {
  return value === null ? '' : String(value);
}
