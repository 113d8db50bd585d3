/** The front matter of a story and what it cannot do without: dates, an id, words in every place, a cited paragraph. */
import { plainMarkdown } from '../markdown.ts';
import { paragraphsOf, passagesOf, type Story } from '../story.ts';

/** Problems of a story's frame, each with its rule. */
export function matterProblems(story: Story): [rule: string, message: string][] {
  const { id, file, published, updated, corrections } = story;
  const problems: [string, string][] = [];
  const name = file.slice(file.lastIndexOf('/') + 1, -'.md'.length);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id !== name)
    problems.push([
      'story-id',
      `front matter: id "${id}" must be the file's name, in small letters and hyphens`,
    ]);
  for (const [key, value] of [
    ['published', published],
    ['updated', updated],
    ...corrections.map(({ date }, position) => [`date of correction ${position + 1}`, date] as const),
  ] as const)
    if (!isDay(value))
      problems.push(['story-date', `front matter: ${key} must be a day YYYY-MM-DD, not "${value}"`]);
  if (updated < published)
    problems.push(['story-date', 'front matter: updated must not lie before published']);
  for (const { place, text } of passagesOf(story))
    if (plainMarkdown(text).trim() === '') problems.push(['story-text', `${place} is missing`]);
  if (!paragraphsOf(story).some(({ sentences }) => sentences.some(({ tokens }) => tokens.length > 0)))
    problems.push(['story-text', 'a story needs a paragraph that cites a packaged record']);
  return problems;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}
