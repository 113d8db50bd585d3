/**
 * dossier.json (`svc.news.dossier.v1`): everything needed to check a story again from a mirror's files alone. Each passage
 * carries the template it was printed from; each record stands here whole, with how to cite it.
 */
import type { JsonObject } from '../../../shim/core/types.ts';
import { citeRecord } from '../cite.ts';
import type { Edition, Point, PrintedPassage } from '../edition.ts';
import { prettyJsonArtifact, type Artifact } from '../../lib/tree.ts';
import { storyPath } from './addresses.ts';
import { citationFacts, citedRecords, headOf, STORY_BOUNDARIES, storyCite } from './brief.ts';

/** Renders the dossier of a story. */
export function renderDossier(edition: Edition, siteUrl: string): Artifact {
  const recordOf = new Map(
    edition.citations.map(({ dataset, recordId, record }) => [`${dataset}:${recordId}`, record]),
  );
  return prettyJsonArtifact(storyPath(edition.id, 'dossier.json'), {
    schema: 'svc.news.dossier.v1',
    ...headOf(edition, siteUrl),
    passages: printedPassages(edition).map(({ place, template, text, citations }) => ({
      place,
      template,
      text,
      citations,
    })),
    citations: edition.citations.map(citationFacts),
    charts: edition.blocks.flatMap((block) =>
      block.kind === 'chart' ? [{ title: block.title.text, points: block.points.map(pointFacts) }] : [],
    ),
    records: citedRecords(edition).map((cited) => ({
      dataset: cited.dataset,
      recordId: cited.recordId,
      record: recordOf.get(`${cited.dataset}:${cited.recordId}`) ?? null,
      cite: { ...citeRecord(cited) },
    })),
    limitations: edition.limitations,
    boundaries: STORY_BOUNDARIES,
    cite: storyCite(edition, siteUrl),
  });
}

/** Every printed passage in reading order. */
export function printedPassages({ title, summary, blocks, corrections }: Edition): PrintedPassage[] {
  return [
    title,
    summary,
    ...blocks.flatMap((block) =>
      block.kind === 'heading' ? [block.passage] : block.kind === 'chart' ? [block.title] : block.sentences,
    ),
    ...corrections.map(({ passage }) => passage),
  ];
}

function pointFacts({ token, source, ...point }: Point): JsonObject {
  return {
    dataset: token.dataset,
    recordId: token.recordId,
    field: token.field,
    label: point.label,
    series: point.series,
    value: point.value,
    lower: point.lower,
    upper: point.upper,
    unit: point.unit,
    status: point.status,
    unavailableReason: point.reason,
    datasetSha256: point.datasetSha256,
    source: source.id,
    sourceSha256: source.sha256,
    locator: point.locator,
    license: source.license,
  };
}
