/** A checked story as it is printed: every token filled in, in plain text and in HTML, ready for page, brief, dossier and feeds. */
import type { JsonObject, JsonValue } from '../../shim/core/types.ts';
import { markup, type Markup } from '../lib/html.ts';
import { cellOf, type Cell, type Citation, type CitedDataset } from './citation.ts';
import type { Change, CheckedStory } from './gate/gate.ts';
import { filledHtml, filledText } from './markdown.ts';
import { fieldOf } from './records.ts';
import type { Block, Chart, Passage, StoryParts, Token } from './story.ts';

/** A passage with its cells filled in. */
export interface PrintedPassage {
  place: string;
  /** As written, tokens included. */
  template: string;
  text: string;
  html: Markup;
  /** Numbers of the citations in it, in order. */
  citations: number[];
}

/** A bar of a chart, with its members in the order they are published; `value` is null where the cell is unavailable. */
export interface Point {
  dataset: string;
  recordId: string;
  field: string;
  label: string;
  series: string | null;
  value: number | null;
  lower: number | null;
  upper: number | null;
  unit: string;
  status: string;
  unavailableReason: string | null;
  cell: Cell;
}

/** A chart with its bars. */
export interface PrintedChart {
  kind: 'chart';
  title: PrintedPassage;
  points: Point[];
  datasetPath: string;
}

/** A part of a printed story. */
export type PrintedBlock = Block<PrintedPassage, PrintedChart>;

/** A story ready for print. */
export interface PrintedStory extends StoryParts<PrintedPassage, PrintedChart> {
  citations: Citation[];
  changes: Change[];
  /** Limitations of every dataset cited, word for word. */
  limitations: { dataset: string; texts: string[] }[];
}

/** Prints a checked story. */
export function printStory(
  { story, citations, changes }: CheckedStory,
  datasets: ReadonlyMap<string, CitedDataset>,
): PrintedStory {
  const print = (passage: Passage): PrintedPassage => printPassage(passage, citations);
  const cited = new Set([...citations.values()].map(({ dataset }) => dataset));
  const { id, source, published, updated } = story;
  return {
    id,
    source,
    published,
    updated,
    title: print(story.title),
    summary: print(story.summary),
    corrections: story.corrections.map(({ date, passage }) => ({ date, passage: print(passage) })),
    blocks: story.blocks.map((block): PrintedBlock => {
      if (block.kind === 'heading') return { kind: 'heading', passage: print(block.passage) };
      if (block.kind === 'chart') return printChart(block, print, datasets);
      return { kind: block.kind, sentences: block.sentences.map(print) };
    }),
    citations: [...citations.values()],
    changes,
    limitations: [...cited].map((dataset) => ({
      dataset,
      texts: datasets.get(dataset)?.document.limitations ?? [],
    })),
  };
}

/** The bars of all charts of a story. */
export function pointsOf({ blocks }: PrintedStory): Point[] {
  return blocks.flatMap((block) => (block.kind === 'chart' ? block.points : []));
}

/** The values of all cited and drawn cells, by token: what a review of the story accepts. */
export function cellValues(story: PrintedStory): Map<string, string> {
  const values = new Map(story.citations.map(({ raw, printed }) => [raw, printed]));
  for (const { dataset, recordId, field, value, lower, upper } of pointsOf(story)) {
    values.set(`{{${dataset}:${recordId}#${field}}}`, String(value ?? 'unavailable'));
    for (const [bound, drawn] of Object.entries({ lower, upper }))
      if (drawn !== null) values.set(`{{${dataset}:${recordId}#${bound}}}`, String(drawn));
  }
  return values;
}

function printPassage(
  { place, text, tokens }: Passage,
  citations: ReadonlyMap<string, Citation>,
): PrintedPassage {
  return {
    place,
    template: text,
    text: filledText(text, (raw) => citations.get(raw)?.printed ?? ''),
    html: filledHtml(text, (raw) => citedHtml(citations.get(raw))),
    citations: tokens.flatMap(({ raw }) => citations.get(raw)?.number ?? []),
  };
}

/** A cited value in a page: the text is exactly what the record has; the link leads to its citation. */
function citedHtml(citation: Citation | undefined): Markup {
  if (!citation) return markup``;
  const { number, printed, value } = citation;
  const kind = typeof value === 'number' ? ' n' : '';
  return markup`<a class="c${kind}" href="#cite-${number}"><data data-cite="${number}" value="${printed}">${printed}</data></a>`;
}

function printChart(
  chart: Chart,
  print: (passage: Passage) => PrintedPassage,
  datasets: ReadonlyMap<string, CitedDataset>,
): PrintedChart {
  const [first] = chart.points;
  return {
    kind: 'chart',
    title: print(chart.title),
    points: chart.points.flatMap(({ token }) => pointOf(token, chart, cellOf(token, datasets))),
    datasetPath: datasets.get(first?.token.dataset ?? '')?.path ?? '',
  };
}

function pointOf(token: Token, { label, series }: Chart, cell: ReturnType<typeof cellOf>): Point[] {
  if ('rule' in cell) return [];
  const { record, value } = cell;
  const { status, unavailableReason, lower, upper } = record;
  const { raw: _raw, ...named } = token;
  const bounded = token.field === 'value';
  return [
    {
      ...named,
      label: nameOf(record, label, token, cell.dataset),
      series: series === null ? null : nameOf(record, series, token, cell.dataset),
      value: numberOrNull(value),
      lower: bounded ? numberOrNull(lower) : null,
      upper: bounded ? numberOrNull(upper) : null,
      unit: cell.unit ?? '',
      status: typeof status === 'string' ? status : typeof value === 'number' ? 'observed' : 'unavailable',
      unavailableReason: typeof unavailableReason === 'string' ? unavailableReason : null,
      cell,
    },
  ];
}

/** What a bar or a group is called: a field of the record, or for `field` the source's own label of the cited member. */
function nameOf(record: JsonObject, path: string, { field }: Token, { document }: CitedDataset): string {
  if (path !== 'field') return String(fieldOf(record, path) ?? '');
  return document.fields.find((known) => `data.${known.path}` === field)?.label ?? field;
}

function numberOrNull(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
