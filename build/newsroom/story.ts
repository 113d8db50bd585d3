/** The nouns of the newsroom: what a file datasets/newsroom/<id>.md holds after it was read, before any cell was looked up. */

/** A citation token `{{dataset:record id#field}}`, taken apart. */
export interface Token {
  /** The token as written, braces included; the same text is the same cell. */
  raw: string;
  dataset: string;
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
export interface Paragraph {
  kind: 'paragraph' | 'synthesis';
  line: number;
  sentences: Passage[];
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

export interface Heading {
  kind: 'heading';
  passage: Passage;
}

export type Block = Heading | Paragraph | Chart;

/** What was wrong in an earlier edition, kept with the story. */
export interface Correction {
  /** `YYYY-MM-DD`. */
  date: string;
  passage: Passage;
}

/** A story as written. */
export interface Story {
  id: string;
  file: string;
  /** `YYYY-MM-DD`. */
  published: string;
  updated: string;
  title: Passage;
  summary: Passage;
  corrections: Correction[];
  blocks: Block[];
  /** Values the cited cells had when the story was last reviewed, by token; empty where none were recorded. */
  reviewed: Map<string, string>;
}

/** Every passage in reading order: title, summary, headings and sentences and chart titles, corrections. */
export function passagesOf(story: Story): Passage[] {
  return [
    story.title,
    story.summary,
    ...story.blocks.flatMap((block) =>
      block.kind === 'heading' ? [block.passage] : block.kind === 'chart' ? [block.title] : block.sentences,
    ),
    ...story.corrections.map(({ passage }) => passage),
  ];
}

/** The passages outside paragraphs: title, summary, headings, chart titles, corrections. */
export function singlePassagesOf(story: Story): Passage[] {
  const sentences = new Set(paragraphsOf(story).flatMap((paragraph) => paragraph.sentences));
  return passagesOf(story).filter((passage) => !sentences.has(passage));
}

/** The charts of a story. */
export function chartsOf(story: Story): Chart[] {
  return story.blocks.filter((block) => block.kind === 'chart');
}

/** The paragraphs of a story. */
export function paragraphsOf(story: Story): Paragraph[] {
  return story.blocks.filter(
    (block): block is Paragraph => block.kind === 'paragraph' || block.kind === 'synthesis',
  );
}

/** The dataset folder that holds the stories. */
export const NEWSROOM = 'newsroom';
