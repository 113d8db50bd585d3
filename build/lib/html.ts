/**
 * Markup from templates, whose values are printed like the nodes of pages, so that every text is escaped; and pages kept as
 * Markdown files.
 */
import markdownIt from 'markdown-it';
import { print, trusted, type Child, type Trusted } from '../../shim/view/node.ts';

/** The template tag. (Not called `html`: the formatter would reformat the published bytes.) */
export function markup(parts: TemplateStringsArray, ...values: Child[]): Trusted {
  return trusted(parts.map((part, index) => part + print(values[index] ?? '')).join(''));
}

/** Items of a list, each on a line of its own. */
export function lines(items: readonly Child[]): Trusted {
  return trusted(items.map(print).join('\n'));
}

/** The templates are our own, so they may contain HTML. */
const md = markdownIt('commonmark', { html: true });

/** Text with its placeholders replaced by their values, unescaped. Throws for a name without a value. */
export function filledText(template: string, values: Record<string, string>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => valueOf(values, name));
}

/**
 * A Markdown page as HTML with its placeholders filled in and escaped; one that is a paragraph of its own is replaced
 * whole. `## Title {#name}` gives a heading its anchor. Throws for a name without a value.
 */
export function filledPage(template: string, values: Record<string, Child>): Trusted {
  const html = md
    .render(template)
    .trimEnd()
    .replaceAll(/<(h[23])>(.+) \{#([a-z-]+)\}</g, '<$1 id="$3">$2<')
    .replaceAll(/<p>(\{\{\w+\}\})<\/p>/g, '$1');
  return trusted(html.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => print(valueOf(values, name))));
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
