/**
 * The nouns of the newsroom: what a file datasets/newsroom/<id>.md holds after it was read, before any cell is looked up; and
 * citation tokens: `{{opium-cultivation:opium-cultivation.AFG.2019@2025-06#lower}}`, that is dataset, record id and field.
 */
import { absolute } from '../../shim/core/paths.ts';

/** The dataset folder that holds the stories. */
export const NEWSROOM = 'newsroom';

/** Path of the feed of all stories. */
export const FEED_JSON = 'news/feed.json';

/** A citation token `{{dataset:record id#field}}`, taken apart. */
export interface Token {
  /** The token as written, braces included; the same text is the same cell. */
  raw: string;
  dataset: string;
  /**
   * The `id` of an observation, `<domain>.<iso3>.<year>` of an atlas record, `designations.<entity number>`; with @ and an
   * edition it is the record of that edition for ever, without it the current one.
   */
  recordId: string;
  /** Dotted path of a member of the packaged record: `value`, `period`, `data.markets.cocaine_trade`. */
  field: string;
}

/** A stretch of text that is checked and printed as one: the title, the summary, a heading, one sentence, a correction. */
export interface Passage {
  /** How findings and dossiers name it: `title`, `summary`, `heading 2`, `sentence 7`, `chart title`, `correction 1`. */
  place: string;
  /** Line of the story file, from 1. */
  line: number;
  /** Markdown of one line, tokens included. */
  text: string;
  tokens: Token[];
}

/** A heading of one sentence, or a paragraph; `synthesis` where it draws on records of several datasets together. */
interface TextBlock {
  kind: 'heading' | 'paragraph' | 'synthesis';
  sentences: Passage[];
}

/** A chart of a story: its marks, one cited cell each, in the order written. */
export interface Chart {
  kind: 'chart';
  line: number;
  title: Passage;
  /** Field of the record that names a mark: `period`. */
  label: string;
  /** Field of the record that groups marks, or null. */
  series: string | null;
  points: { token: Token; line: number }[];
}

/** A story as written. */
export interface Story {
  file: string;
  /** The name of its file without the ending: the id must be the same. */
  name: string;
  /** The whole file: it is published with the story. */
  source: string;
  /** Values the cited cells had when the story was last reviewed, by token; empty where none were recorded. */
  reviewed: Map<string, string>;
  id: string;
  /** `YYYY-MM-DD`. */
  published: string;
  updated: string;
  title: Passage;
  summary: Passage;
  /** What was wrong earlier, kept with the story; dates are `YYYY-MM-DD`. */
  corrections: { date: string; passage: Passage }[];
  blocks: (TextBlock | Chart)[];
}

const TOKEN = /\{\{([a-z0-9][a-z0-9-]*):([\w.~-]+(?:@[\d-]+)?)#([A-Za-z]\w*(?:\.\w+)*)\}\}/g;

/** The token of a field of a record. */
export function tokenOf(dataset: string, recordId: string, field: string): Token {
  return { raw: `{{${dataset}:${recordId}#${field}}}`, dataset, recordId, field };
}

/** All tokens of a text, in order. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(([, dataset = '', recordId = '', field = '']) =>
    tokenOf(dataset, recordId, field),
  );
}

/** The text with every token replaced by what `print` gives for it. */
export function withTokens(text: string, print: (raw: string) => string): string {
  return text.replaceAll(TOKEN, (raw) => print(raw));
}

/** A passage over one line of markdown. */
export function passageOf(place: string, line: number, text: string): Passage {
  return { place, line, text, tokens: tokensOf(text) };
}

/** Every passage in reading order: title, summary, headings and sentences and chart titles, corrections. */
export function passagesOf({ title, summary, blocks, corrections }: Story): Passage[] {
  const body = blocks.flatMap((block) => (block.kind === 'chart' ? [block.title] : block.sentences));
  return [title, summary, ...body, ...corrections.map(({ passage }) => passage)];
}

/** The charts of a story. */
export function chartsOf({ blocks }: Story): Chart[] {
  return blocks.filter((block) => block.kind === 'chart');
}

/** The tokens of all marks of a story. */
export function marksOf(story: Story): Set<string> {
  return new Set(chartsOf(story).flatMap(({ points }) => points.map(({ token }) => token.raw)));
}

/** The paragraphs of a story. */
export function paragraphsOf({ blocks }: Story): TextBlock[] {
  return blocks.filter(
    (block): block is TextBlock => block.kind === 'paragraph' || block.kind === 'synthesis',
  );
}

/** Every cell a story prints or draws and where: tokens of passages, then marks, each with its bounds, at the chart's title. */
export function citedTokens(story: Story): { token: Token; at: Passage }[] {
  const marks = chartsOf(story).flatMap(({ points, title }) =>
    points.map(({ token, line }) => ({ ...title, line, tokens: drawnTokens(token) })),
  );
  return [...passagesOf(story), ...marks].flatMap((at) => at.tokens.map((token) => ({ token, at })));
}

/** A mark draws its value and, where the record has them, its bounds. */
function drawnTokens(token: Token): Token[] {
  if (token.field !== 'value') return [token];
  return ['value', 'lower', 'upper'].map((field) => tokenOf(token.dataset, token.recordId, field));
}

/** The stable identifier of a story: it never changes, wherever the site is. */
export function storyUrn(id: string): string {
  return `urn:svc:news:${id}`;
}

/** Whether a text may be the id of a story: small letters, digits and hyphens, as addresses and file names have them. */
export function isStoryId(text: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text);
}

/** A file of a story: `index.html`, `story.md`, `brief.json`, `dossier.json`, `data.csv`, `cite.bib`, `cite.ris`, `cite.json`. */
export function storyPath(id: string, file: string): string {
  return `news/${id}/${file}`;
}

/** The exact address of a story's page. */
export function storyUrl(siteUrl: string, id: string): string {
  return absolute(siteUrl, storyPath(id, ''));
}
