/** Reads datasets/newsroom/*.md back into memory, with the values each story was reviewed with. What cannot be read is a finding. */
import { readCsv } from '../lib/csv.ts';
import type { BuildEffects } from '../lib/effects.ts';
import { errorMessage, type Finding } from '../lib/findings.ts';
import { markdownBlocks, type MarkdownBlock } from './markdown.ts';
import { NEWSROOM, passageOf, tokensOf, type Chart, type Passage, type Story } from './story.ts';
import { CST, isNode, Lexer, LineCounter, parseDocument } from 'yaml';
import schema from './content/front-matter.schema.json' with { type: 'json' };
import { validator } from '../../shim/core/schema.ts';

/** Loads every story of a folder of datasets, in the order of their ids; none where there is no newsroom. */
export function loadStories(
  datasets: string,
  { read, files }: Pick<BuildEffects, 'read' | 'files'>,
): { stories: Story[]; findings: Finding[] } {
  const folder = `${datasets}/${NEWSROOM}`;
  const findings: Finding[] = [];
  const paths = files(folder).filter((path) => path.endsWith('.md') && !path.includes('/'));
  const stories = paths.map((path) => {
    const file = `${folder}/${path}`;
    const name = path.slice(0, -'.md'.length);
    const reviewed = reviewedValues(reviewedFile(folder, name), read, findings);
    return readStory({ file, name, source: String(read(file) ?? ''), reviewed }, findings);
  });
  return { stories, findings };
}

function reviewedValues(file: string, read: BuildEffects['read'], findings: Finding[]): Map<string, string> {
  try {
    const values = readCsv(read(file) ?? Buffer.alloc(0));
    return new Map(values.map(({ cells: [token = '', value = ''] }) => [token, value]));
  } catch (error) {
    const message = `${errorMessage(error)}; restore the file, or write it again with verify-story --accept`;
    findings.push({ file, row: null, rule: 'readable', message });
    return new Map();
  }
}

/** The file with the values of a story's last review. */
export function reviewedFile(folder: string, id: string): string {
  return `${folder}/${id}.reviewed.csv`;
}

type Report = (line: number, rule: string, message: string) => void;

/** A story from the text of its file; findings are added to the list. */
export function readStory(
  written: Pick<Story, 'file' | 'name' | 'source' | 'reviewed'>,
  findings: Finding[],
): Story {
  const report: Report = (line, rule, message) => {
    findings.push({ file: written.file, row: line, rule, message });
  };
  const { textOf, corrections, body } = readFrontMatter(written.source, (line, message) =>
    report(line, 'front-matter', `front matter: ${message}`),
  );
  const passage = (place: string, { text, line }: Text): Passage => passageOf(place, line, oneLine(text));
  const published = textOf('published').text;
  return {
    ...written,
    id: textOf('id').text,
    published,
    updated: textOf('updated').text || published,
    title: passage('title', textOf('title')),
    summary: passage('summary', textOf('summary')),
    corrections: corrections.map(({ date, ...text }, at) => ({
      date,
      passage: passage(`correction ${at + 1}`, text),
    })),
    blocks: blocksOf(markdownBlocks(body.text, body.line), report),
  };
}

function blocksOf(blocks: MarkdownBlock[], report: Report): Story['blocks'] {
  let sentences = 0;
  let headings = 0;
  return blocks.flatMap((block): Story['blocks'] => {
    const { kind, line, info, text } = block;
    if (kind === 'heading')
      return [{ kind, sentences: [passageOf(`heading ${(headings += 1)}`, line, oneLine(text))] }];
    if (kind === 'fence' && info === 'chart') return [chartOf(block, report)];
    if (kind !== 'paragraph') {
      report(line, 'story-structure', `a story has paragraphs, headings and charts, not ${info || kind}`);
      return [];
    }
    const [marker = ''] = /^synthesis:\s+/i.exec(text) ?? [];
    const passages = sentencesOf(text.slice(marker.length), line).map((sentence) =>
      passageOf(`sentence ${(sentences += 1)}`, sentence.line, sentence.text),
    );
    return [{ kind: marker === '' ? 'paragraph' : 'synthesis', sentences: passages }];
  });
}

/**
 * The end of a sentence: `.`, `!` or `?` before white space; a token contains neither. A capital with few letters may be an
 * abbreviation ("J.", "St."), and so may a short word with a point before a number ("ca."); a longer one is a word.
 */
const SENTENCE_END =
  /(?<=[.!?][)"”’*_]*)(?<!(?<!\p{L})\p{Lu}\p{Ll}{0,2}\.)(?:(?<=\p{L}{6}[.!?][)"”’*_]*)|(?!\s+["“(*_]*\{\{[^}]*#(?:value|lower|upper|period|data\.[\w.]+)\}\}))(\s+)(?=["“(*_]*[\p{Lu}\p{N}{])/u;

function sentencesOf(paragraph: string, line: number): Text[] {
  const found: Text[] = [];
  let at = line;
  for (const part of paragraph.split(SENTENCE_END)) {
    if (part.trim() !== '') found.push({ text: oneLine(part), line: at });
    at += part.split('\n').length - 1;
  }
  return found;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}

function chartOf({ line, text }: MarkdownBlock, report: Report): Chart {
  const settings = new Map<string, Text>();
  const points: Chart['points'] = [];
  for (const [offset, row] of text.split('\n').entries()) {
    const at = line + 1 + offset;
    const [token, ...more] = tokensOf(row);
    const [, key, value = ''] = /^(title|label|series):\s+(.*)$/.exec(row) ?? [];
    if (key !== undefined && !settings.has(key)) settings.set(key, { text: value.trim(), line: at });
    else if (token && more.length === 0 && row.trim() === token.raw) points.push({ token, line: at });
    else if (row.trim() !== '')
      report(at, 'chart', 'a chart has one line each of title:, label:, series:, and one token per mark');
  }
  const title = settings.get('title') ?? { text: '', line };
  return {
    kind: 'chart',
    line,
    title: passageOf('chart title', title.line, title.text),
    label: settings.get('label')?.text ?? 'period',
    series: settings.get('series')?.text ?? null,
    points,
  };
}

/** Text with the line of the file it begins on, from 1. */
interface Text {
  text: string;
  line: number;
}

type Key = 'id' | 'title' | 'published' | 'updated' | 'summary';

type WrittenFrontMatter = Partial<Record<Key, string>> & {
  corrections?: { date: string; text: string }[] | '';
};

/** YAML that would be published with the story's file but that no rule of the gate reads. */
const UNREAD = ['comment', 'anchor', 'alias', 'tag', 'directive-line'];

const QUOTES = 'Put text that begins with a token in quotes.';

/** Splits a story file into front matter and body; what is wrong is reported with its line. */
function readFrontMatter(file: string, report: (line: number, message: string) => void) {
  const lines = file.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.indexOf('---', 1);
  let sound = lines[0] === '---' && end > 0;
  if (!sound) report(1, 'a story begins with front matter between two lines of ---');
  // The empty line stands for the first ---, so that lines are those of the file.
  const source = `\n${lines.slice(1, Math.max(1, end)).join('\n')}`;
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { schema: 'failsafe', prettyErrors: false, lineCounter });
  const lineAt = (path: string[]): number => {
    const node = document.getIn(path, true);
    return isNode(node) ? lineCounter.linePos(node.range?.[0] ?? 0).line : 1;
  };
  const refuse = (line: number, message: string): void => {
    sound = false;
    report(line, message);
  };

  let line = 1;
  for (const token of new Lexer().lex(source)) {
    const type = CST.tokenType(token) ?? '';
    if (UNREAD.includes(type)) refuse(line, `a ${type} is not allowed: ${token}`);
    line += token.split('\n').length - 1;
  }
  for (const { pos, message } of document.errors)
    refuse(lineCounter.linePos(pos[0]).line, `not valid YAML: ${message}. ${QUOTES}`);
  const values: unknown = sound ? document.toJS() : {};
  for (const { instancePath, params, message = '' } of validator(schema)(values) ?? []) {
    const unknownKey = params['additionalProperty'];
    const path = instancePath.split('/').slice(1);
    if (typeof unknownKey === 'string') refuse(lineAt([...path, unknownKey]), `unknown key "${unknownKey}"`);
    else refuse(lineAt(path), `${path.join(' ')} ${message}. ${QUOTES}`);
  }
  const { corrections, ...texts } = sound ? (values as WrittenFrontMatter) : {};
  return {
    /** The text of a key; empty where there is none. */
    textOf: (key: Key): Text => ({ text: (texts[key] ?? '').trim(), line: lineAt([key]) }),
    corrections: (corrections || []).map(({ date, text }, at) => ({
      date,
      text,
      line: lineAt(['corrections', String(at), 'text']),
    })),
    body: { text: lines.slice(end + 1).join('\n'), line: end + 2 },
  };
}
