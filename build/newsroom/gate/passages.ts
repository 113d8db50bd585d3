/** Rules of the citation gate over one passage, as rows: null where the text keeps the rule, else what is wrong. */
import { forbiddenIn } from '../../check/forbidden.ts';
import { foreignMarkup, plainMarkdown } from '../markdown.ts';
import { withTokens } from '../story.ts';
import { CELL, claimIn, foreignCharacter, namesPlace } from './words.ts';

interface PassageRule {
  name: string;
  test(text: string): string | null;
}

/** Streets and squares known by the capitals of a name, which the list of places cannot see. */
const STREET_NAMES = [
  /\b(?!(?:The|An?|This|That|These|Those|Each|No|In|On|Of|By|At|To|From|Across|Along|Per)\b)\p{Lu}[\p{L}.'’]* (?:[Ss]treet|[Aa]venue|[Rr]oad|[Bb]oulevard|[Ll]ane|[Dd]rive|[Ss]quare|[Hh]ighway|[Aa]lley|Terrace|Crescent|Plaza)s?\b/u,
  /\b(?:Plaza|Paseo|Piazza|Place|Platz|Ulica|Ul\.|ul\.) \p{Lu}/u,
  // "Main St", not "St Lucia": the abbreviation ends a name, and no name follows it.
  /\b\p{Lu}[\p{L}.'’]* (St|Str|Dr|Sq|Ln|Pl|Ct)\b(?!\.? \p{Lu})/u,
];

/** The rules over a passage as written, tokens included. */
export const PASSAGE_RULES: PassageRule[] = [
  {
    name: 'token-syntax',
    test: (text) =>
      /\{\{|\}\}/.test(withTokens(text, () => ''))
        ? 'malformed token; a token is {{dataset:record id#field}}'
        : null,
  },
  {
    name: 'characters',
    test: (text) => {
      const character = foreignCharacter(withTokens(text, () => ''));
      if (character === null) return null;
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      return `character not allowed in a story: U+${code}; use Latin letters, plain spaces and common punctuation`;
    },
  },
  {
    name: 'markup',
    test: (text) => {
      const markup = foreignMarkup(withTokens(text, () => CELL));
      return markup === null ? null : `a story has plain words and emphasis only, not ${markup}`;
    },
  },
  {
    name: 'safety',
    test: (text) => {
      const what = placeOrForbiddenIn(readable(text));
      return what === null ? null : `it names ${what}, which is never published`;
    },
  },
  {
    name: 'bare-number',
    test: (text) => {
      const [number] = /\S*\p{N}\S*/u.exec(withTokens(text, () => ' ')) ?? [];
      return number === undefined
        ? null
        : `"${number}" is outside a token; every number, years too, is a token that names its cell`;
    },
  },
  {
    name: 'reviewed-word',
    test: (text) => {
      const { word, what } = claimIn(readable(text)) ?? {};
      if (word === undefined) return null;
      return what === 'number'
        ? `"${word}" is a number in words; cite the cell it comes from`
        : `"${word}" is a word of ${what} (build/newsroom/lists/${what}.txt)`;
    },
  },
];

/** Stories may speak of the scores an index prints, which no label may; of nothing else that may not be packaged. */
function placeOrForbiddenIn(text: string): string | null {
  if (namesPlace(text) || STREET_NAMES.some((pattern) => pattern.test(text)))
    return 'a place finer than a story may name';
  const what = forbiddenIn(text);
  return what === 'a score' ? forbiddenIn(text.replaceAll(/\bscor(?:es?|ed|ing)\b/giu, ' ')) : what;
}

function readable(text: string): string {
  return plainMarkdown(withTokens(text, () => CELL));
}
