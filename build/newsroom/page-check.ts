/** Whether a published story page still says what its dossier says: every passage, every cited value, every bar. */
import { textOfHtml } from '../site/html.ts';

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
