/**
 * The nouns of the newsroom: what a file datasets/newsroom/<id>.md holds after it was read, before any cell is looked up; and
 * citation tokens: `{{opium-cultivation:opium-cultivation.AFG.2019.O6#lower}}`, that is dataset, record id and field.
 */

/** The dataset folder that holds the stories. */
export const NEWSROOM = 'newsroom';

/** A citation token `{{dataset:record id#field}}`, taken apart. */
export interface Token {
  /** The token as written, braces included; the same text is the same cell. */
  raw: string;
  dataset: string;
  /** The `id` of an observation, `<domain>.<iso3>.<year>` of an atlas record, `designations.<entity number>`. */
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

/** A paragraph; `synthesis` where it draws on records of several datasets together. */
export interface Paragraph<P = Passage> {
  kind: 'paragraph' | 'synthesis';
  sentences: P[];
}

/** The bars of a story: one cited cell each, in the order written. */
export interface Chart {
  kind: 'chart';
  line: number;
  title: Passage;
  /** Field of the record that names a bar: `period`. */
  label: string;
  /** Field of the record that groups bars, or null. */
  series: string | null;
  points: { token: Token; line: number }[];
}

/** A part of a story's body. */
export type Block<P = Passage, C = Chart> = { kind: 'heading'; passage: P } | Paragraph<P> | C;

/** What a story has as written and as printed; `P` are its passages, `C` its charts. */
export interface StoryParts<P, C> {
  id: string;
  /** The whole file as written: it is published with the story. */
  source: string;
  /** `YYYY-MM-DD`. */
  published: string;
  updated: string;
  title: P;
  summary: P;
  /** What was wrong earlier, kept with the story; dates are `YYYY-MM-DD`. */
  corrections: { date: string; passage: P }[];
  blocks: Block<P, C>[];
}

/** A story as written. */
export interface Story extends StoryParts<Passage, Chart> {
  file: string;
  /** What its file is called, without the ending: the id must be the same. */
  name: string;
  /** Values the cited cells had when the story was last reviewed, by token; empty where none were recorded. */
  reviewed: Map<string, string>;
}

const TOKEN = /\{\{([a-z0-9][a-z0-9-]*):([^\s#{}|]+)#([A-Za-z]\w*(?:\.\w+)*)\}\}/g;

/** All tokens of a text, in order. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(([raw, dataset = '', recordId = '', field = '']) => ({
    raw,
    dataset,
    recordId,
    field,
  }));
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
export function passagesOf<P>(story: StoryParts<P, { kind: 'chart'; title: P }>): P[] {
  const { title, summary, blocks, corrections } = story;
  return [
    title,
    summary,
    ...blocks.flatMap((block) =>
      block.kind === 'heading' ? [block.passage] : block.kind === 'chart' ? [block.title] : block.sentences,
    ),
    ...corrections.map(({ passage }) => passage),
  ];
}

/** The charts of a story. */
export function chartsOf({ blocks }: Story): Chart[] {
  return blocks.filter((block) => block.kind === 'chart');
}

/** The paragraphs of a story. */
export function paragraphsOf({ blocks }: Story): Paragraph[] {
  return blocks.filter(
    (block): block is Paragraph => block.kind === 'paragraph' || block.kind === 'synthesis',
  );
}
