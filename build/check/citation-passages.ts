/** Rules of the citation gate over one passage, as rows: null when the text holds it, else what is wrong. */
import { foreignMarkup, plainMarkdown } from '../newsroom/markdown.ts';
import { withTokens } from '../newsroom/token.ts';
import { reviewedWordIn } from '../newsroom/words.ts';
import { forbiddenIn } from './safety.ts';

interface PassageRule {
  name: string;
  test(text: string): string | null;
}

/** What stands for a token while its sentence is read: a mark that is no letter, digit or space. */
const CELL = '￼';

/** Places finer than any story may name: pattern and what it is. */
const PLACES: [pattern: RegExp, what: string][] = [
  [/[-+]?\d{1,3}[.,]\d{3,}\s*°?\s*[NSEW]?\s*[,;/ ]\s*[-+]?\d{1,3}[.,]\d{3,}/iu, 'coordinates'],
  [/\d{1,3}\s*[°º]\s*(\d|[NSEW]\b)|\b\d{1,3}\s*(degrees|deg)\b/iu, 'coordinates'],
  [/\b(degrees|minutes) (north|south|east|west)\b|\b(north|south) of the equator\b/iu, 'coordinates'],
  [/\bmgrs\b|\butm\b|\bplus code\b|\bwhat3words\b/iu, 'coordinates'],
  [/\b\p{Lu}[\p{L}.]+ (street|avenue|road|boulevard|lane|drive|square|highway)\b/u, 'an address'],
  [/\b\p{Lu}[\p{L}.]+ (Street|Avenue|Road|Boulevard|Lane|Drive|Square|Highway)\b/u, 'an address'],
  [/\b(calle|carrera|avenida|rua|rue|strasse|p\.? ?o\.? box)\s+\S/iu, 'an address'],
  [/[\w.%+-]+@[\w.-]+\.\w{2,}|\b(https?:\/\/|www\.)/iu, 'an electronic address'],
];

export const PASSAGE_RULES: PassageRule[] = [
  {
    name: 'token-syntax',
    test: (text) =>
      /\{\{|\}\}/.test(withTokens(text, () => ''))
        ? 'braces that are no token; a token is {{dataset:record id#field}}'
        : null,
  },
  {
    name: 'characters',
    test: (text) =>
      /[\p{Cc}\p{Cf}\p{Co}\p{Cn}￼]/u.test(text)
        ? 'characters that cannot be seen or have no meaning of their own'
        : null,
  },
  {
    name: 'markup',
    test: (text) => {
      const markup = foreignMarkup(withTokens(text, () => CELL));
      return markup === null ? null : `only plain words and emphasis stand in a story, not ${markup}`;
    },
  },
  {
    name: 'safety',
    test: (text) => {
      const words = readable(text);
      const what = PLACES.find(([pattern]) => pattern.test(words))?.[1] ?? forbiddenIn(words);
      return what === null ? null : `it names ${what}, which is never published`;
    },
  },
  {
    name: 'bare-number',
    test: (text) => {
      const [number] = /\S*\p{N}\S*/u.exec(withTokens(text, () => ' ')) ?? [];
      return number === undefined
        ? null
        : `"${number}" stands outside a token; every number, years too, is a token that names its cell`;
    },
  },
  {
    name: 'reviewed-word',
    test: (text) => {
      const found = reviewedWordIn(readable(text));
      if (found === null) return null;
      return found.what === 'number'
        ? `"${found.word}" is a number in words; cite the cell it comes from`
        : `"${found.word}" is a word of ${found.what} on the reviewed list (build/newsroom/words.ts)`;
    },
  },
];

function readable(text: string): string {
  return plainMarkdown(withTokens(text, () => CELL));
}
