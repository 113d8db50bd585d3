/** Whether a published story page still says what its dossier says: every passage, every cited value, every bar. */
import { textOfHtml } from '../lib/html.ts';

/** The first line in which a published text is not the one made again, cut to the part that differs. */
export function firstDifference(
  published: string,
  remade: string,
): { line: number; found: string; wanted: string } {
  const [has, wants] = [published.split('\n'), remade.split('\n')];
  const at = Math.max(
    0,
    Array.from({ length: Math.max(has.length, wants.length) }).findIndex(
      (_, line) => has[line] !== wants[line],
    ),
  );
  const [found, wanted] = [has[at] ?? '', wants[at] ?? ''];
  let same = 0;
  while (same < Math.min(found.length, wanted.length) && found[same] === wanted[same]) same += 1;
  const from = Math.max(0, same - 20);
  return { line: at + 1, found: found.slice(from, from + 120), wanted: wanted.slice(from, from + 120) };
}

/** What a page must say. */
export interface Expected {
  /** Passages in order, with their whole text. */
  passages: { place: string; text: string }[];
  /** Printed values by citation number. */
  printed: Map<number, string>;
  /** Values of the bars, in order, without unavailable ones. */
  bars: string[];
  /** Text of the cells of the tables below, by their `data-cell`. */
  cells: Map<string, string>;
}

/** Differences between a page and what it must say, one line each. */
export function pageDifferences(html: string, { passages, printed, bars, cells }: Expected): string[] {
  const differences: string[] = [];
  const shown = new Map(
    [...html.matchAll(/<span id="[^"]*" data-place="([^"]*)"[^>]*>([\s\S]*?)<\/span>/g)].map(
      ([, place = '', inner = '']) => [place, textOfHtml(inner)],
    ),
  );
  for (const { place, text } of passages) {
    const found = shown.get(place);
    if (found === undefined) differences.push(`${place} is missing`);
    else if (found !== text.replaceAll(/\s+/g, ' ').trim())
      differences.push(
        `${place} reads ${JSON.stringify(found)}, the records make it ${JSON.stringify(text)}`,
      );
  }
  const values = [...html.matchAll(/<data data-cite="(\d+)" value="([^"]*)">([^<]*)<\/data>/g)];
  for (const [, number = '', value = '', text = ''] of values) {
    const record = printed.get(Number(number));
    if (textOfHtml(value) !== record || textOfHtml(text) !== record?.replaceAll(/\s+/g, ' ').trim())
      differences.push(`citation ${number} is printed as "${text}", the record has "${record ?? 'nothing'}"`);
  }
  const drawn = [...html.matchAll(/<text class="value"[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
  if (drawn.join('\n') !== bars.join('\n'))
    differences.push(`the chart's values are ${drawn.join(', ')}, the records have ${bars.join(', ')}`);
  const tabled = new Map(
    [...html.matchAll(/ data-cell="([^"]*)">([^<]*)</g)].map(([, key = '', text = '']) => [
      key,
      textOfHtml(text),
    ]),
  );
  for (const [key, text] of cells) {
    const found = tabled.get(key);
    if (found !== text.replaceAll(/\s+/g, ' ').trim())
      differences.push(
        `${key} is ${found === undefined ? 'missing' : JSON.stringify(found)}, it must be "${text}"`,
      );
  }
  return differences;
}
