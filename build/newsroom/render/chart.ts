/**
 * A story's chart: its cited cells drawn as all figures are, and the same cells as a table, and as CSV for machines.
 * Cells of one period are a dot plot, others are panels of their series.
 */
import { memberAt } from '../../../shim/core/json.ts';
import type { DatasetDocument, Observation } from '../../../shim/core/records.ts';
import { atlasRecordId, rootFrom } from '../../../shim/view/address.ts';
import { dotPlot } from '../../../shim/view/chart/dots.ts';
import { seriesFigure } from '../../../shim/view/chart/panels.ts';
import { el, type Child, type Trusted } from '../../../shim/view/node.ts';
import { figureSources } from '../../../shim/view/chart/figure.ts';
import { statusWords } from '../../../shim/view/words.ts';
import { csvText } from '../../../shim/core/csv.ts';
import { lines, markup } from '../../lib/html.ts';
import { textArtifact, type Artifact } from '../../lib/tree.ts';
import { textAt, type Cell, type CheckedStory } from '../citation.ts';
import { pointsOf, textOf, type Point } from '../printed.ts';
import { chartsOf, storyPath, type Chart } from '../story.ts';

/** A column of the CSV, and of the table where it has a heading; one that may be missing is left out where no mark has it. */
interface Column {
  name: keyof Point;
  heading?: string;
  numeric?: true;
  mayBeMissing?: true;
}

const COLUMNS: Column[] = [
  { name: 'label', heading: 'Mark' },
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

/** The marks of all charts of a story as CSV; blank is unavailable. */
export function renderChartData(story: CheckedStory): Artifact {
  const points = chartsOf(story).flatMap((chart) => pointsOf(story, chart));
  const names = COLUMNS.map(({ name }) => name);
  const rows = points.map((point) => names.map((name) => String(point[name] ?? '')));
  return textArtifact(storyPath(story.id, 'data.csv'), csvText([names, ...rows]));
}

/** A chart as it is in the page; `title` is its title with its citations, `id` its name in the page. */
export function chartFigure(story: CheckedStory, chart: Chart, title: Trusted, id: string): Child {
  const cells = chart.points.flatMap(({ token }) => story.cells.get(token.raw) ?? []);
  const points = pointsOf(story, chart);
  const drawn = points.flatMap((point, index) => {
    const cell = cells[index];
    return cell ? [drawnOf(point, cell)] : [];
  });
  const document = cells[0]?.dataset.document;
  const table = el('details', {}, [
    el('summary', {}, 'Table of the marks'),
    el('div', { class: 'scroll', role: 'region', 'aria-label': 'Table of the marks', tabindex: 0 }, [
      chartTable(points, drawn.map(statusWords), textOf(story, chart.title)),
    ]),
  ]);
  const draw = new Set(drawn.map(({ period }) => period)).size > 1 ? seriesFigure : dotPlot;
  return draw(drawn, {
    id,
    root: rootFrom(storyPath(story.id, 'index.html')),
    caption: textOf(story, chart.title),
    linked: title,
    sources: document
      ? figureSources(
          document,
          cells.map(({ source }) => ({ sourceId: source.id })),
        )
      : [],
    boundary: boundaryOf(document, drawn[0]),
    // The cells were picked one by one; no query gives them alone.
    query: null,
    csv: storyPath(story.id, 'data.csv'),
    nothing: 'not among the cells of this story',
    more: table,
    indicators: new Map(document?.indicators.map((indicator) => [indicator.id, indicator.label])),
  });
}

/** How the figure must not be read: the first limitation of its indicator, or of its dataset. */
function boundaryOf(document: DatasetDocument | undefined, record: Observation | undefined): string | null {
  const indicator = document?.indicators.find(({ id }) => id === record?.indicatorId);
  return indicator?.limitations[0] ?? document?.limitations[0] ?? null;
}

/** A cited cell as a record to be drawn; the label of an atlas field is the label of its mark. */
function drawnOf({ value, lower, upper, unit, field }: Point, cell: Cell): Observation {
  const { record, dataset, source, locator } = cell;
  const { id: datasetId, kind, edition, fields } = dataset.document;
  // Packed observations are as their schema says.
  if (kind === 'observations') return { ...(record as unknown as Observation), value, lower, upper };
  const geoCode = textAt(record, 'data.iso3') ?? '';
  const year = Number(memberAt(record, 'data.year'));
  return {
    id: atlasRecordId(datasetId, geoCode, year),
    datasetId,
    edition,
    indicatorId: datasetId,
    geoCode,
    geoName: textAt(record, 'data.country') ?? geoCode,
    geoLevel: 'country',
    period: String(year),
    category: fields.find(({ path }) => `data.${path}` === field)?.label ?? field,
    subgroup: '',
    group: '',
    value,
    lower,
    upper,
    unit,
    status: value === null ? 'unavailable' : 'reported',
    unavailableReason: null,
    sourceId: source.id,
    sourceLocator: locator,
  };
}

/** `states` are those of the points, in words. */
function chartTable(points: Point[], states: readonly string[], title: string): Trusted {
  const columns = COLUMNS.filter(
    ({ name, heading, mayBeMissing }) =>
      heading !== undefined && !(mayBeMissing && points.every((point) => (point[name] ?? '') === '')),
  );
  const classOf = ({ numeric }: Column): Trusted | '' => (numeric ? markup` class="num"` : '');
  const head = columns.map(
    (column) => markup`<th scope="col"${classOf(column)}>${column.heading ?? ''}</th>`,
  );
  const rows = points.map((point, position) => {
    const cells = columns.map((column) => {
      const key = `mark ${position + 1} ${column.heading?.toLowerCase() ?? ''}`;
      const text = point[column.name] ?? (column.name === 'value' ? (states[position] ?? '') : '');
      return markup`<td${classOf(column)} data-cell="${key}">${text}</td>`;
    });
    return markup`<tr>${cells}</tr>`;
  });
  return markup`<table><caption>${title}</caption><thead><tr>${head}</tr></thead><tbody>
${lines(rows)}
</tbody></table>`;
}
