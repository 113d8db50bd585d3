/** A checked story as it is printed: every token filled in, in plain text and in HTML, ready for page, brief, dossier and feeds. */
import type { JsonObject } from '../../shim/core/types.ts';
import type { Change, CheckedStory } from './gate/gate.ts';
import type { Source } from '../lib/dataset.ts';
import { escaped } from '../lib/html.ts';
import { cellOf, type Citation, type CitedDataset } from './citation.ts';
import { htmlMarkdown, plainMarkdown } from './markdown.ts';
import { fieldOf, placeOf } from './records.ts';
import type { Chart, Passage, Story, Token } from './story.ts';
import { withTokens } from './token.ts';

/** A passage with its cells filled in. */
export interface PrintedPassage {
  place: string;
  /** As written, tokens included: what a check fills in again. */
  template: string;
  text: string;
  html: string;
  /** Numbers of the citations in it, in order. */
  citations: number[];
}

/** A bar of a chart; `value` is null where the cell is unavailable. */
export interface Point {
  token: Token;
  label: string;
  series: string | null;
  value: number | null;
  lower: number | null;
  upper: number | null;
  unit: string;
  status: string;
  reason: string | null;
  locator: string;
  source: Source;
  datasetSha256: string;
}

export type PrintedBlock =
  | { kind: 'heading'; passage: PrintedPassage }
  | { kind: 'paragraph' | 'synthesis'; sentences: PrintedPassage[]; section: string | null }
  | { kind: 'chart'; title: PrintedPassage; points: Point[]; datasetPath: string };

/** A story ready for print. */
export interface Edition {
  id: string;
  published: string;
  updated: string;
  title: PrintedPassage;
  summary: PrintedPassage;
  blocks: PrintedBlock[];
  corrections: { date: string; passage: PrintedPassage }[];
  citations: Citation[];
  changes: Change[];
  /** Limitations of every dataset cited, word for word. */
  limitations: { dataset: string; texts: string[] }[];
}

/** Prints a checked story. */
export function editionOf(
  { story, citations, changes }: CheckedStory,
  datasets: Map<string, CitedDataset>,
): Edition {
  const print = (passage: Passage): PrintedPassage => printPassage(passage, citations);
  const cited = new Set([...citations.values()].map(({ dataset }) => dataset));
  return {
    id: story.id,
    published: story.published,
    updated: story.updated,
    title: print(story.title),
    summary: print(story.summary),
    blocks: blocksOf(story, print, datasets),
    corrections: story.corrections.map(({ date, passage }) => ({ date, passage: print(passage) })),
    citations: [...citations.values()],
    changes,
    limitations: [...cited].map((dataset) => ({
      dataset,
      texts: datasets.get(dataset)?.descriptor.limitations ?? [],
    })),
  };
}

/** The text of a passage from its template and the printed values: what the offline check does again. */
export function filledText(template: string, values: (raw: string) => string): string {
  const filled: string[] = [];
  const plain = plainMarkdown(
    withTokens(template, (raw, position) => ((filled[position] = values(raw)), mark(position))),
  );
  return unmarked(plain, (position) => filled[position] ?? '');
}

/** A passage with its cells filled in; `citations` by token. */
export function printPassage(
  { place, text, tokens }: Passage,
  citations: ReadonlyMap<string, Citation>,
): PrintedPassage {
  const cited = tokens.flatMap(({ raw }) => citations.get(raw) ?? []);
  const html = htmlMarkdown(withTokens(text, (_raw, position) => mark(position)));
  return {
    place,
    template: text,
    text: filledText(text, (raw) => citations.get(raw)?.printed ?? ''),
    html: unmarked(html, (position) => citedHtml(cited[position])),
    citations: cited.map(({ number }) => number),
  };
}

/** A cited value in a page: the text is exactly what the record has; the link leads to its citation. */
function citedHtml(citation: Citation | undefined): string {
  if (!citation) return '';
  const { number, printed, value } = citation;
  const kind = typeof value === 'number' ? ' n' : '';
  return `<a class="c${kind}" href="#cite-${number}"><data data-cite="${number}" value="${escaped(printed)}">${escaped(printed)}</data></a>`;
}

function blocksOf(
  story: Story,
  print: (passage: Passage) => PrintedPassage,
  datasets: Map<string, CitedDataset>,
): PrintedBlock[] {
  let section: string | null = null;
  return story.blocks.map((block): PrintedBlock => {
    if (block.kind === 'heading') {
      const passage = print(block.passage);
      section = passage.text;
      return { kind: 'heading', passage };
    }
    if (block.kind === 'chart') return printChart(block, print, datasets);
    return { kind: block.kind, sentences: block.sentences.map(print), section };
  });
}

function printChart(
  chart: Chart,
  print: (passage: Passage) => PrintedPassage,
  datasets: Map<string, CitedDataset>,
): PrintedBlock {
  const dataset = datasets.get(chart.points[0]?.token.dataset ?? '');
  return {
    kind: 'chart',
    title: print(chart.title),
    points: chart.points.flatMap(({ token }) => pointOf(token, chart, datasets) ?? []),
    datasetPath: dataset?.entry.path ?? '',
  };
}

function pointOf(token: Token, { label, series }: Chart, datasets: Map<string, CitedDataset>): Point | null {
  const cell = cellOf(token, datasets);
  if ('rule' in cell) return null;
  const { record, value, dataset } = cell;
  const { descriptor, entry } = dataset;
  const { sourceId, locator } = placeOf(record);
  const source = descriptor.sources.find(({ id }) => id === sourceId) ?? descriptor.sources[0];
  if (!source) return null;
  const bounded = token.field === 'value';
  const known = typeof value === 'number' ? 'observed' : 'unavailable';
  return {
    token,
    label: nameOf(record, label, token, dataset),
    series: series === null ? null : nameOf(record, series, token, dataset),
    value: numberOrNull(value),
    lower: bounded ? numberOrNull(record['lower']) : null,
    upper: bounded ? numberOrNull(record['upper']) : null,
    unit:
      typeof record['unit'] === 'string'
        ? record['unit']
        : descriptor.kind === 'atlas'
          ? descriptor.unit
          : '',
    status: typeof record['status'] === 'string' ? record['status'] : known,
    reason: typeof record['unavailableReason'] === 'string' ? record['unavailableReason'] : null,
    locator,
    source,
    datasetSha256: entry.sha256,
  };
}

/** What a bar or a group is called: a field of the record, or for `field` the source's own label of the cited member. */
function nameOf(record: JsonObject, path: string, { field }: Token, { descriptor }: CitedDataset): string {
  if (path !== 'field') return String(fieldOf(record, path) ?? '');
  const found =
    descriptor.kind === 'atlas'
      ? descriptor.fields.find((known) => `data.${known.path}` === field)
      : undefined;
  return found?.label ?? field;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** Private-use characters stand for tokens while markdown is read; the gate refuses them in the text itself. */
function mark(position: number): string {
  return `\uE000${String.fromCodePoint(0xe100 + position)}\uE001`;
}

function unmarked(text: string, value: (position: number) => string): string {
  return text.replaceAll(/\uE000(.)\uE001/gu, (_all, code: string) =>
    value((code.codePointAt(0) ?? 0) - 0xe100),
  );
}
