/** The numbers of a chart as a table for readers and as CSV for machines, record by record. */
import { csvLine } from '../../lib/csv.ts';
import { lines, markup, type Markup } from '../../lib/html.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import { pointsOf, type Point, type PrintedStory } from '../printed-story.ts';
import { storyPath } from './addresses.ts';

const COLUMNS = [
  'label',
  'series',
  'value',
  'lower',
  'upper',
  'unit',
  'status',
  'unavailableReason',
  'dataset',
  'recordId',
  'field',
] as const;

/** The bars of all charts of a story as CSV; blank is unavailable. */
export function renderChartData(story: PrintedStory): Artifact {
  const rows = pointsOf(story).map((point) => [
    ...COLUMNS.map((name) => String(point[name] ?? '')),
    point.cell.locator,
    point.cell.source.sha256,
  ]);
  const header = [...COLUMNS, 'locator', 'sourceSha256'];
  return textArtifact(storyPath(story.id, 'data.csv'), [header, ...rows].map(csvLine).join(''));
}

/** A column of the table; one that may be missing is left out where no bar has it. */
interface TableColumn {
  name: string;
  cell: (point: Point) => string | number | null;
  numeric?: true;
  mayBeMissing?: true;
}

const TABLE: TableColumn[] = [
  { name: 'Bar', cell: ({ label }) => label },
  { name: 'Group', cell: ({ series }) => series, mayBeMissing: true },
  {
    name: 'Value',
    cell: ({ value, unavailableReason }) => value ?? `unavailable: ${unavailableReason ?? 'no value'}`,
    numeric: true,
  },
  { name: 'Lower', cell: ({ lower }) => lower, numeric: true, mayBeMissing: true },
  { name: 'Upper', cell: ({ upper }) => upper, numeric: true, mayBeMissing: true },
  { name: 'Unit', cell: ({ unit }) => unit },
  { name: 'Status', cell: ({ status }) => status },
  { name: 'Record', cell: ({ recordId }) => recordId },
  { name: 'Cell', cell: ({ cell }) => cell.locator },
];

/** The same bars as an HTML table. */
export function chartTable(points: Point[], title: string): Markup {
  const columns = TABLE.filter(
    ({ cell, mayBeMissing }) => !mayBeMissing || points.some((point) => (cell(point) ?? '') !== ''),
  );
  const classOf = ({ numeric }: TableColumn): Markup | '' => (numeric ? markup` class="num"` : '');
  const head = columns.map((column) => markup`<th scope="col"${classOf(column)}>${column.name}</th>`);
  const rows = points.map((point, position) => {
    const cells = columns.map((column) => {
      const key = `bar ${position + 1} ${column.name.toLowerCase()}`;
      return markup`<td${classOf(column)} data-cell="${key}">${column.cell(point) ?? ''}</td>`;
    });
    return markup`<tr>${cells}</tr>`;
  });
  return markup`<table><caption>${title}</caption><thead><tr>${head}</tr></thead><tbody>
${lines(rows)}
</tbody></table>`;
}
