/** Texts that are kept as files: `{{name}}` is filled in, and Markdown becomes HTML. */
import markdownIt from 'markdown-it';
import { markup, raw, type Markup, type MarkupValue } from './html.ts';

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
  return raw(html.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => markup`${valueOf(values, name)}`.text));
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
