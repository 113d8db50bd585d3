/**
 * The reviewed list: words of cause, of guilt and of ranking that no story may use, and words for numbers, which belong into
 * tokens (number-words.ts). Phrases over folded text, whole words. A change here changes what the newsroom may say: review it
 * as such.
 */
import { folded } from './fold.ts';
import { numberWordIn, romanNumberIn } from './number-words.ts';

/** Phrases by what they would claim. `*` stands for any ending, `~` for up to two words in between. */
export const REVIEWED_WORDS: Record<string, string[]> = {
  cause: [
    'because',
    'caus*',
    'due',
    'owing',
    'owe* to',
    'thanks to',
    'as a result',
    'result* ~ in',
    'result* ~ from',
    'result of',
    'outcome of',
    'consequen*',
    'therefore',
    'hence',
    'thus',
    'thereby',
    'lead* ~ to',
    'led ~ to',
    'driv*',
    'drove',
    'fuel*',
    'trigger*',
    'spark*',
    'spur',
    'spurs',
    'spurr*',
    'prompt',
    'prompts',
    'prompted',
    'prompting',
    'provok*',
    'foster*',
    'propel*',
    'boost*',
    'engender*',
    'precipitat*',
    'catalys*',
    'facilitat*',
    'enabl*',
    'induc*',
    'attribut*',
    'ascrib*',
    'explain*',
    'explanat*',
    'blam*',
    'responsib*',
    'effect',
    'effects',
    'effected',
    'affect*',
    'impact*',
    'influenc*',
    'reason ~ for',
    'reason why',
    'reasons ~ for',
    'reasons why',
    'link*',
    'tie ~ to',
    'ties ~ to',
    'tied ~ to',
    'correlat*',
    'associat* ~ with',
    'association ~ between',
    'stem ~ from',
    'stems ~ from',
    'stemm* ~ from',
    'aris* ~ from',
    'arose ~ from',
    'follow* ~ from',
    'bring* ~ about',
    'brought ~ about',
    'giv* ~ rise',
    'gave ~ rise',
    'contribut*',
    'determin*',
    'accounted for',
    'in ~ response to',
    'following the ban',
    'in the wake of',
    'on account of',
    'so that',
    'which is why',
    'that is why',
  ],
  guilt: [
    'guilt*',
    'criminal',
    'criminals',
    'crook*',
    'kingpin*',
    'drug lord*',
    'druglord*',
    'cartel*',
    'crime boss*',
    'mob',
    'mobster*',
    'gang',
    'gangs',
    'gangster*',
    'mafi*',
    'narco*',
    'terroris*',
    'traffick*',
    'smuggl*',
    'launder*',
    'dealer*',
    'racketeer*',
    'brib*',
    'fraudster*',
    'culprit*',
    'perpetrat*',
    'offender*',
    'wrongdo*',
    'felon*',
    'conspir*',
    'culpab*',
    'complicit*',
    'accomplice*',
    'implicat*',
    'incriminat*',
    'convict*',
    'indict*',
    'suspect*',
    'accus*',
    'alleg*',
    'corrupt*',
    'thug*',
    'henchm*',
    'notori*',
    'infam*',
    'wanted for',
    'mastermind*',
    'ringleader*',
    'committed the',
  ],
  ranking: [
    'worst',
    'biggest',
    'highest',
    'lowest',
    'largest',
    'smallest',
    'greatest',
    'strongest',
    'weakest',
    'deadliest',
    'richest',
    'poorest',
    'the most',
    'most dangerous',
    'most corrupt',
    'most violent',
    'most wanted',
    'top of',
    'tops',
    'topped',
    'number one',
    'world leader*',
    'league table*',
    'rank*',
    'outrank*',
    'public enem*',
    'record high',
    'composite*',
    ...['combined', 'overall', 'total', 'joint', 'shared', 'aggregate', 'risk', 'danger'].flatMap((kind) => [
      `${kind} score*`,
      `${kind} index*`,
      `${kind} rating*`,
    ]),
  ],
};

/** What stands for a token while its sentence is read: a mark that is no letter, digit or space. */
export const CELL = '￼';

const PATTERNS: [what: string, pattern: RegExp][] = Object.entries(REVIEWED_WORDS).map(([what, phrases]) => [
  what,
  new RegExp(`(?<![a-z])(?:${phrases.map(phrasePattern).join('|')})(?![a-z])`),
]);

/** The first word of the list in a text whose tokens are `CELL`, and what it would claim; null where there is none. */
export function reviewedWordIn(text: string): { word: string; what: string } | null {
  for (const form of readings(text)) {
    for (const [what, pattern] of PATTERNS) {
      const [word] = pattern.exec(form) ?? [];
      if (word !== undefined) return { word, what };
    }
    const word = numberWordIn(form.match(/[a-z]+|￼/g) ?? [], CELL);
    if (word !== null) return { word, what: 'number' };
  }
  const word = romanNumberIn(text);
  return word === null ? null : { word, what: 'number' };
}

/** The text as it can be read: dashes as spaces, words closed over marks inside them, letters set apart joined. */
function readings(text: string): string[] {
  const closed = text.replaceAll(/(?<=\p{L})[\p{Pd}.'’_*/]+(?=\p{L})/gu, '');
  const joined = text.replaceAll(/(?<!\p{L})(?:\p{L}[ .]){2,}\p{L}(?!\p{L})/gu, (letters) =>
    letters.replaceAll(/[ .]/g, ''),
  );
  return [...new Set([text, closed, joined].map(folded))];
}

function phrasePattern(phrase: string): string {
  return phrase.replaceAll('*', '[a-z]*').replaceAll(' ~ ', "(?: [a-z']+){0,2} ");
}
