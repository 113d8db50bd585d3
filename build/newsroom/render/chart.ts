/**
 * A story's chart: bars from a common zero in plain SVG, the same numbers as a table, and as CSV for machines. Every number
 * drawn is a cited cell, so there is no axis of round numbers; bounds are lines as printed; an unavailable cell is labelled so
 * and never drawn as zero.
 */
import { csvText } from '../../lib/csv.ts';
import { lines, markup, type Markup } from '../../lib/html.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import type { CheckedStory } from '../gate/gate.ts';
import { pointsOf, textOf, type Point } from '../printed.ts';
import { chartsOf, storyPath, type Chart } from '../story.ts';

/** A column of the CSV, and of the table where it has a heading; one that may be missing is left out where no bar has it. */
interface Column {
  name: keyof Point;
  heading?: string;
  numeric?: true;
  mayBeMissing?: true;
}

const COLUMNS: Column[] = [
  { name: 'label', heading: 'Bar' },
  { name: 'series', heading: 'Group', mayBeMissing: true },
  { name: 'value', heading: 'Value', numeric: true },
  { name: 'lower', heading: 'Lower', numeric: true, mayBeMissing: true },
  { name: 'upper', heading: 'Upper', numeric: true, mayBeMissing: true },
  { name: 'unit', heading: 'Unit' },
  { name: 'status', heading: 'Status' },
  { name: 'unavailableReason' },
  { name: 'dataset' },
  { name: 'recordId', heading: 'Record' },
  { name: 'field' },
  { name: 'locator', heading: 'Cell' },
  { name: 'sourceSha256' },
];

/** The bars of all charts of a story as CSV; blank is unavailable. */
export function renderChartData(story: CheckedStory): Artifact {
  const points = chartsOf(story).flatMap((chart) => pointsOf(story, chart));
  const names = COLUMNS.map(({ name }) => name);
  const rows = points.map((point) => names.map((name) => String(point[name] ?? '')));
  return textArtifact(storyPath(story.id, 'data.csv'), csvText([names, ...rows]));
}

/** What a chart says of itself in the page: its drawing, its table, how to read them and where the data is. */
export function chartParts(story: CheckedStory, chart: Chart, id: string): Record<string, Markup | string> {
  const points = pointsOf(story, chart);
  const title = textOf(story, chart.title);
  const { dataset, source } = story.cells.get(chart.points[0]?.token.raw ?? '') ?? {};
  const legend = [`Unit: ${points[0]?.unit ?? ''}.`];
  if (points.some(({ lower, upper }) => lower !== null || upper !== null))
    legend.push('Lines with end marks are the lower and upper bounds the source prints.');
  if (points.some(({ value }) => value === null))
    legend.push('A cell without a value is unavailable and has no bar; it is not zero.');
  return {
    svg: chartSvg(points, title, id),
    legend: legend.join(' '),
    table: chartTable(points, title),
    dataset: dataset?.path ?? '',
    publisher: source?.publisher ?? '',
  };
}

function chartTable(points: Point[], title: string): Markup {
  const columns = COLUMNS.filter(
    ({ name, heading, mayBeMissing }) =>
      heading !== undefined && !(mayBeMissing && points.every((point) => (point[name] ?? '') === '')),
  );
  const classOf = ({ numeric }: Column): Markup | '' => (numeric ? markup` class="num"` : '');
  const head = columns.map(
    (column) => markup`<th scope="col"${classOf(column)}>${column.heading ?? ''}</th>`,
  );
  const rows = points.map((point, position) => {
    const gone = `unavailable: ${point.unavailableReason ?? 'no value'}`;
    const cells = columns.map((column) => {
      const key = `bar ${position + 1} ${column.heading?.toLowerCase() ?? ''}`;
      const text = point[column.name] ?? (column.name === 'value' ? gone : '');
      return markup`<td${classOf(column)} data-cell="${key}">${text}</td>`;
    });
    return markup`<tr>${cells}</tr>`;
  });
  return markup`<table><caption>${title}</caption><thead><tr>${head}</tr></thead><tbody>
${lines(rows)}
</tbody></table>`;
}

const ROW = 26;
/** Width of a character of a label, in per cent of the narrowest chart. */
const CHARACTER = 1.7;

/** The SVG; `id` makes its ids unique in a page. Widths are per cent, so text keeps its size on any screen. */
function chartSvg(points: Point[], title: string, id: string): Markup {
  const labels = points.map(({ label }) => label);
  const values = points.map(({ value }) => String(value ?? ''));
  const [from, room] = [roomFor(2, labels), roomFor(4, values)];
  const most = Math.max(
    0,
    ...points.flatMap(({ value, upper, lower }) => [value ?? 0, upper ?? 0, lower ?? 0]),
  );
  /** How far an amount reaches, in per cent of the width. */
  const reach = (amount: number): number => (most === 0 ? 0 : (amount / most) * (100 - from - room));
  const rows: Markup[] = [];
  let y = 4;
  let group: string | null = null;
  for (const point of points) {
    if (point.series !== group && point.series !== null) {
      y += group === null ? 0 : 8;
      rows.push(markup`<text class="group" x="0" y="${y + 17}">${point.series}</text>`);
      y += ROW;
    }
    group = point.series;
    rows.push(...barOf(point, y, from, reach));
    y += ROW;
  }
  return markup`<svg role="img" aria-labelledby="${id}-t ${id}-d" height="${y + 4}">
<title id="${id}-t">${title}</title><desc id="${id}-d">Values are in the table below.</desc>
<line class="base" x1="${percent(from)}%" x2="${percent(from)}%" y1="0" y2="${y + 4}"/>
${lines(rows)}
</svg>`;
}

function barOf(
  { label, value, lower, upper, unavailableReason }: Point,
  y: number,
  from: number,
  reach: (amount: number) => number,
): Markup[] {
  const middle = y + ROW / 2;
  const place = (amount: number): string => `${percent(from + reach(amount))}%`;
  const parts = [markup`<text x="0" y="${middle + 4}">${label}</text>`];
  const end = (kind: string, text: string): Markup =>
    markup`<text class="${kind}" x="100%" y="${middle + 4}" text-anchor="end">${text}</text>`;
  const line = (kind: string, [x1, x2]: [number, number], [y1, y2]: [number, number]): Markup =>
    markup`<line class="${kind}" x1="${place(x1)}" x2="${place(x2)}" y1="${y1}" y2="${y2}"/>`;
  if (value === null) parts.push(end('gone', (unavailableReason ?? 'unavailable').replaceAll('_', ' ')));
  else
    parts.push(
      markup`<rect class="bar" x="${percent(from)}%" y="${y + 5}" width="${percent(reach(value))}%" height="${ROW - 10}" rx="1"/>`,
      end('value', String(value)),
    );
  if (lower !== null && upper !== null)
    parts.push(line(value === null ? 'range open' : 'range', [lower, upper], [middle, middle]));
  for (const bound of [lower, upper])
    if (bound !== null) parts.push(line('range', [bound, bound], [y + 6, y + ROW - 6]));
  return parts;
}

function percent(amount: number): string {
  return String(Math.round(amount * 100) / 100);
}

/** Room for the longest of some texts, in per cent of the width. */
function roomFor(margin: number, texts: string[]): number {
  const longest = Math.max(0, ...texts.map(({ length }) => length));
  return Math.min(40, Math.max(12, longest * CHARACTER + margin));
}
