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

/** What the exit codes of a verification mean; of several findings the first of these codes counts. */
const CODES = new Map([
  [3, 'signature or key'],
  [1, 'a file is not as released'],
  [4, 'expired or rolled back'],
  [5, 'a file did not arrive'],
]);

/** The disk is full; nothing is wrong with the release. */
export const NO_SPACE = 6;

/** What the commands about releases say of their exit codes in their help. */
export const RELEASE_CODES = `Exit codes: 0 fine, 1 ${CODES.get(1)} or a failure, 2 wrong usage or a bad setting, ${[
  3, 4, 5,
]
  .map((code) => `${code} ${CODES.get(code)}`)
  .join(', ')}, ${NO_SPACE} no space left for a mirror.`;

/** Exit code of a verification; 0 without findings. */
export function exitCodeOf(findings: ReleaseFinding[]): number {
  const codes = new Set<number>(findings.map(({ rule }) => RULES[rule]));
  return [...CODES.keys()].find((code) => codes.has(code)) ?? 0;
}

/** `data/x.ndjson: content: has the sha256 ...`: one line, whatever a hostile mirror put into it. */
export function releaseFindingLine({ file, rule, message }: ReleaseFinding): string {
  return `${file}: ${rule}: ${message}`.replaceAll(/\p{Cc}/gu, '?');
}
