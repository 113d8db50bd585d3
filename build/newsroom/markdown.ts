/** Markdown of stories (for the texts of pages see lib/html.ts): plain paragraphs, headings, chart fences, emphasis. Nothing else. */
import markdownIt from 'markdown-it';
import { trusted, type Trusted } from '../../shim/view/node.ts';
import { withTokens } from './story.ts';

/** One block of a story file with its first line (from 1). */
export interface MarkdownBlock {
  kind: 'paragraph' | 'heading' | 'fence' | 'other';
  line: number;
  /** Words after a fence, or the name of a block no story may have. */
  info: string;
  text: string;
}

/**
 * Entities stay as written: a named one could be a number or a letter that the gate would not see. There are no link
 * references either: their text would be published with the story's file, but no rule would read it.
 */
const md = markdownIt('commonmark', { html: false }).disable(['entity', 'reference']);
const INLINE = new Set(['text', 'softbreak', 'em_open', 'em_close', 'strong_open', 'strong_close']);

/** The blocks of a text whose first line is line `from` of its file. */
export function markdownBlocks(text: string, from: number): MarkdownBlock[] {
  const tokens = md.parse(text, {});
  return tokens.flatMap((token, position): MarkdownBlock[] => {
    if (token.level > 0 || token.nesting < 0) return [];
    const line = from + (token.map?.[0] ?? 0);
    const type = token.type.replace(/_open$/, '');
    if (type === 'fence') return [{ kind: type, line, info: token.info.trim(), text: token.content }];
    if (type !== 'paragraph' && type !== 'heading') return [{ kind: 'other', line, info: type, text: '' }];
    return [{ kind: type, line, info: '', text: tokens[position + 1]?.content ?? '' }];
  });
}

/** What a line of markdown uses besides text and emphasis (`link`, `image`, `code_inline`), or null. */
export function foreignMarkup(text: string): string | null {
  const [inline] = md.parseInline(text, {});
  return inline?.children?.find(({ type }) => !INLINE.has(type))?.type.replace(/_open$/, '') ?? null;
}

/** The text of a line without its markup. */
export function plainMarkdown(text: string): string {
  const [inline] = md.parseInline(text, {});
  return (inline?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}

/** A line with its tokens filled in, as plain text. */
export function filledText(template: string, value: (raw: string) => string): string {
  return filled(template, plainMarkdown, value);
}

/** A line with its tokens filled in, as HTML. */
export function filledHtml(template: string, value: (raw: string) => Trusted): Trusted {
  return trusted(
    filled(
      template,
      (line) => md.renderInline(line),
      (token) => value(token).markup,
    ),
  );
}

/** Private-use characters stand for tokens while markdown is read; the gate refuses them in the text itself. */
function filled(template: string, render: (line: string) => string, value: (raw: string) => string): string {
  const values: string[] = [];
  const marked = withTokens(template, (token) => {
    values.push(value(token));
    return `\uE000${String.fromCodePoint(0xe0ff + values.length)}\uE001`;
  });
  return render(marked).replaceAll(
    /\uE000(.)\uE001/gu,
    (_all, code: string) => values[(code.codePointAt(0) ?? 0) - 0xe100] ?? '',
  );
}
