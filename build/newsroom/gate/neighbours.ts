/**
 * What is next to a token. A value is printed as the record has it only when nothing next to it makes another number of it:
 * no letter, digit, sign or second token joined to it, no unit but the record's own, no currency, percent or magnitude.
 */
import type { Citation } from '../citation.ts';
import { plainMarkdown } from '../markdown.ts';
import { withTokens, type Passage } from '../story.ts';
import { CELL, folded, foldedWords, wordList } from './words.ts';

/** A token between opening marks and closing ones; only names have a possessive. */
const ALONE = new RegExp(`^[(["'“‘]*${CELL}(?<owner>['’]s?)?[)\\]"'”’]*[.,;:!?]?[)\\]"'”’]*$`, 'u');

/** Units, currencies and magnitudes: next to a number they make it another quantity. */
const MEASURES = new Set(wordList('measures'));
const OPERATIONS =
  /^(?:minus|plus|negative|times|point|dot|divided|multiplied|squared|cubed|metric|cubic|square|degrees?)$/;
/** Spans of time change a number they follow, not one they come before ("the year"). */
const SPANS = /^(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?)$/;
/** Words that say which of several units the next word is: "metric tonnes", "US dollars". */
const KINDS = /^(?:metric|cubic|square|us|american|international|short|long)$/;

/** A word of a passage; `value` is what the record prints where the word is a token. */
interface Word {
  text: string;
  value: string | null;
  unit: string | null;
}

/** What is wrong next to the tokens of a passage, or null. `citations` holds those that resolve. */
export function neighbourProblem(
  { text, tokens }: Passage,
  citations: ReadonlyMap<string, Citation>,
): string | null {
  const cells = tokens.map(({ raw }) => citations.get(raw));
  const plain = plainMarkdown(withTokens(text, () => CELL)).replaceAll(/\bper cent\b/giu, 'percent');
  const words = plain.split(/\s+/).map((word): Word => {
    const [cell] = cells.splice(0, word.split(CELL).length - 1);
    return word.includes(CELL)
      ? { text: word, value: cell?.printed ?? '', unit: cell?.unit ?? null }
      : { text: word, value: null, unit: null };
  });
  for (const [at, word] of words.entries()) {
    if (word.value === null) continue;
    const { owner } = ALONE.exec(word.text)?.groups ?? {};
    if (!ALONE.test(word.text) || (owner?.endsWith('s') === true && isNumber(word.value)))
      return `"${word.text.replaceAll(CELL, '{{…}}')}" joins a token to its neighbour; put a space between them`;
    if (!isNumber(word.value)) continue;
    const changing = changingWord(word, words[at - 1], words[at + 1], words[at + 2]);
    if (changing !== null)
      return `"${changing}" next to a value makes another number of it; cite the record's own unit with #unit`;
  }
  return null;
}

/** The word next to a number that would change it, or null. */
function changingWord(number: Word, before?: Word, next?: Word, after?: Word): string | null {
  const own = new Set(foldedWords(number.unit?.replaceAll('%', ' percent ') ?? '').map(singular));
  const changes = ({ text }: Word, side: 'before' | 'after'): boolean => {
    const words = foldedWords(folded(text).replace(/'s?(?![a-z])/, ''));
    if (words.length === 0) return text !== '—' && text !== '';
    return words.some(
      (word) =>
        !own.has(singular(word)) &&
        (/^[^ai]$/.test(word) ||
          MEASURES.has(word) ||
          OPERATIONS.test(word) ||
          (side === 'after' && SPANS.test(word))),
    );
  };
  if (before?.value === null && !/[.,;:!?]["”’)\]]*$/.test(before.text) && changes(before, 'before'))
    return before.text;
  if (!next || /[.,;:!?]/.test(number.text)) return null;
  if (next.value !== null)
    return /\d$/.test(number.value ?? '') && /^[-+.]?\d/.test(next.value) ? 'another value' : null;
  if (changes(next, 'after')) return next.text;
  const isKind = KINDS.test(folded(next.text));
  return isKind && after?.value === null && changes(after, 'after') ? `${next.text} ${after.text}` : null;
}

/** Whether a printed value begins and ends as a number does: an amount, a year, a month. */
function isNumber(printed: string): boolean {
  return /^[-+.]?\d/.test(printed) && /\d$/.test(printed);
}

/** A word without the mark of its plural, for comparing with a unit as a source prints it. */
function singular(word: string): string {
  return word.replace(/(?<=..)s$/, '');
}
