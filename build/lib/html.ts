/** HTML, SVG and XML text in which every value is escaped, unless it is markup already. */

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

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function textOf(value: MarkupValue): string {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return String(value).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
