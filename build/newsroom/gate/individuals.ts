/**
 * Names of designated individuals, as a story must not write them: any given name beside any family name, in either order.
 * A family name alone is not held to be a person's; particles are left out on both sides.
 */
import { foldedWords } from './fold.ts';

const PARTICLES = new Set([
  'de',
  'del',
  'la',
  'las',
  'los',
  'da',
  'do',
  'dos',
  'di',
  'al',
  'el',
  'bin',
  'ibn',
  'van',
  'von',
  'y',
  'e',
]);

/** Tells of a text which two words of it name an individual; null where none do. */
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
    for (const form of [text, text.replaceAll(/[“"‘'([][^”"’')\]]*[”"’')\]]/g, ' ')]) {
      const words = nameWords(form);
      const found = words
        .map((word, position) => `${word} ${words[position + 1] ?? ''}`)
        .find((pair) => pairs.has(pair));
      if (found !== undefined) return found;
    }
    return null;
  };
}

function nameWords(text: string): string[] {
  return foldedWords(text).filter((word) => word.length > 1 && !PARTICLES.has(word));
}
