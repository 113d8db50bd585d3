/**
 * The documents of a story for machines. brief.json (`svc.news.brief.v1`) has its text with every citation, small enough to
 * read whole. dossier.json (`svc.news.dossier.v1`) also has each passage's template, and each cited record with how to cite
 * it.
 */
import briefSchema from '../../../schemas/news-brief.schema.json' with { type: 'json' };
import dossierSchema from '../../../schemas/news-dossier.schema.json' with { type: 'json' };
import { absolute } from '../../../shim/core/paths.ts';
import { validator } from '../../../shim/core/schema.ts';
import type { JsonObject, JsonSchema } from '../../../shim/core/types.ts';
import type { Finding } from '../../lib/findings.ts';
import { prettyJsonArtifact, type Artifact } from '../../lib/tree.ts';
import type { Citation } from '../citation.ts';
import { citedRecords, citeRecord, citeStory } from '../cite.ts';
import type { Point, PrintedStory } from '../printed-story.ts';
import { passagesOf } from '../story.ts';
import { FEED_JSON, storyPath, storyUrl, storyUrn } from './addresses.ts';

/** What every story promises, carried by brief and dossier. */
const BOUNDARIES = [
  'Every number is the value of a packaged record, printed exactly as the record has it; null is unavailable and never zero.',
  'A story states what records show and what they cannot show; it claims no cause and no guilt, and ranks no person.',
  'Reported quantities and modelled estimates stay apart; units are never converted or summed.',
];

/** Renders the brief of a story. */
export function renderBrief(story: PrintedStory, siteUrl: string): Artifact {
  return prettyJsonArtifact(storyPath(story.id, 'brief.json'), {
    schema: 'svc.news.brief.v1',
    ...headOf(story, siteUrl),
    paragraphs: paragraphsUnderHeadings(story),
    citations: story.citations.map(citationFacts),
    boundaries: BOUNDARIES,
    cite: citeStory(story, siteUrl),
  });
}

/** Renders the dossier of a story. */
export function renderDossier(story: PrintedStory, siteUrl: string): Artifact {
  return prettyJsonArtifact(storyPath(story.id, 'dossier.json'), {
    schema: 'svc.news.dossier.v1',
    ...headOf(story, siteUrl),
    passages: passagesOf(story).map(({ place, template, text, citations }) => ({
      place,
      template,
      text,
      citations,
    })),
    citations: story.citations.map(citationFacts),
    charts: story.blocks.flatMap((block) =>
      block.kind === 'chart' ? [{ title: block.title.text, points: block.points.map(pointFacts) }] : [],
    ),
    records: citedRecords(story).map((citation) => ({
      dataset: citation.dataset,
      recordId: citation.recordId,
      record: citation.cell.record,
      cite: citeRecord(citation),
    })),
    limitations: story.limitations,
    boundaries: BOUNDARIES,
    cite: citeStory(story, siteUrl),
  });
}

function paragraphsUnderHeadings({ blocks }: PrintedStory): JsonObject[] {
  let section: string | null = null;
  return blocks.flatMap((block) => {
    if (block.kind === 'heading') section = block.passage.text;
    if (block.kind === 'heading' || block.kind === 'chart') return [];
    const { kind, sentences } = block;
    const text = sentences.map((sentence) => sentence.text).join(' ');
    const citations = [...new Set(sentences.flatMap((sentence) => sentence.citations))];
    return [{ kind, section, text, citations }];
  });
}

/** Where a brief or dossier breaks the schema it is published with; no findings for other files. */
export function schemaFindings({ path, bytes }: Artifact): Finding[] {
  const [, schema] = SCHEMAS.find(([end]) => path.endsWith(end)) ?? [];
  const violations = schema ? validator(schema)(JSON.parse(Buffer.from(bytes).toString())) : null;
  return (violations ?? []).map(({ instancePath, message = '' }) => ({
    file: path,
    row: null,
    rule: 'story-schema',
    message: `${instancePath || 'the document'} ${message}`,
  }));
}

const SCHEMAS: [end: string, schema: JsonSchema][] = [
  ['/brief.json', briefSchema],
  ['/dossier.json', dossierSchema],
];

/** What brief and dossier begin with. */
function headOf(story: PrintedStory, siteUrl: string): JsonObject {
  const { id, title, summary, published, updated, corrections, changes } = story;
  return {
    id: storyUrn(id),
    story: id,
    url: storyUrl(siteUrl, id),
    title: title.text,
    summary: summary.text,
    published,
    updated,
    citedDataChanged: changes.length > 0,
    changes: changes.map(({ place, token: { dataset, recordId, field } }) => ({
      place,
      dataset,
      recordId,
      field,
    })),
    corrections: corrections.map(({ date, passage }) => ({ date, text: passage.text })),
    links: {
      story: storyUrl(siteUrl, id),
      brief: storyUrl(siteUrl, id, 'brief.json'),
      dossier: storyUrl(siteUrl, id, 'dossier.json'),
      data: storyUrl(siteUrl, id, 'data.csv'),
      bibtex: storyUrl(siteUrl, id, 'cite.bib'),
      csl: storyUrl(siteUrl, id, 'cite.json'),
      feed: absolute(siteUrl, FEED_JSON),
    },
  };
}

/** A citation with all that a check needs: cell, value, hashes, locator, licence. */
function citationFacts(citation: Citation): JsonObject {
  const { number, dataset, recordId, field, value, printed, unit, status, cell } = citation;
  const { source, locator } = cell;
  return {
    number,
    dataset,
    recordId,
    field,
    value,
    printed,
    unit,
    status,
    datasetPath: `/${cell.dataset.path}`,
    datasetSha256: cell.dataset.sha256,
    source: source.id,
    publisher: source.publisher,
    sourceUrl: source.url,
    sourceSha256: source.sha256,
    locator,
    license: source.license,
    licenseUrl: source.licenseUrl,
    retrievedAt: source.retrievedAt,
  };
}

function pointFacts({ cell: { dataset, source, locator }, ...point }: Point): JsonObject {
  return {
    ...point,
    datasetSha256: dataset.sha256,
    source: source.id,
    sourceSha256: source.sha256,
    locator,
    license: source.license,
  };
}
