/**
 * The citation gate. A story is printed only when every number in it comes out of a packaged cell and its words stay inside
 * what a record can say. Every finding names the story, the sentence, its line and its rule; all are collected.
 */
import type { Finding } from '../findings.ts';
import { cellOf, laneOf, resolve, type Citation, type CitedDataset } from '../newsroom/citation.ts';
import { prohibitedJoin } from '../newsroom/lanes.ts';
import {
  chartsOf,
  paragraphsOf,
  passagesOf,
  type Paragraph,
  type Passage,
  type Story,
  type Token,
} from '../newsroom/story.ts';
import { chartProblems } from './citation-charts.ts';
import { PASSAGE_RULES } from './citation-passages.ts';

/** A story that may be printed: its citations by token, and where a cited cell is no longer what was reviewed. */
export interface CheckedStory {
  story: Story;
  citations: Map<string, Citation>;
  changes: Change[];
}

/** A cited cell that changed since the story was last reviewed. The former value is for the editor, never for print. */
export interface Change {
  place: string;
  line: number;
  token: Token;
  reviewed: string;
  now: string;
}

/** Checks every story; the findings are empty when all may be printed. */
export function checkStories(
  stories: Story[],
  datasets: Map<string, CitedDataset>,
): { checked: CheckedStory[]; findings: Finding[] } {
  const results = stories.map((story) => checkStory(story, datasets));
  const findings = results.flatMap((result) => result.findings);
  return { checked: results.map(({ checked }) => checked), findings };
}

function checkStory(
  story: Story,
  datasets: Map<string, CitedDataset>,
): { checked: CheckedStory; findings: Finding[] } {
  const findings: Finding[] = [];
  const report = (line: number, rule: string, message: string): void => {
    findings.push({ file: story.file, row: line, rule, message: `story ${story.id}, ${message}` });
  };
  const reportPassage = ({ place, line, text }: Passage, rule: string, message: string): void => {
    report(line, rule, `${place} ${JSON.stringify(shortened(text))}: ${message}`);
  };

  for (const [rule, message] of matterProblems(story)) report(1, rule, `front matter: ${message}`);
  const citations = new Map<string, Citation>();
  for (const passage of passagesOf(story)) {
    for (const { name, test } of PASSAGE_RULES) {
      const message = test(passage.text);
      if (message !== null) reportPassage(passage, name, message);
    }
    for (const token of passage.tokens) {
      if (citations.has(token.raw)) continue;
      const resolved = resolve(token, citations.size + 1, datasets);
      if ('rule' in resolved) reportPassage(passage, resolved.rule, resolved.message);
      else citations.set(token.raw, resolved);
    }
  }
  for (const paragraph of paragraphsOf(story)) checkParagraph(paragraph, citations, reportPassage);
  for (const chart of chartsOf(story))
    for (const { line, message } of chartProblems(chart, datasets))
      report(line, 'chart', `chart: ${message}`);
  checkLanes(story, datasets, report);
  return { checked: { story, citations, changes: changesOf(story, citations, datasets) }, findings };
}

/** `checkParagraph` holds what only a whole paragraph can break. */
function checkParagraph(
  { kind, sentences }: Paragraph,
  citations: Map<string, Citation>,
  report: (passage: Passage, rule: string, message: string) => void,
): void {
  const [first] = sentences;
  if (!first) return;
  const tokens = sentences.flatMap((sentence) => sentence.tokens);
  const cited = tokens.flatMap(({ raw }) => citations.get(raw) ?? []);
  if (tokens.length === 0)
    report(
      first,
      'uncited-paragraph',
      'the paragraph cites nothing; each names at least one packaged record',
    );
  if (cited.length < tokens.length) return;
  const sets = distinct(cited.map(({ dataset }) => dataset));
  const publishers = distinct(cited.map(({ source }) => publisherOf(source.publisher)));
  if (kind === 'paragraph' && sets.length > 1)
    report(
      first,
      'synthesis-unmarked',
      `the paragraph draws on ${sets.join(' and ')} together: begin it with "synthesis:" or part it`,
    );
  if (kind === 'synthesis' && publishers.length < 2)
    report(
      first,
      'synthesis-single-publisher',
      `a synthesis needs at least two independent publishers, and this one rests on ${publishers.join(' and ') || 'none'}`,
    );
}

/** Lanes that must not meet in a story, and persons no story singles out. The finding names the sentence that brings the second lane in. */
function checkLanes(
  story: Story,
  datasets: Map<string, CitedDataset>,
  report: (line: number, rule: string, message: string) => void,
): void {
  const lanes = new Set<string>();
  let joined = false;
  const cited = [
    ...passagesOf(story).flatMap(({ tokens, place, line, text }) =>
      tokens.map((token) => ({ token, line, place: `${place} ${JSON.stringify(shortened(text))}` })),
    ),
    ...chartsOf(story).flatMap(({ points }) => points.map((point) => ({ ...point, place: 'chart' }))),
  ];
  for (const { token, line, place } of cited) {
    const cell = cellOf(token, datasets);
    if ('rule' in cell) continue;
    if (cell.record['entity_type'] === 'individual')
      report(line, 'person', `${place}: ${token.raw} is a natural person; no story singles one out`);
    lanes.add(laneOf(cell.record, cell.dataset.descriptor));
    const why = prohibitedJoin(lanes);
    if (why !== null && !joined) report(line, 'prohibited-join', `${place}: ${token.raw}: ${why}`);
    joined ||= why !== null;
  }
}

function changesOf(
  story: Story,
  citations: Map<string, Citation>,
  datasets: Map<string, CitedDataset>,
): Change[] {
  const cited = [
    ...passagesOf(story).flatMap(({ place, line, tokens }) =>
      tokens.map((token) => ({ place, line, token })),
    ),
    ...chartsOf(story).flatMap(({ points, title: { place } }) =>
      points.flatMap(({ token, line }) => drawnTokens(token).map((drawn) => ({ place, line, token: drawn }))),
    ),
  ];
  return cited.flatMap(({ place, line, token }) => {
    const reviewed = story.reviewed.get(token.raw);
    const now = citations.get(token.raw)?.printed ?? presentValue(token, datasets);
    return reviewed === undefined || reviewed === now ? [] : [{ place, line, token, reviewed, now }];
  });
}

/** A bar draws its value and, where the record has them, its bounds. */
function drawnTokens(token: Token): Token[] {
  if (token.field !== 'value') return [token];
  return ['value', 'lower', 'upper'].map((field) => ({
    ...token,
    field,
    raw: token.raw.replace(/#value\}\}$/, `#${field}}}`),
  }));
}

function presentValue(token: Token, datasets: Map<string, CitedDataset>): string {
  const cell = cellOf(token, datasets);
  return 'rule' in cell || cell.value === null ? 'unavailable' : String(cell.value);
}

function matterProblems({
  id,
  file,
  published,
  updated,
  title,
  summary,
  corrections,
}: Story): [string, string][] {
  const problems: [string, string][] = [];
  const name = file.slice(file.lastIndexOf('/') + 1, -'.md'.length);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id !== name)
    problems.push(['story-id', `id "${id}" must be the file's name, in small letters and hyphens`]);
  for (const [key, value] of [
    ['published', published],
    ['updated', updated],
    ...corrections.map(({ date }, position) => [`date of correction ${position + 1}`, date] as const),
  ] as const)
    if (!isDay(value)) problems.push(['story-date', `${key} must be a day YYYY-MM-DD, not "${value}"`]);
  if (updated < published) problems.push(['story-date', 'updated must not lie before published']);
  for (const { place, text } of [title, summary, ...corrections.map(({ passage }) => passage)])
    if (text === '') problems.push(['story-text', `${place} is missing`]);
  return problems;
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

/** Publishers count as one when only letter case, brackets or an acronym differ. */
function publisherOf(name: string): string {
  return name
    .replaceAll(/\([^)]*\)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function distinct(values: string[]): string[] {
  return [...new Set(values)];
}

function shortened(text: string): string {
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}
