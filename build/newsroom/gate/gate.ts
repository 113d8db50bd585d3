/**
 * The citation gate. A story is printed only when every number in it comes out of a packaged cell and its words stay inside
 * what a record can say. Every finding names the story, the sentence, its line and its rule; all are collected.
 */
import type { Finding } from '../../lib/findings.ts';
import { cellOf, resolve, type Citation, type CitedDataset } from '../citation.ts';
import { individualFinder, type FindIndividual } from './individuals.ts';
import { filledText } from '../edition.ts';
import {
  chartsOf,
  paragraphsOf,
  passagesOf,
  singlePassagesOf,
  type Passage,
  type Story,
  type Token,
} from '../story.ts';
import { CELL } from './words.ts';
import { chartProblems } from './charts.ts';
import { checkLanes } from './lanes.ts';
import { matterProblems } from './matter.ts';
import { neighbourProblem } from './neighbours.ts';
import { checkParagraph, checkSinglePassage, shortened } from './paragraphs.ts';
import { PASSAGE_RULES } from './passages.ts';

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
  const individual = individualFinder([...datasets.values()].flatMap(({ individuals }) => individuals()));
  const results = stories.map((story) => checkStory(story, datasets, individual));
  const findings = results.flatMap((result) => result.findings);
  return { checked: results.map(({ checked }) => checked), findings };
}

function checkStory(
  story: Story,
  datasets: Map<string, CitedDataset>,
  individual: FindIndividual,
): { checked: CheckedStory; findings: Finding[] } {
  const findings: Finding[] = [];
  const report = (line: number, rule: string, message: string): void => {
    findings.push({ file: story.file, row: line, rule, message: `story ${story.id}, ${message}` });
  };
  const reportPassage = ({ place, line, text }: Passage, rule: string, message: string): void => {
    report(line, rule, `${place} ${JSON.stringify(shortened(text))}: ${message}`);
  };

  for (const [rule, message] of matterProblems(story)) report(1, rule, message);
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
    const joined = neighbourProblem(passage, citations);
    if (joined !== null) reportPassage(passage, 'joined-token', joined);
    const name = individual(filledText(passage.text, (raw) => citations.get(raw)?.printed ?? CELL));
    if (name !== null)
      reportPassage(
        passage,
        'person',
        `"${name}" is the name of a designated individual; no story names one`,
      );
  }
  for (const paragraph of paragraphsOf(story)) checkParagraph(paragraph, citations, reportPassage);
  for (const passage of singlePassagesOf(story)) checkSinglePassage(passage, reportPassage);
  for (const chart of chartsOf(story))
    for (const { line, message } of chartProblems(chart, datasets))
      report(line, 'chart', `chart: ${message}`);
  checkLanes(story, datasets, report);
  return { checked: { story, citations, changes: changesOf(story, citations, datasets) }, findings };
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
