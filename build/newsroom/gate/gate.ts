/**
 * The citation gate. A story is printed only when every number in it comes out of a packaged cell and its words stay inside
 * what a record can say. Every finding names the story, the sentence, its line and its rule; all are collected.
 */
import type { Finding } from '../../lib/findings.ts';
import { cellOf, citationOf, type Citation, type CitedDataset } from '../citation.ts';
import { filledText } from '../markdown.ts';
import { chartsOf, paragraphsOf, passagesOf, type Passage, type Story, type Token } from '../story.ts';
import { neighbourProblem } from './neighbours.ts';
import { PASSAGE_RULES } from './passages.ts';
import { individualFinder, type FindIndividual } from './persons.ts';
import { checkChart, checkFrame, checkLanes, checkParagraph, checkSinglePassages } from './structure.ts';
import { CELL } from './words.ts';

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

/** Takes a finding about a passage, or about a line that is in none. */
export type ReportAt = (at: Passage | number, rule: string, message: string) => void;

/** Checks every story; the findings are empty when all may be printed. */
export function checkStories(
  stories: Story[],
  datasets: Map<string, CitedDataset>,
): { checked: CheckedStory[]; findings: Finding[] } {
  const individual = individualFinder([...datasets.values()].flatMap(({ individuals }) => individuals()));
  const findings: Finding[] = [];
  const checked = stories.map((story) => {
    const report: ReportAt = (at, rule, message) => {
      const [line, place] =
        typeof at === 'number' ? [at, ''] : [at.line, `${at.place} ${JSON.stringify(shortened(at.text))}: `];
      findings.push({ file: story.file, row: line, rule, message: `story ${story.id}, ${place}${message}` });
    };
    return checkStory(story, datasets, individual, report);
  });
  return { checked, findings };
}

function checkStory(
  story: Story,
  datasets: Map<string, CitedDataset>,
  individual: FindIndividual,
  report: ReportAt,
): CheckedStory {
  checkFrame(story, report);
  const citations = new Map<string, Citation>();
  for (const passage of passagesOf(story)) {
    for (const { name, test } of PASSAGE_RULES) {
      const message = test(passage.text);
      if (message !== null) report(passage, name, message);
    }
    for (const token of passage.tokens) {
      if (citations.has(token.raw)) continue;
      const citation = citationOf(token, citations.size + 1, datasets);
      if ('rule' in citation) report(passage, citation.rule, citation.message);
      else citations.set(token.raw, citation);
    }
    const joined = neighbourProblem(passage, citations);
    if (joined !== null) report(passage, 'joined-token', joined);
    const name = individual(filledText(passage.text, (raw) => citations.get(raw)?.printed ?? CELL));
    if (name !== null)
      report(passage, 'person', `"${name}" is the name of a designated individual; no story names one`);
  }
  for (const paragraph of paragraphsOf(story)) checkParagraph(paragraph, citations, report);
  checkSinglePassages(story, report);
  for (const chart of chartsOf(story)) checkChart(chart, datasets, report);
  checkLanes(story, datasets, report);
  return { story, citations, changes: changesOf(story, datasets) };
}

function changesOf(story: Story, datasets: Map<string, CitedDataset>): Change[] {
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
    if (reviewed === undefined) return [];
    const cell = cellOf(token, datasets);
    const now = 'rule' in cell || cell.value === null ? 'unavailable' : String(cell.value);
    return reviewed === now ? [] : [{ place, line, token, reviewed, now }];
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

function shortened(text: string): string {
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}
