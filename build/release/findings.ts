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

/** Exit code of a verification: trust before integrity before freshness before transport; 0 without findings. */
export function exitCodeOf(findings: ReleaseFinding[]): number {
  const codes = new Set<number>(findings.map(({ rule }) => RULES[rule]));
  return [3, 1, 4, 5].find((code) => codes.has(code)) ?? 0;
}

/** `data/x.ndjson: content: has the sha256 ...`: one line, whatever a hostile mirror put into it. */
export function releaseFindingLine({ file, rule, message }: ReleaseFinding): string {
  return `${file}: ${rule}: ${message}`.replaceAll(/\p{Cc}/gu, '?');
}
