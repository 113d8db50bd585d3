/** Rules of the citation gate over a whole story: its frame, its paragraphs, its charts and the lanes that meet in it. */
import { memberAt } from '../../../shim/core/json.ts';
import { isCalendarDate } from '../../lib/clock.ts';
import { foldSpace } from '../../lib/text.ts';
import { plainMarkdown } from '../markdown.ts';
import {
  chartsOf,
  citedTokens,
  isStoryId,
  paragraphsOf,
  passagesOf,
  type Chart,
  type Story,
} from '../story.ts';
import type { CheckedStory, ReportAt } from '../citation.ts';
import { PROHIBITED_JOINS } from '../../../shim/core/joins.ts';

/** The rules over a story. */
export const STORY_RULES: ((story: CheckedStory, report: ReportAt) => void)[] = [
  checkFrame,
  checkCitations,
  (story, report) => chartsOf(story).forEach((chart) => checkChart(chart, story, report)),
  checkLanes,
];

/** The front matter, and what no story can be without: words in every place, a cited paragraph. */
function checkFrame(story: Story, report: ReportAt): void {
  const { id, name, published, updated, corrections } = story;
  if (!isStoryId(id) || id !== name)
    report(1, 'story-id', `front matter: id "${id}" must be the file's name, in small letters and hyphens`);
  const days: [key: string, day: string][] = [
    ['published', published],
    ['updated', updated],
    ...corrections.map(({ date }, at): [string, string] => [`date of correction ${at + 1}`, date]),
  ];
  for (const [key, day] of days)
    if (day.length !== 10 || !isCalendarDate(day))
      report(1, 'story-date', `front matter: ${key} must be a valid date YYYY-MM-DD, not "${day}"`);
  if (updated < published) report(1, 'story-date', 'front matter: updated must not be before published');
  for (const { place, text } of passagesOf(story))
    if (plainMarkdown(text).trim() === '') report(1, 'story-text', `${place} is missing`);
  if (paragraphsOf(story).length === 0)
    report(1, 'story-text', 'a story needs a paragraph that cites a packaged record');
}

/**
 * Each paragraph cites records; only one marked as synthesis draws on several datasets, and it needs several publishers. Title,
 * summary, headings, chart titles and corrections cannot be marked, so each cites one dataset.
 */
function checkCitations(story: CheckedStory, report: ReportAt): void {
  const paragraphs = paragraphsOf(story);
  const sentences = new Set(paragraphs.flatMap((paragraph) => paragraph.sentences));
  const others = passagesOf(story)
    .filter((passage) => !sentences.has(passage))
    .map((passage) => ({ kind: 'heading', sentences: [passage] }));
  for (const { kind, sentences: passages } of [...paragraphs, ...others]) {
    const [first] = passages;
    if (!first) continue;
    const tokens = passages.flatMap((passage) => passage.tokens);
    const sets = new Set(tokens.map(({ dataset }) => dataset));
    const cited = tokens.flatMap(({ raw }) => story.citations.get(raw) ?? []);
    const publishers = new Set(cited.map(({ cell }) => publisherOf(cell.source.publisher)));
    if (kind !== 'heading' && tokens.length === 0)
      report(first, 'uncited-paragraph', 'the paragraph cites no packaged record; it must cite one or more');
    if (kind !== 'synthesis' && sets.size > 1)
      report(
        first,
        'synthesis-unmarked',
        `it combines ${[...sets].join(' and ')}, which only a paragraph that begins with "synthesis:" may do`,
      );
    if (kind === 'synthesis' && cited.length === tokens.length && publishers.size < 2)
      report(
        first,
        'synthesis-single-publisher',
        `a synthesis needs two or more independent publishers; this one has ${[...publishers].join(' and ') || 'none'}`,
      );
  }
}

/** Publishers count as one when only letter case, brackets or an acronym differ. */
function publisherOf(name: string): string {
  return foldSpace(name.replaceAll(/\([^)]*\)/g, ' ')).toLowerCase();
}

/** Marks of one dataset and one unit, each a cell that can be drawn or is shown as unavailable. */
function checkChart(
  { line, points, label, series }: Chart,
  { cells }: CheckedStory,
  reportAt: ReportAt,
): void {
  const report = (at: number, message: string): void => reportAt(at, 'chart', `chart: ${message}`);
  if (points.length === 0) report(line, 'a chart needs at least one mark');
  const units = new Set<string>();
  const sets = new Set<string>();
  for (const { token, line: at } of points) {
    const { record, value } = cells.get(token.raw) ?? {};
    if (!record) continue;
    if (value !== null && typeof value !== 'number') report(at, `${token.raw} is not a number`);
    for (const field of series === null ? [label] : [label, series])
      if (field !== 'field' && typeof (memberAt(record, field) ?? null) === 'object')
        report(at, `${token.raw}: its record has no field "${field}" to name the mark`);
    sets.add(token.dataset);
    units.add(typeof record['unit'] === 'string' ? record['unit'] : token.dataset);
  }
  if (sets.size > 1) report(line, `a chart uses one dataset, not ${[...sets].join(', ')}`);
  else if (units.size > 1)
    report(line, `a chart has one unit; units are never converted (${[...units].join(', ')})`);
}

/**
 * Lanes that must not meet in a story (the markets of indicators, the domains of the atlas, and `designations`), cited or in
 * words, reported where the second one comes in; and persons, whom no story singles out.
 */
function checkLanes(story: CheckedStory, report: ReportAt): void {
  const lanes = new Set<string>();
  let joined = false;
  for (const { token, at } of citedTokens(story)) {
    const cell = story.cells.get(token.raw);
    if (!cell) continue;
    if (cell.record['entity_type'] === 'individual')
      report(at, 'person', `${token.raw} is a natural person; no story singles one out`);
    lanes.add(cell.lane);
    if (joined) continue;
    const message = prohibited(lanes);
    if (message === null) continue;
    report(at, 'prohibited-join', `${token.raw}: ${message}`);
    joined = true;
  }
  const all = new Set([...lanes, ...story.spoken.map(({ lane }) => lane)]);
  for (const { lane, word, at } of story.spoken) {
    const message = lanes.has(lane) ? null : prohibited(all, lane);
    if (message !== null) report(at, 'prohibited-join', `"${word}": ${message}`);
  }
}

/** A message about two of these lanes (`one` of them, where given) that must not meet; null where all may. */
function prohibited(lanes: ReadonlySet<string>, one?: string): string | null {
  for (const { lane, others, why } of PROHIBITED_JOINS) {
    const other = others.find(
      (name) => lanes.has(lane) && lanes.has(name) && (one === undefined || [lane, name].includes(one)),
    );
    if (other !== undefined) return `lanes ${lane} and ${other} must not meet in a story: ${why}`;
  }
  return null;
}
