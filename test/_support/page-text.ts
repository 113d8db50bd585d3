/** What a reader sees of a page's markup: its text, sections, rows of tables and facts. */
import { unescaped } from './site-pages.ts';
/** What a reader sees of markup, on one line. */
export function textOf(markup: string): string {
  return unescaped(
    markup
      .replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, '')
      .replaceAll(/<(?!\/?(a|b|code|strong|small|span)\b)[^>]+>/g, ' ')
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' '),
  );
}

/** The markup of a section, by the id of its heading. */
export function sectionOf(html: string, id: string): string {
  return new RegExp(`<section aria-labelledby="${id}">.*?</section>`, 's').exec(html)?.[0] ?? '';
}

/** The rows of a section's tables, each cell as text. */
export function rowsOf(html: string): string[][] {
  return [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOf(cell).trim()),
  );
}

/** The facts of a page by their terms. */
export function factsOf(html: string): Map<string, string> {
  return new Map(
    [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, term = '', facts = '']) => [
      textOf(term),
      textOf(facts).trim(),
    ]),
  );
}
