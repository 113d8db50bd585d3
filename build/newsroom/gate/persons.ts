/**
 * Names of designated individuals, as a story must not write them: any given name next to any family name, in either order.
 * A family name alone is not taken for a person's; particles are left out on both sides.
 */
import { foldedWords, wordList } from './words.ts';

const PARTICLES = new Set(wordList('particles'));

/** Finds two words in a text that name an individual; null where there are none. */
export type FindIndividual = (text: string) => string | null;

/** The finder over official names, written `FAMILY NAMES, Given Names`. */
export function individualFinder(names: string[]): FindIndividual {
  const pairs = new Set<string>();
  for (const name of names) {
    const [family = '', given = ''] = name.split(',', 2);
    for (const one of nameWords(family))
      for (const other of nameWords(given)) pairs.add(`${one} ${other}`).add(`${other} ${one}`);
  }
  return (text) => {
    // A nickname in quotes or brackets between given and family name hides neither.
    const forms = [text, text.replaceAll(/[“"‘'([][^”"’')\]]*[”"’')\]]/g, ' ')].map(nameWords);
    const found = forms.flatMap((words) => words.map((word, at) => `${word} ${words[at + 1] ?? ''}`));
    return found.find((pair) => pairs.has(pair)) ?? null;
  };
}

function nameWords(text: string): string[] {
  return foldedWords(text).filter((word) => word.length > 1 && !PARTICLES.has(word));
}
