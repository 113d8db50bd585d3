/** Characters and markup that no text of a dataset may hold: what cannot be seen cannot be reviewed. */

const FAULTS: [pattern: RegExp, what: string][] = [
  [/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u, 'a control, bidirectional or invisible character'],
  // A letter of another script that looks like a Latin one would carry a word past every rule over words.
  [
    /\p{Script=Latin}\p{M}*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{M}*\p{Script=Latin}/u,
    'letters of two scripts in one word',
  ],
  [/(?![0-9])\p{Nd}/u, 'digits other than 0 to 9'],
  // `<slug>` is how column descriptions write a placeholder.
  [/<(?!slug>)\s*[a-z/!?]|&(#\d+|#x[0-9a-f]+|[a-z]+);|\bjavascript:/i, 'markup'],
];

/** What text holds that no text may, or null. */
export function characterFaultIn(text: string): string | null {
  return FAULTS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
