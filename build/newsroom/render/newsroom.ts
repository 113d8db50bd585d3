/** Everything under /news: stories with their source, briefs, dossiers, chart data and cite files; the list and the feeds. */
import { byCodeUnits } from '../../lib/dataset.ts';
import { BuildStopped } from '../../lib/findings.ts';
import { prettyJsonArtifact, textArtifact, type Artifact } from '../../lib/tree.ts';
import type { CitedDataset } from '../citation.ts';
import { citedRecords, citeRecord, citeStory } from '../cite.ts';
import type { CheckedStory } from '../gate/gate.ts';
import { printStory, type PrintedStory } from '../printed-story.ts';
import { storyPath } from './addresses.ts';
import { renderChartData } from './chart-data.ts';
import { renderBrief, renderDossier, schemaFindings } from './documents.ts';
import { renderLists } from './lists.ts';
import { renderStoryPage } from './story-page.ts';

/** Renders the newsroom of checked stories. Throws BuildStopped where a document breaks its schema. */
export function renderNewsroom(
  checked: CheckedStory[],
  datasets: ReadonlyMap<string, CitedDataset>,
  siteUrl: string,
): Artifact[] {
  const stories = checked
    .map((story) => printStory(story, datasets))
    .sort((a, b) => byCodeUnits(b.published, a.published) || byCodeUnits(a.id, b.id));
  const artifacts = stories.flatMap((story) => storyArtifacts(story, siteUrl));
  const findings = artifacts.flatMap(schemaFindings);
  if (findings.length > 0) throw new BuildStopped(findings);
  return [...artifacts, ...renderLists(stories, siteUrl)];
}

/** The files of one story. */
export function storyArtifacts(story: PrintedStory, siteUrl: string): Artifact[] {
  const cites = [citeStory(story, siteUrl), ...citedRecords(story).map(citeRecord)];
  return [
    textArtifact(storyPath(story.id, 'story.md'), story.source),
    renderStoryPage(story, siteUrl),
    renderBrief(story, siteUrl),
    renderDossier(story, siteUrl),
    renderChartData(story),
    textArtifact(storyPath(story.id, 'cite.bib'), cites.map(({ bibtex }) => bibtex).join('\n')),
    prettyJsonArtifact(
      storyPath(story.id, 'cite.json'),
      cites.map(({ csl }) => csl),
    ),
  ];
}

/** What the build reports of stories whose cited cells changed since review: one line per sentence, with what to do. */
export function changeLines(checked: CheckedStory[]): string[] {
  return checked.flatMap(({ story, changes }) =>
    changes.map(
      ({ place, line, token, reviewed, now }) =>
        `${story.file}:${line}: story ${story.id}, ${place}: ${token.raw} was ${reviewed} when reviewed and is now ${now}; the story is flagged. Read it again, then: npm run verify-story -- ${story.id} --accept`,
    ),
  );
}
