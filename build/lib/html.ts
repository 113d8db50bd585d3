/** HTML, SVG and XML text in which every value is escaped, unless it is markup already; and pages that are kept as Markdown files. */
import markdownIt from 'markdown-it';
import { escaped } from '../../shim/view/node.ts';

/** Text that can go into a page as it is. Only `markup`, `lines` and `raw` make it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What a template takes: text and numbers are escaped, markup is not, a list is its items one after the other. */
export type MarkupValue = string | number | Markup | readonly MarkupValue[];

/** The template tag of every page. (Not called `html`: the formatter would reformat the published bytes.) */
export function markup(parts: TemplateStringsArray, ...values: MarkupValue[]): Markup {
  return new Markup(parts.map((part, index) => part + textOf(values[index] ?? '')).join(''));
}

/** Items of a list, each on a line of its own. */
export function lines(items: readonly MarkupValue[]): Markup {
  return new Markup(items.map(textOf).join('\n'));
}

/** Text that is known to be safe markup: made by a renderer of its own, such as markdown-it, or constant. */
export function raw(text: string): Markup {
  return new Markup(text);
}

function textOf(value: MarkupValue): string {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return escaped(String(value));
}

/** The templates are our own, so they may contain HTML. */
const md = markdownIt('commonmark', { html: true });

/** Text with its placeholders filled in as they are. Throws for a name without a value. */
export function filledText(template: string, values: Record<string, string>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => valueOf(values, name));
}

/**
 * A Markdown page as HTML with its placeholders filled in and escaped; one that is a paragraph of its own is replaced
 * whole. `## Title {#name}` gives a heading its anchor. Throws for a name without a value.
 */
export function filledPage(template: string, values: Record<string, MarkupValue>): Markup {
  const html = md
    .render(template)
    .trimEnd()
    .replaceAll(/<(h[23])>(.+) \{#([a-z-]+)\}</g, '<$1 id="$3">$2<')
    .replaceAll(/<p>(\{\{\w+\}\})<\/p>/g, '$1');
  return filledMarkup(html, values);
}

/** An HTML template with its placeholders filled in and escaped. Throws for a name without a value. */
export function filledMarkup(template: string, values: Record<string, MarkupValue>): Markup {
  return raw(
    template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => markup`${valueOf(values, name)}`.text),
  );
}

/** The chapters of a Markdown page that have an anchor. */
export function chaptersOf(template: string): { id: string; title: string }[] {
  return [...template.matchAll(/^## (.+) \{#([a-z-]+)\}$/gm)].map(([, title = '', id = '']) => ({
    id,
    title,
  }));
}

function valueOf<Value>(values: Record<string, Value>, name: string): Value {
  const value = values[name];
  if (value === undefined) throw new Error(`no value for {{${name}}} in the template`);
  return value;
}
