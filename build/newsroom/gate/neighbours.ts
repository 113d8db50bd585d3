/**
 * What stands beside a token. A value is printed as the record has it only when nothing next to it makes another number of it:
 * no letter, digit, sign or second token joined to it, no unit but the record's own, no currency, percent or magnitude.
 */
import type { Citation } from '../citation.ts';
import { folded, foldedWords } from './fold.ts';
import { plainMarkdown } from '../markdown.ts';
import { isQuantityWord, isSpan, singular } from './measures.ts';
import type { Passage } from '../story.ts';
import { withTokens } from '../token.ts';
import { CELL } from './words.ts';

/** A token between opening marks and closing ones; a possessive ends names alone. */
const ALONE = new RegExp(`^[(["'“‘]*${CELL}(?<owner>['’]s?)?[)\\]"'”’]*[.,;:!?]?[)\\]"'”’]*$`, 'u');

/** Words that say which of several units the next word is: "metric tonnes", "US dollars". */
const KINDS = /^(?:metric|cubic|square|us|american|international|short|long)$/;

/** A word of a passage; `value` is what the record prints where the word is a token. */
interface Word {
  text: string;
  value: string | null;
  unit: string | null;
}

/** What is wrong beside the tokens of a passage, or null. `citations` holds those that resolve. */
export function neighbourProblem(
  { text, tokens }: Passage,
  citations: ReadonlyMap<string, Citation>,
): string | null {
  const cells = tokens.map(({ raw }) => citations.get(raw));
  let position = 0;
  const plain = plainMarkdown(withTokens(text, () => CELL)).replaceAll(/\bper cent\b/giu, 'percent');
  const words = plain.split(/\s+/).map((word): Word => {
    if (!word.includes(CELL)) return { text: word, value: null, unit: null };
    const cell = cells[position];
    position += word.split(CELL).length - 1;
    return { text: word, value: cell?.printed ?? '', unit: cell?.unit ?? null };
  });
  for (const [at, word] of words.entries()) {
    if (word.value === null) continue;
    const { owner } = ALONE.exec(word.text)?.groups ?? {};
    if (!ALONE.test(word.text) || (owner?.endsWith('s') === true && isNumber(word.value)))
      return `"${word.text.replaceAll(CELL, '{{…}}')}" joins a token to what stands beside it; set a space between`;
    if (!isNumber(word.value)) continue;
    const beside = besideNumber(word, words[at - 1], words[at + 1], words[at + 2]);
    if (beside !== null)
      return `"${beside}" beside a value makes another number of it; cite the record's own unit with #unit`;
  }
  return null;
}

/** The word beside a number that would change it, or null. */
function besideNumber(number: Word, before?: Word, next?: Word, after?: Word): string | null {
  const own = new Set(foldedWords(number.unit?.replaceAll('%', ' percent ') ?? '').map(singular));
  const changes = ({ text }: Word, side: 'before' | 'after'): boolean => {
    const words = foldedWords(folded(text).replace(/'s?(?![a-z])/, ''));
    if (words.length === 0) return text !== '—' && text !== '';
    return words.some(
      (word) =>
        (/^[^ai]$/.test(word) || isQuantityWord(word) || (side === 'after' && isSpan(word))) &&
        !own.has(singular(word)),
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
