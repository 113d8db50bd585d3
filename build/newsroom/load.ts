/** Reads datasets/newsroom/*.md back into memory, with the values each story was reviewed with. What cannot be read is a finding. */
import { readCsv } from '../lib/csv.ts';
import type { BuildEffects } from '../lib/effects.ts';
import type { Finding } from '../lib/findings.ts';
import { markdownBlocks, type MarkdownBlock } from './markdown.ts';
import { NEWSROOM, type Block, type Chart, type Passage, type Story } from './story.ts';
import { passageOf, tokensOf } from './token.ts';
import { readMatter } from './front-matter.ts';

export interface LoadedStories {
  stories: Story[];
  findings: Finding[];
}

/** Loads every story of a folder of datasets, in the order of their ids; none where there is no newsroom. */
export function loadStories(
  datasets: string,
  { read, files }: Pick<BuildEffects, 'read' | 'files'>,
): LoadedStories {
  const folder = `${datasets}/${NEWSROOM}`;
  const findings: Finding[] = [];
  const stories = files(folder)
    .filter((path) => path.endsWith('.md') && !path.includes('/'))
    .map((path) => {
      const file = `${folder}/${path}`;
      const reviewed = read(reviewedFile(folder, path.slice(0, -3)));
      return readStory(file, String(read(file) ?? ''), reviewedValues(reviewed), findings);
    });
  return { stories, findings };
}

/** Where the values of a story's last review stand. */
export function reviewedFile(folder: string, id: string): string {
  return `${folder}/${id}.reviewed.csv`;
}

/** A story from the text of its file; findings are added to the list. */
export function readStory(
  file: string,
  text: string,
  reviewed: Map<string, string>,
  findings: Finding[],
): Story {
  const { scalars, corrections, bodyLine, body, problems } = readMatter(text);
  const report = (line: number, rule: string, message: string): void => {
    findings.push({ file, row: line, rule, message });
  };
  for (const { line, message } of problems) report(line, 'front-matter', message);
  const scalar = (key: string): Passage =>
    passageOf(key, scalars.get(key)?.line ?? 1, scalars.get(key)?.text ?? '');
  const published = scalar('published').text;
  return {
    id: scalar('id').text,
    file,
    published,
    updated: scalar('updated').text || published,
    title: scalar('title'),
    summary: scalar('summary'),
    corrections: corrections.map(({ date, text: words, line }, position) => ({
      date,
      passage: passageOf(`correction ${position + 1}`, line, words),
    })),
    blocks: blocksOf(markdownBlocks(body, bodyLine), report),
    reviewed,
  };
}

function reviewedValues(bytes: Buffer | null): Map<string, string> {
  if (!bytes) return new Map();
  return new Map(readCsv(bytes).map(({ cells: [token = '', value = ''] }) => [token, value]));
}

function blocksOf(
  blocks: MarkdownBlock[],
  report: (line: number, rule: string, message: string) => void,
): Block[] {
  let sentences = 0;
  let headings = 0;
  return blocks.flatMap((block): Block[] => {
    const { kind, line, info, text } = block;
    if (kind === 'heading')
      return [{ kind, passage: passageOf(`heading ${(headings += 1)}`, line, oneLine(text)) }];
    if (kind === 'fence' && info === 'chart') return [chartOf(block, report)];
    if (kind === 'paragraph') {
      const [marker = ''] = /^synthesis:\s+/i.exec(text) ?? [];
      return [
        {
          kind: marker === '' ? 'paragraph' : 'synthesis',
          line,
          sentences: sentencesOf(text.slice(marker.length), line).map(({ text: words, line: at }) =>
            passageOf(`sentence ${(sentences += 1)}`, at, words),
          ),
        },
      ];
    }
    report(line, 'story-structure', `a story has paragraphs, headings and charts, not ${info || kind}`);
    return [];
  });
}

/** Sentences of a paragraph: a break stands after `.`, `!` or `?` and white space; inside a token there is none of either. */
function sentencesOf(paragraph: string, line: number): { text: string; line: number }[] {
  const found: { text: string; line: number }[] = [];
  let at = line;
  for (const part of paragraph.split(/(?<=[.!?][)"”’*_]*)(\s+)(?=["“(*_]*[\p{Lu}\p{N}{])/u)) {
    if (part.trim() !== '') found.push({ text: oneLine(part), line: at });
    at += part.split('\n').length - 1;
  }
  return found;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}

function chartOf(
  { line, text }: MarkdownBlock,
  report: (line: number, rule: string, message: string) => void,
): Chart {
  const settings = new Map<string, { text: string; line: number }>();
  const points: Chart['points'] = [];
  for (const [offset, row] of text.split('\n').entries()) {
    const at = line + 1 + offset;
    const [token, ...more] = tokensOf(row);
    const [, key, value = ''] = /^(title|label|series):\s+(.*)$/.exec(row) ?? [];
    if (key !== undefined) settings.set(key, { text: value.trim(), line: at });
    else if (token && more.length === 0 && row.trim() === token.raw) points.push({ token, line: at });
    else if (row.trim() !== '')
      report(at, 'chart', 'a chart has lines title:, label:, series:, and one token a line for its bars');
  }
  const title = settings.get('title');
  return {
    kind: 'chart',
    line,
    title: passageOf('chart title', title?.line ?? line, title?.text ?? ''),
    label: settings.get('label')?.text ?? 'period',
    series: settings.get('series')?.text ?? null,
    points,
  };
}
