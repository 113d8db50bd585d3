/** Everything under /news: pages, briefs, dossiers, chart data, cite files, feeds, and the stylesheet they share. */
import type { CheckedStory } from '../gate/gate.ts';
import { byCodeUnits } from '../../lib/dataset.ts';
import { citeRecord } from '../cite.ts';
import type { CitedDataset } from '../citation.ts';
import { editionOf, type Edition } from '../edition.ts';
import { prettyJsonArtifact, textArtifact, type Artifact } from '../../lib/tree.ts';
import { storyPath } from './addresses.ts';
import { citedRecords, renderBrief, storyCite } from './brief.ts';
import { renderChartData } from './chart-data.ts';
import { heldToSchemas } from './contract.ts';
import { renderDossier } from './dossier.ts';
import { renderJsonFeed } from './feed-json.ts';
import { renderRssFeed } from './feed-rss.ts';
import { renderNewsIndex } from './index-page.ts';
import { renderStoryPage } from './story-page.ts';

/** Renders the newsroom of checked stories. */
export function renderNewsroom(
  checked: CheckedStory[],
  datasets: Map<string, CitedDataset>,
  siteUrl: string,
): Artifact[] {
  const editions = checked
    .map((story) => editionOf(story, datasets))
    .sort((a, b) => byCodeUnits(b.published, a.published) || byCodeUnits(a.id, b.id));
  return [
    ...editions.flatMap((edition) => heldToSchemas(edition.id, storyArtifacts(edition, siteUrl))),
    renderNewsIndex(editions, siteUrl),
    renderJsonFeed(editions, siteUrl),
    renderRssFeed(editions, siteUrl),
  ];
}

/** What the build says of stories whose cited cells changed since review: one line a sentence, with what to do. */
export function changeLines(checked: CheckedStory[]): string[] {
  return checked.flatMap(({ story, changes }) =>
    changes.map(
      ({ place, line, token, reviewed, now }) =>
        `${story.file}:${line}: story ${story.id}, ${place}: ${token.raw} was ${reviewed} when reviewed and is now ${now}; the story is flagged. Read it again, then: npm run verify-story -- ${story.id} --accept`,
    ),
  );
}

/** The files of one story. */
export function storyArtifacts(edition: Edition, siteUrl: string): Artifact[] {
  const cites = [storyCite(edition, siteUrl), ...citedRecords(edition).map(citeRecord)];
  return [
    renderStoryPage(edition, siteUrl),
    renderBrief(edition, siteUrl),
    renderDossier(edition, siteUrl),
    renderChartData(edition),
    textArtifact(storyPath(edition.id, 'cite.bib'), cites.map(({ bibtex }) => bibtex).join('\n')),
    prettyJsonArtifact(
      storyPath(edition.id, 'cite.json'),
      cites.map(({ csl }) => csl),
    ),
  ];
}
