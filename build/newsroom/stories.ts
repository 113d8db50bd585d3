/**
 * The newsroom of a build: every story, past the citation gate, and the lists of all. A story is printed again only where its
 * text, its reviewed values, a dataset that it cites or a list of designations differs from those of every cached build.
 */
import type { MissingDataset } from '../../shim/core/types.ts';
import { addTaken, asJson } from '../lib/cache.ts';
import { byCodeUnits } from '../lib/dataset.ts';
import type { BuildEffects } from '../lib/effects.ts';
import { BuildStopped, type Finding } from '../lib/findings.ts';
import type { Tree } from '../lib/tree.ts';
import { citable, datasetNamed, type CitedDataset } from './citation.ts';
import { loadStories } from './load.ts';
import type { StoryHead } from './printed.ts';
import { renderLists } from './render/lists.ts';
import { printStory, type PrintedStory } from './render/newsroom.ts';
import { citedTokens, type Story } from './story.ts';

/** What a build's stories are made of. */
interface Newsroom {
  /** The folder of all datasets, which has the stories. */
  datasets: string;
  siteUrl: string;
  cited: ReadonlyMap<string, CitedDataset>;
  leftOut: readonly MissingDataset[];
}

/** Adds every story and the lists, which name those that cite a dataset that was left out; returns the heads, newest first. Throws BuildStopped with all findings. */
export async function addStories(
  tree: Tree,
  newsroom: Newsroom,
  effects: BuildEffects,
): Promise<StoryHead[]> {
  effects.progress('checking stories');
  const { stories, findings } = loadStories(newsroom.datasets, effects);
  const { kept, missing } = citable(stories, newsroom.leftOut);
  const printed = (await printedStories(tree, kept, newsroom, effects, findings)).sort(
    ({ head: a }, { head: b }) => byCodeUnits(b.published, a.published) || byCodeUnits(a.story, b.story),
  );
  for (const { id, reason } of missing) effects.progress(`story ${id}: ${reason}`);
  for (const line of printed.flatMap(({ changed }) => changed)) effects.progress(line);
  tree.add(renderLists(printed, newsroom.siteUrl, missing));
  return printed.map(({ head }) => head);
}

/** What lists and the build itself say about a printed story. */
type Facts = Omit<PrintedStory, 'files'>;

/** Adds the files of stories: those of an earlier build, or printed now. `findings` are those of reading the stories. */
async function printedStories(
  tree: Tree,
  stories: readonly Story[],
  { cited, siteUrl }: Newsroom,
  { cache }: BuildEffects,
  findings: readonly Finding[],
): Promise<Facts[]> {
  const lists = [...new Set(cited.values())].filter(({ document }) => document.kind === 'entities');
  const keyOf = (story: Story): string => {
    const names = new Set(citedTokens(story).map(({ token }) => datasetNamed(token)));
    const read = [...lists, ...[...names].map((name) => cited.get(name))];
    const written = [story.file, story.source, [...story.reviewed]];
    const rests = read.map((dataset) => dataset && [dataset.sha256, dataset.document]);
    return cache.key('story', siteUrl, JSON.stringify([written, rests]));
  };
  const facts: Facts[] = [];
  const keysToPrint = new Map<Story['name'], string>();
  for (const story of stories) {
    const key = keyOf(story);
    const known = addTaken(tree, cache, key);
    // The border: what was kept under this key are the facts of the story.
    if (known) facts.push(known.facts as unknown as Facts);
    else keysToPrint.set(story.name, key);
  }
  const toPrint = stories.filter(({ name }) => keysToPrint.has(name));
  // Most builds have none, and the lists of the gate take a while to read.
  const check = toPrint.length > 0 ? (await import('./gate/gate.ts')).checkStories : null;
  const { checked, findings: refused } = check?.(toPrint, cited) ?? { checked: [], findings: [] };
  const all = [...findings, ...refused];
  if (all.length > 0) throw new BuildStopped(all);
  for (const story of checked) {
    const { files, ...printed } = printStory(story, siteUrl);
    cache.keep(keysToPrint.get(story.name) ?? '', files, asJson(printed));
    tree.add(files);
    facts.push(printed);
  }
  return facts;
}
