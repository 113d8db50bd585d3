/** brief.json (`svc.news.brief.v1`): a story for machines, its text with every citation, small enough to read whole. */
import type { JsonObject } from '../../../shim/core/types.ts';
import type { Citation } from '../citation.ts';
import { citeStory, type CiteBlock, type CitedRecord } from '../cite.ts';
import type { Edition } from '../edition.ts';
import { prettyJsonArtifact, type Artifact } from '../../lib/tree.ts';
import { FEED_JSON, storyFileUrl, storyPath, storyUrl, storyUrn } from './addresses.ts';
import { absolute } from '../../../shim/core/paths.ts';

/** What every story promises, carried by brief and dossier. */
export const STORY_BOUNDARIES = [
  'Every number is the value of a packaged record, printed exactly as the record has it; null is unavailable and never zero.',
  'A story states what records show and what they cannot show; it claims no cause and no guilt, and ranks no person.',
  'Reported quantities and modelled estimates stay apart; units are never converted or summed.',
];

/** Renders the brief of a story. */
export function renderBrief(edition: Edition, siteUrl: string): Artifact {
  const { blocks, citations } = edition;
  return prettyJsonArtifact(storyPath(edition.id, 'brief.json'), {
    schema: 'svc.news.brief.v1',
    ...headOf(edition, siteUrl),
    paragraphs: blocks.flatMap((block) =>
      block.kind === 'paragraph' || block.kind === 'synthesis'
        ? [
            {
              kind: block.kind,
              section: block.section,
              text: block.sentences.map(({ text }) => text).join(' '),
              citations: [...new Set(block.sentences.flatMap((sentence) => sentence.citations))],
            },
          ]
        : [],
    ),
    citations: citations.map(citationFacts),
    boundaries: STORY_BOUNDARIES,
    cite: storyCite(edition, siteUrl),
  });
}

/** What brief and dossier begin with. */
export function headOf(edition: Edition, siteUrl: string): JsonObject {
  const { id, title, summary, published, updated, corrections, changes } = edition;
  return {
    id: storyUrn(id),
    story: id,
    url: storyUrl(siteUrl, id),
    title: title.text,
    summary: summary.text,
    published,
    updated,
    citedDataChanged: changes.length > 0,
    changes: changes.map(({ place, token }) => ({
      place,
      dataset: token.dataset,
      recordId: token.recordId,
      field: token.field,
    })),
    corrections: corrections.map(({ date, passage }) => ({ date, text: passage.text })),
    links: {
      story: storyUrl(siteUrl, id),
      brief: storyFileUrl(siteUrl, id, 'brief.json'),
      dossier: storyFileUrl(siteUrl, id, 'dossier.json'),
      data: storyFileUrl(siteUrl, id, 'data.csv'),
      bibtex: storyFileUrl(siteUrl, id, 'cite.bib'),
      csl: storyFileUrl(siteUrl, id, 'cite.json'),
      feed: absolute(siteUrl, FEED_JSON),
    },
  };
}

/** A citation with all that a check needs: cell, value, hashes, locator, licence. */
export function citationFacts(citation: Citation): JsonObject {
  const { number, dataset, recordId, field, value, printed, unit, status, source, locator } = citation;
  return {
    number,
    dataset,
    recordId,
    field,
    value,
    printed,
    unit,
    status,
    datasetPath: `/${citation.datasetPath}`,
    datasetSha256: citation.datasetSha256,
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

/** The records a story cites in its text, each once. */
export function citedRecords({ citations }: Edition): CitedRecord[] {
  const records = new Map<string, CitedRecord>();
  for (const { dataset, recordId, datasetSha256, source, locator } of citations)
    records.set(`${dataset}:${recordId}`, { dataset, recordId, datasetSha256, source, locator });
  return [...records.values()];
}

/** How to cite the story itself. */
export function storyCite(edition: Edition, siteUrl: string): CiteBlock & JsonObject {
  const { id, title, published } = edition;
  const { text, bibtex, csl } = citeStory({
    id,
    title: title.text,
    url: storyUrl(siteUrl, id),
    published,
    records: citedRecords(edition),
  });
  return { text, bibtex, csl };
}
