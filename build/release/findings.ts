/**
 * What a verification may find. rules.json has every rule with its exit code by what it is about: 1 integrity, 3 trust,
 * 4 freshness, 5 transport. docs/trust.md says which attack each one catches.
 */
import RULES from './rules.json' with { type: 'json' };

/** One finding about one file of a release. */
export interface ReleaseFinding {
  file: string;
  rule: keyof typeof RULES;
  message: string;
}

/** The exit codes of a verification with what they mean; where findings differ, the first of these codes counts. */
const CODES = new Map([
  [3, 'signature or key'],
  [1, 'a file is not as released, or a failure'],
  [4, 'expired or rolled back'],
  [5, 'a file did not arrive'],
]);

/** The disk is full; nothing is wrong with the release. */
export const NO_SPACE = 6;

/** What the commands about releases say about their exit codes in their help. */
export const RELEASE_CODES = `Exit codes: ${[
  [0, 'fine'],
  [2, 'wrong usage or a bad setting'],
  ...CODES,
  [NO_SPACE, 'no space left for a mirror'],
]
  .sort()
  .map((code) => code.join(' '))
  .join(', ')}.`;

/** Exit code of a verification; 0 without findings. */
export function exitCodeOf(findings: ReleaseFinding[]): number {
  const codes = new Set<number>(findings.map(({ rule }) => RULES[rule]));
  return [...CODES.keys()].find((code) => codes.has(code)) ?? 0;
}

/** `data/x.ndjson: content: has the sha256 ...`: one line, whatever a hostile mirror put into it. */
export function releaseFindingLine({ file, rule, message }: ReleaseFinding): string {
  return `${file}: ${rule}: ${message}`.replaceAll(/\p{Cc}/gu, '?');
}
