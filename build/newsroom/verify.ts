/**
 * `npm run verify-story`: checks a story from the files of a published site alone. Its source passes the citation gate again
 * over the packaged records, is printed again, and must give every published file of the story, byte for byte.
 */
import dossierSchema from '../../schemas/news-dossier.schema.json' with { type: 'json' };
import { UsageError } from '../lib/command-line.ts';
import { csvText } from '../../shim/core/csv.ts';
import { findingLine, type Finding } from '../lib/findings.ts';
import { replaceFile } from '../lib/replace-file.ts';
import { sourceAt, type ReleaseSource } from '../release/source.ts';
import { checkStories } from './gate/gate.ts';
import type { CheckedStory } from './citation.ts';
import { readStory, reviewedFile } from './load.ts';
import { counted } from '../../shim/view/words.ts';
import { openPublished, type Published, type Report } from './published.ts';
import { hasEntry, listedStory, renderLists } from './render/lists.ts';
import { storyArtifacts } from './render/newsroom.ts';
import type { StoryHead } from './printed.ts';
import { isStoryId, marksOf, NEWSROOM, storyPath, tokenOf, tokensOf } from './story.ts';

/**
 * Checks a story of the site `base` and prints one line per finding; with `accept`, a story without any is recorded as reviewed in the
 * folder `datasets`. Exit code 0 without findings, 1 with. Throws UsageError.
 */
export async function verifyStory(
  id: string,
  { base, accept = false, datasets }: { base: string; accept?: boolean; datasets: string },
): Promise<number> {
  const source = sourceAt(base);
  if (!source)
    throw new UsageError(`Invalid value "${base}" for --base: expected a folder or an http(s) address.`);
  const { findings, story } = await checkStory(id, source);
  // One line each, whatever a hostile mirror wrote into it.
  for (const finding of findings) console.log(finding.replaceAll(/\p{Cc}/gu, '?'));
  if (!story || findings.length > 0) {
    console.error(`${id}: ${counted(findings.length, 'finding')} in ${base}`);
    return 1;
  }
  console.log(`${id}: all files match the records of ${base}`);
  if (accept) {
    const file = reviewedFile(`${datasets}/${NEWSROOM}`, id);
    const values = reviewFile(story);
    replaceFile(file, values);
    console.log(`${file}: ${values.split('\n').length - 1} values accepted as reviewed`);
  }
  return 0;
}

/** Checks the story `id` of a published site; `story` is null where it could not be printed again. */
export async function checkStory(
  id: string,
  source: ReleaseSource,
): Promise<{ findings: string[]; story: CheckedStory | null }> {
  const findings: string[] = [];
  const report: Report = (file, message) => findings.push(`${file}: ${message}`);
  if (!isStoryId(id)) {
    report(id, 'is not the id of a story');
    return { findings, story: null };
  }
  const published = await openPublished(source, report);
  const file = storyPath(id, 'dossier.json');
  const dossier = await published.document<PublishedDossier>(file, dossierSchema);
  if (!dossier) return { findings, story: null };
  const story = await checkSource(id, dossier, published, findings);
  if (!story) return { findings, story };
  const end = `/${storyPath(id, '')}`;
  if (!dossier.url.endsWith(end)) report(file, `url ${JSON.stringify(dossier.url)} is not the story's`);
  const siteUrl = dossier.url.slice(0, -end.length);
  for (const { path, bytes } of storyArtifacts(story, siteUrl)) {
    const found = await published.bytes(path);
    if (found && !found.equals(bytes))
      report(path, firstDifference(String(found), Buffer.from(bytes).toString()));
  }
  for (const { path, bytes } of renderLists([listedStory(story, siteUrl)], siteUrl)) {
    const found = await published.bytes(path);
    if (found && !hasEntry(String(found), Buffer.from(bytes).toString(), path, id))
      report(path, 'its entry for the story does not match the records');
  }
  return { findings, story };
}

/** The review file of a story: the present value of every cell it cites or draws, without bounds that the record lacks. */
export function reviewFile(story: CheckedStory): string {
  const marks = marksOf(story);
  const cells = [...story.cells].filter(([raw, { value }]) => value !== null || marks.has(raw));
  return csvText(cells.map(([raw, { value }]) => [raw, String(value ?? 'unavailable')]));
}

/** What a check takes from the dossier, because neither the address nor the changes since review follow from the records. */
type PublishedDossier = Pick<StoryHead, 'url' | 'changes'>;

/** Checks the published source of a story as the build did; null where something is wrong or missing. */
async function checkSource(
  id: string,
  { changes }: PublishedDossier,
  published: Published,
  findings: string[],
): Promise<CheckedStory | null> {
  const file = storyPath(id, 'story.md');
  const source = String((await published.bytes(file)) ?? '');
  const datasets = await published.datasets(new Set(tokensOf(source).map(({ dataset }) => dataset)));
  if (source === '' || !datasets) return null;
  // Reviewed values are not published: an empty one, which no cell has, marks exactly the cells that changed.
  const changed = changes.map(({ dataset, recordId, field }) => tokenOf(dataset, recordId, field).raw);
  const reviewed = new Map(changed.map((raw) => [raw, '']));
  const found: Finding[] = [];
  const story = readStory({ file, name: id, source, reviewed }, found);
  const { checked, findings: more } = checkStories([story], datasets);
  findings.push(...[...found, ...more].map(findingLine));
  return findings.length > 0 ? null : (checked[0] ?? null);
}

/** The first line of a published file that does not match the records, cut to the part that differs. */
function firstDifference(published: string, rendered: string): string {
  const [has, wants] = [published.split('\n'), rendered.split('\n')];
  const differ = (a: ArrayLike<string>, b: ArrayLike<string>): number => {
    let at = 0;
    while (at < a.length && a[at] === b[at]) at += 1;
    return at;
  };
  const at = differ(has, wants);
  const [found = '', expected = ''] = [has[at], wants[at]];
  const column = differ(found, expected);
  const shown = (text: string): string => JSON.stringify(text.slice(Math.max(0, column - 20), column + 100));
  return `line ${at + 1}: found ${shown(found)}, expected ${shown(expected)} from the records`;
}
