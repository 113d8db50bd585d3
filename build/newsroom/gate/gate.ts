/**
 * The citation gate. A story is printed only when every number in it comes out of a packaged cell and its words stay inside
 * what a record can say. Every finding names the story, the sentence, its line and its rule; all are collected.
 */
import type { Finding } from '../../lib/findings.ts';
import {
  cellOf,
  citationOf,
  type Cell,
  type Citation,
  type CitedDataset,
  type CheckedStory,
  type ReportAt,
  type Change,
} from '../citation.ts';
import { marksOf, citedTokens, passagesOf, type Story } from '../story.ts';
import { PASSAGE_RULES, reading } from './passages.ts';
import { STORY_RULES } from './structure.ts';
import { individualFinder, lanesIn, organizationFinder } from './words.ts';

/** Checks every story; the findings are empty when all may be printed. */
export function checkStories(
  stories: Story[],
  datasets: ReadonlyMap<string, CitedDataset>,
): { checked: CheckedStory[]; findings: Finding[] } {
  if (stories.length === 0) return { checked: [], findings: [] };
  const lists = [...datasets.values()].filter(({ document }) => document.kind === 'entities');
  const designated = lists.flatMap(({ records }) => [...records().values()]);
  const namesOf = (type: string): string[] =>
    designated.filter((record) => record['entity_type'] === type).map(({ name }) => String(name));
  const individual = individualFinder(namesOf('individual'));
  const organization = organizationFinder(namesOf('organization'));
  const findings: Finding[] = [];
  const checked = stories.map((story): CheckedStory => {
    const report: ReportAt = (at, rule, message) => {
      const [row, place] =
        typeof at === 'number' ? [at, ''] : [at.line, `${at.place} ${JSON.stringify(shortened(at.text))}: `];
      findings.push({ file: story.file, row, rule, message: `story ${story.id}, ${place}${message}` });
    };
    const resolved = resolvedStory(story, datasets, report);
    for (const passage of passagesOf(story)) {
      const read = reading(passage, resolved.citations);
      const word = organization(read.plain);
      const named = word === null ? [] : [{ lane: 'designations', word }];
      resolved.spoken.push(
        ...[...lanesIn(read.plain), ...named].map((spoken) => ({ ...spoken, at: passage })),
      );
      for (const [name, test] of Object.entries(PASSAGE_RULES)) {
        const message = test(read);
        if (message !== null) report(passage, name, message);
      }
      const name = individual(read.printed);
      if (name !== null)
        report(passage, 'person', `"${name}" is the name of a designated individual; no story names one`);
    }
    for (const rule of STORY_RULES) rule(resolved, report);
    return resolved;
  });
  return { checked, findings };
}

/** The story with the cells of its tokens; reports the tokens that cannot be printed or drawn. */
function resolvedStory(
  story: Story,
  datasets: ReadonlyMap<string, CitedDataset>,
  report: ReportAt,
): CheckedStory {
  const citations = new Map<string, Citation>();
  for (const passage of passagesOf(story))
    for (const token of passage.tokens) {
      if (citations.has(token.raw)) continue;
      const citation = citationOf(token, citations.size + 1, cellOf(token, datasets));
      if ('rule' in citation) report(passage, citation.rule, citation.message);
      else citations.set(token.raw, citation);
    }
  const marks = marksOf(story);
  const cells = new Map<string, Cell>();
  const changes: Change[] = [];
  for (const { token, at } of citedTokens(story)) {
    const cell = cellOf(token, datasets);
    if (!('rule' in cell)) cells.set(token.raw, cell);
    else if (at.place === 'chart title' && marks.has(token.raw))
      report(at.line, 'chart', `chart: ${cell.message}`);
    const reviewed = story.reviewed.get(token.raw);
    const now = 'rule' in cell || cell.value === null ? 'unavailable' : String(cell.value);
    if (reviewed !== undefined && reviewed !== now)
      changes.push({ place: at.place, line: at.line, token, reviewed, now });
  }
  return { ...story, cells, citations, spoken: [], changes };
}

function shortened(text: string): string {
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}
