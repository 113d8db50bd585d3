/**
 * A published story made again. Values, units, states and locators come from the packaged records, what is said of datasets
 * from the mirror's own listings; only words, order and dates come from the story. The renderers then give the same bytes, or
 * the published file is not what they made.
 */
import type { Source } from '../lib/dataset.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import type { Citation } from './citation.ts';
import { printPassage, type Edition, type Point, type PrintedBlock, type PrintedPassage } from './edition.ts';
import type { MirroredDataset } from './mirror.ts';
import { tokenOf, type Brief, type Cell, type Dossier } from './published-story.ts';
import { fieldOf, isObject, placeOf, printed } from './records.ts';
import { passageOf, tokensOf } from './token.ts';

/** A cell's dataset and record as the mirror has them. */
export interface Found {
  dataset: MirroredDataset;
  record: JsonObject;
}

/** The edition of a published story, or null where its parts do not belong together. */
export function remadeEdition(
  id: string,
  dossier: Dossier,
  brief: Brief,
  found: (cell: Pick<Cell, 'dataset' | 'recordId'>) => Found | null,
): Edition | null {
  const citations = new Map<string, Citation>();
  for (const cell of dossier.citations) {
    const citation = citationOf(cell, dossier, found(cell));
    if (!citation) return null;
    citations.set(citation.raw, citation);
  }
  const passages = dossier.passages.map(({ place, template }) =>
    printPassage(passageOf(place, 0, template), citations),
  );
  const [title, summary] = passages;
  const charts = dossier.charts.map(({ points }) =>
    points.map((cell) => pointOf(cell, dossier, found(cell))),
  );
  const blocks = blocksOf(passages, brief, charts);
  if (!title || !summary || !blocks) return null;
  const corrected = passages.filter(({ place }) => place.startsWith('correction '));
  return {
    id,
    published: dossier.published,
    updated: dossier.updated,
    title,
    summary,
    blocks: blocks.map((block) =>
      block.kind === 'chart'
        ? {
            ...block,
            datasetPath: found(block.points[0]?.token ?? { dataset: '', recordId: '' })?.dataset.path ?? '',
          }
        : block,
    ),
    corrections: dossier.corrections.flatMap(({ date }, position) => {
      const passage = corrected[position];
      return passage ? [{ date, passage }] : [];
    }),
    citations: [...citations.values()],
    changes: dossier.changes.flatMap((change) =>
      tokensOf(tokenOf(change)).map((token) => ({
        place: change.place,
        line: 0,
        token,
        reviewed: '',
        now: '',
      })),
    ),
    limitations: dossier.limitations.map(({ dataset, texts }) => {
      const cell = dossier.citations.find((citation) => citation.dataset === dataset);
      return { dataset, texts: (cell && found(cell)?.dataset.limitations) ?? texts };
    }),
  };
}

function citationOf(cell: Cell, dossier: Dossier, found: Found | null): Citation | null {
  const [token] = tokensOf(tokenOf(cell));
  const value = found ? fieldOf(found.record, cell.field) : undefined;
  if (!token || !found || value === undefined || value === null || typeof value === 'object') return null;
  const { record, dataset } = found;
  const meta = isObject(record['meta']) ? record['meta'] : {};
  return {
    ...token,
    number: cell.number ?? 0,
    value,
    printed: printed(value),
    unit: typeof value === 'number' ? unitOf(cell.field, found) : null,
    status: textOr(record['status'], textOr(meta['availability'], null)),
    locator: placeOf(record).locator,
    source: sourceOf(cell, dossier),
    lane: '',
    datasetTitle: dataset.title,
    datasetPath: dataset.path,
    datasetSha256: dataset.sha256,
    record,
  };
}

/** As citation.ts has it: amounts have a unit, other numbers none. */
function unitOf(field: string, { record, dataset }: Found): string | null {
  if (['value', 'lower', 'upper'].includes(field)) return textOr(record['unit'], null);
  return field.startsWith('data.') && field !== 'data.year' ? dataset.unit : null;
}

/** The source as the dossier names it; verify-story holds each member against the release. */
function sourceOf(cell: Cell, { records }: Dossier): Source {
  const csl = records.find(({ dataset, recordId }) => dataset === cell.dataset && recordId === cell.recordId)
    ?.cite.csl;
  const parts = csl?.issued['date-parts'][0] ?? [];
  return {
    id: cell.source,
    title: csl?.title ?? '',
    publisher: cell.publisher ?? '',
    url: cell.sourceUrl ?? '',
    path: '',
    license: cell.license,
    licenseUrl: cell.licenseUrl ?? null,
    dated: parts.map((part) => String(part).padStart(2, '0')).join('-'),
    retrievedAt: cell.retrievedAt ?? '',
    cadence: null,
    sha256: cell.sourceSha256,
    bytes: 0,
    notes: [],
  };
}

function pointOf(cell: Cell, dossier: Dossier, found: Found | null): Point | null {
  const [token] = tokensOf(tokenOf(cell));
  if (!token || !found) return null;
  const { record, dataset } = found;
  const value = numberOrNull(fieldOf(record, cell.field));
  const bounded = cell.field === 'value';
  const cited = dossier.citations.find(
    ({ dataset: id, source }) => id === cell.dataset && source === cell.source,
  );
  return {
    token,
    label: memberSaying(record, cell.label ?? '') ?? (dataset.unit === null ? '' : (cell.label ?? '')),
    series:
      typeof cell.series === 'string'
        ? (memberSaying(record, cell.series) ?? (dataset.unit === null ? '' : cell.series))
        : null,
    value,
    lower: bounded ? numberOrNull(record['lower']) : null,
    upper: bounded ? numberOrNull(record['upper']) : null,
    unit: textOr(record['unit'], dataset.unit) ?? '',
    status: textOr(record['status'], null) ?? (value === null ? 'unavailable' : 'observed'),
    reason: textOr(record['unavailableReason'], null),
    locator: placeOf(record).locator,
    source: {
      ...sourceOf(cell, dossier),
      publisher:
        cited?.publisher ??
        dataset.sources.find(({ sha256 }) => sha256 === cell.sourceSha256)?.publisher ??
        '',
    },
    datasetSha256: dataset.sha256,
  };
}

/** A bar is called what a member of its record says, or in an atlas what its source calls a field; null where none says it. */
function memberSaying(record: JsonObject, label: string): string | null {
  const said = [...Object.values(record), ...Object.values(isObject(record['data']) ? record['data'] : {})];
  return said.some((value) => typeof value !== 'object' && String(value) === label) ? label : null;
}

/** Headings, charts and paragraphs in the order of the passages; null where the brief parts them otherwise than they read. */
function blocksOf(
  passages: PrintedPassage[],
  { paragraphs }: Brief,
  charts: (Point | null)[][],
): PrintedBlock[] | null {
  const blocks: PrintedBlock[] = [];
  let section: string | null = null;
  let chart = 0;
  let paragraph = 0;
  let sentences: PrintedPassage[] = [];
  for (const passage of passages.slice(2)) {
    if (passage.place.startsWith('sentence ')) {
      sentences.push(passage);
      const { kind, text } = paragraphs[paragraph] ?? { kind: 'paragraph', text: '' };
      if (sentences.map((sentence) => sentence.text).join(' ') !== text) continue;
      blocks.push({ kind, sentences, section });
      sentences = [];
      paragraph += 1;
    } else if (passage.place.startsWith('heading ')) {
      section = passage.text;
      blocks.push({ kind: 'heading', passage });
    } else if (passage.place === 'chart title') {
      const points = (charts[chart] ?? []).filter((point) => point !== null);
      blocks.push({ kind: 'chart', title: passage, points, datasetPath: '' });
      chart += 1;
    }
  }
  return sentences.length === 0 && paragraph === paragraphs.length ? blocks : null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === 'string' ? value : other;
}
