/** A checked story as it is printed: its text with every token filled in, its marks, and the facts all its documents have. */
import { memberAt } from '../../shim/core/json.ts';
import { absolute } from '../../shim/core/paths.ts';
import type { JsonValue } from '../../shim/core/types.ts';
import type { Trusted } from '../../shim/view/node.ts';
import { markup } from '../lib/html.ts';
import { textAt, type Cell, type CheckedStory } from './citation.ts';
import { filledHtml, filledText } from './markdown.ts';
import { FEED_JSON, storyUrl, storyUrn, type Chart, type Passage, type Token } from './story.ts';

/** A mark of a chart as it is published; `value` is null where the cell is unavailable, `unit` blank where there is none. */
export type Point = ReturnType<typeof pointOf>;

/** A passage in plain text. */
export function textOf({ citations }: CheckedStory, { text }: Passage): string {
  return filledText(text, (raw) => citations.get(raw)?.printed ?? '');
}

/** A passage in HTML: a cited value is exactly what the record has, its link leads to its citation. */
export function htmlOf({ citations }: CheckedStory, { text }: Passage): Trusted {
  return filledHtml(text, (raw) => {
    const citation = citations.get(raw);
    if (!citation) return markup``;
    const { number, printed, value } = citation;
    const kind = typeof value === 'number' ? ' n' : '';
    return markup`<a class="c${kind}" href="#cite-${number}"><data data-cite="${number}" value="${printed}">${printed}</data></a>`;
  });
}

/** Numbers of the citations in a passage, in order. */
export function numbersIn({ citations }: CheckedStory, { tokens }: Passage): number[] {
  return tokens.flatMap(({ raw }) => citations.get(raw)?.number ?? []);
}

/** The members that brief and dossier begin with, and feeds repeat. */
export type StoryHead = ReturnType<typeof headOf>;

/** The facts that all documents of a story have. */
export function headOf(story: CheckedStory, siteUrl: string) {
  const { id, published, updated, changes } = story;
  const url = storyUrl(siteUrl, id);
  return {
    id: storyUrn(id),
    story: id,
    url,
    title: textOf(story, story.title),
    summary: textOf(story, story.summary),
    published,
    updated,
    citedDataChanged: changes.length > 0,
    changes: changes.map(({ place, token: { raw: _raw, ...cell } }) => ({ place, ...cell })),
    corrections: story.corrections.map(({ date, passage }) => ({ date, text: textOf(story, passage) })),
    links: {
      story: url,
      brief: `${url}brief.json`,
      dossier: `${url}dossier.json`,
      data: `${url}data.csv`,
      bibtex: `${url}cite.bib`,
      ris: `${url}cite.ris`,
      csl: `${url}cite.json`,
      feed: absolute(siteUrl, FEED_JSON),
    },
  };
}

/** Limitations of every dataset cited, word for word. */
export function limitationsOf({ citations }: CheckedStory): { dataset: string; texts: string[] }[] {
  const cited = new Map([...citations.values()].map(({ dataset, cell }) => [dataset, cell.dataset.document]));
  return [...cited].map(([dataset, { limitations }]) => ({ dataset, texts: limitations }));
}

/** The marks of a chart. */
export function pointsOf({ cells }: CheckedStory, { points, label, series }: Chart): Point[] {
  return points.flatMap(({ token }) => {
    const cell = cells.get(token.raw);
    return cell ? [pointOf(token, cell, label, series)] : [];
  });
}

function pointOf({ dataset, recordId, field }: Token, cell: Cell, label: string, series: string | null) {
  const { record, value, source, locator } = cell;
  const { sha256, document } = cell.dataset;
  // A field of the record, or for `field` the source's own label of the cited member.
  const nameOf = (path: string): string =>
    path === 'field'
      ? (document.fields.find((known) => `data.${known.path}` === field)?.label ?? field)
      : String(memberAt(record, path) ?? '');
  return {
    dataset,
    recordId,
    field,
    label: nameOf(label),
    series: series === null ? null : nameOf(series),
    value: numberOrNull(value),
    lower: field === 'value' ? numberOrNull(record['lower']) : null,
    upper: field === 'value' ? numberOrNull(record['upper']) : null,
    unit: cell.unit ?? '',
    status: textAt(record, 'status') ?? (typeof value === 'number' ? 'observed' : 'unavailable'),
    unavailableReason: textAt(record, 'unavailableReason'),
    datasetSha256: sha256,
    source: source.id,
    sourceSha256: source.sha256,
    locator,
    license: source.license,
  };
}

function numberOrNull(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
