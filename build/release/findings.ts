/** What a verification may find. */

/**
 * Every rule with its exit code by what it is about: 1 integrity, 3 trust, 4 freshness, 5 transport. docs/trust.md says which attack
 * each one catches.
 */
export const RULES = {
  manifest: 1,
  content: 1,
  missing: 1,
  unlisted: 1,
  swapped: 1,
  mixed: 1,
  sidecar: 1,
  sums: 1,
  'page-chain': 1,
  delta: 1,
  oversized: 1,
  signature: 3,
  unsigned: 3,
  'signing-key': 3,
  equivocation: 3,
  expired: 4,
  rollback: 4,
  unreachable: 5,
  status: 5,
  redirect: 5,
  'media-type': 5,
  cors: 5,
  'bare-address': 5,
} as const;

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
