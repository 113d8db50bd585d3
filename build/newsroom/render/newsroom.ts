/**
 * The published files of one story under /news: its page, its source, chart data, cite files and two
 * documents for machines. brief.json (`svc.news.brief.v1`) has the text with every citation, small enough to read whole.
 * dossier.json (`svc.news.dossier.v1`) also has each passage's template, and each cited record with how to cite it.
 */
import briefSchema from '../../../schemas/news-brief.schema.json' with { type: 'json' };
import dossierSchema from '../../../schemas/news-dossier.schema.json' with { type: 'json' };
import { validator } from '../../../shim/core/schema.ts';
import type { JsonObject } from '../../../shim/core/types.ts';
import { pick } from '../../lib/dataset.ts';
import { BuildStopped, type Finding } from '../../lib/findings.ts';
import { prettyJsonArtifact, textArtifact, type Artifact } from '../../lib/tree.ts';
import type { CheckedStory, Citation } from '../citation.ts';
import { citeCited, citedRecords, citeStory } from '../cite.ts';
import { headOf, limitationsOf, numbersIn, pointsOf, textOf } from '../printed.ts';
import { chartsOf, passagesOf, storyPath } from '../story.ts';
import { renderChartData } from './chart.ts';
import { listedStory, type ListedStory } from './lists.ts';
import { renderStoryPage } from './page.ts';

/** What every story promises, carried by brief and dossier. */
const BOUNDARIES = [
  'Every number is the value of a packaged record, printed exactly as the record has it; null is unavailable and never zero.',
  'A story states what records show and what they cannot show; it claims no cause and no guilt, and ranks no person.',
  'Reported quantities and modelled estimates stay apart; units are never converted or summed.',
];

/** A story as the build publishes it. */
export interface PrintedStory extends ListedStory {
  files: Artifact[];
  /** One line for each sentence whose cited cells changed since review, with what to do. */
  changed: string[];
}

/** Prints a checked story. Throws BuildStopped where a document breaks its schema. */
export function printStory(story: CheckedStory, siteUrl: string): PrintedStory {
  const files = storyArtifacts(story, siteUrl);
  const findings = files.flatMap(schemaFindings);
  if (findings.length > 0) throw new BuildStopped(findings);
  return { ...listedStory(story, siteUrl), files, changed: changeLines(story) };
}

/** The files of one story. */
export function storyArtifacts(story: CheckedStory, siteUrl: string): Artifact[] {
  const cite = citeStory(story, siteUrl);
  const head = headOf(story, siteUrl);
  const citations = [...story.citations.values()].map(citationFacts);
  const records = citedRecords(story).map((citation) => {
    const { dataset, recordId, cell } = citation;
    return { dataset, recordId, record: cell.record, cite: citeCited(citation, siteUrl) };
  });
  const passages = passagesOf(story).map((passage) => ({
    place: passage.place,
    template: passage.text,
    text: textOf(story, passage),
    citations: numbersIn(story, passage),
  }));
  const charts = chartsOf(story).map((chart) => ({
    title: textOf(story, chart.title),
    points: pointsOf(story, chart),
  }));
  const limitations = limitationsOf(story);
  const paragraphs = paragraphsUnderHeadings(story);
  const boundaries = BOUNDARIES;
  const brief = { schema: 'svc.news.brief.v1', ...head, paragraphs, citations, boundaries, cite };
  const evidence = { passages, citations, charts, records, limitations, boundaries, cite };
  const dossier = { schema: 'svc.news.dossier.v1', ...head, ...evidence };
  const cites = [cite, ...records.map((record) => record.cite)];
  const items = cites.map(({ csl }) => csl);
  const path = (file: string): string => storyPath(story.id, file);
  return [
    textArtifact(path('story.md'), story.source),
    renderStoryPage(story, siteUrl),
    prettyJsonArtifact(path('brief.json'), brief),
    prettyJsonArtifact(path('dossier.json'), dossier),
    renderChartData(story),
    textArtifact(path('cite.bib'), cites.map(({ bibtex }) => bibtex).join('\n')),
    textArtifact(path('cite.ris'), cites.map(({ ris }) => ris).join('')),
    prettyJsonArtifact(path('cite.json'), items),
  ];
}

/** A citation with all that a check needs: cell, value, hashes, locator, licence. */
function citationFacts({ raw: _raw, cell, ...citation }: Citation): JsonObject {
  const { dataset, source, locator } = cell;
  return {
    ...citation,
    datasetPath: `/${dataset.path}`,
    datasetSha256: dataset.sha256,
    source: source.id,
    publisher: source.publisher,
    sourceUrl: source.url,
    sourceSha256: source.sha256,
    locator,
    ...pick(source, 'license', 'licenseUrl', 'retrievedAt'),
  };
}

function paragraphsUnderHeadings(story: CheckedStory): JsonObject[] {
  let section: string | null = null;
  return story.blocks.flatMap((block) => {
    if (block.kind === 'chart') return [];
    const { kind, sentences } = block;
    const text = sentences.map((sentence) => textOf(story, sentence)).join(' ');
    if (kind === 'heading') section = text;
    const citations = [...new Set(sentences.flatMap((sentence) => numbersIn(story, sentence)))];
    return kind === 'heading' ? [] : [{ kind, section, text, citations }];
  });
}

/** Where a brief or dossier breaks the schema it is published with; no findings for other files. */
function schemaFindings({ path, bytes }: Artifact): Finding[] {
  const schema = { 'brief.json': briefSchema, 'dossier.json': dossierSchema }[path.replace(/.*\//, '')];
  const violations = schema ? validator(schema)(JSON.parse(Buffer.from(bytes).toString())) : null;
  return (violations ?? []).map(({ instancePath, message = '' }) => ({
    file: path,
    row: null,
    rule: 'story-schema',
    message: `${instancePath || 'the document'} ${message}`,
  }));
}

function changeLines({ id, file, changes }: CheckedStory): string[] {
  return changes.map(
    ({ place, line, token, reviewed, now }) =>
      `${file}:${line}: story ${id}, ${place}: ${token.raw} was ${reviewed} when reviewed and is now ${now}; the story is flagged. Read it again, then: npm run verify-story -- ${id} --accept`,
  );
}
