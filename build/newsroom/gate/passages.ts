/** Rules of the citation gate over one passage, as rows: null when the text holds it, else what is wrong. */
import { foreignCharacter } from './fold.ts';
import { foreignMarkup, plainMarkdown } from '../markdown.ts';
import { withTokens } from '../token.ts';
import { CELL, reviewedWordIn } from './words.ts';
import { PLACES } from './places.ts';
import { forbiddenIn } from '../../check/safety.ts';

interface PassageRule {
  name: string;
  test(text: string): string | null;
}

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
    test: (text) => {
      const character = foreignCharacter(withTokens(text, () => ''));
      if (character === null) return null;
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      return `U+${code} is no character a story may have: Latin letters, plain spaces and common punctuation, which all can see`;
    },
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
      const what = PLACES.find(([pattern]) => pattern.test(words))?.[1] ?? forbiddenInStory(words);
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
        : `"${found.word}" is a word of ${found.what} on the reviewed list (build/newsroom/reviewed-words.ts)`;
    },
  },
];

function readable(text: string): string {
  return plainMarkdown(withTokens(text, () => CELL));
}

/** Stories may speak of the scores an index prints, which no label may be; of nothing else that may not be packaged. */
function forbiddenInStory(words: string): string | null {
  const what = forbiddenIn(words);
  return what === 'a score' ? forbiddenIn(words.replaceAll(/\bscor(?:es?|ed|ing)\b/giu, ' ')) : what;
}
