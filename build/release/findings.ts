/** What a verification may find: every rule with its class, every class with its exit code. */

/** Class of a finding: what to do about it differs. */
export type FindingClass = 'integrity' | 'trust' | 'freshness' | 'transport';

/** Every rule of `verify`, by its stable name. docs/trust.md says which attack each one catches. */
export const RULES = {
  manifest: 'integrity',
  content: 'integrity',
  missing: 'integrity',
  unlisted: 'integrity',
  swapped: 'integrity',
  mixed: 'integrity',
  sidecar: 'integrity',
  sums: 'integrity',
  'page-chain': 'integrity',
  delta: 'integrity',
  signature: 'trust',
  unsigned: 'trust',
  'signing-key': 'trust',
  equivocation: 'trust',
  expired: 'freshness',
  rollback: 'freshness',
  unreachable: 'transport',
  status: 'transport',
  redirect: 'transport',
  oversized: 'integrity',
  'media-type': 'transport',
  cors: 'transport',
  'bare-address': 'transport',
} as const satisfies Record<string, FindingClass>;

/** Exit codes by class, the most serious class first: it decides. 0 means no finding, 2 wrong usage. */
const EXIT_CODES: [FindingClass, number][] = [
  ['trust', 3],
  ['integrity', 1],
  ['freshness', 4],
  ['transport', 5],
];

/** One finding about one file of a release. */
export interface ReleaseFinding {
  file: string;
  rule: keyof typeof RULES;
  message: string;
}

/** Exit code of a verification. */
export function exitCodeOf(findings: ReleaseFinding[]): number {
  const classes = new Set<FindingClass>(findings.map(({ rule }) => RULES[rule]));
  return EXIT_CODES.find(([name]) => classes.has(name))?.[1] ?? 0;
}

/** `data/x.ndjson: content: has the sha256 ...`: one line, whatever a hostile mirror put into it. */
export function releaseFindingLine({ file, rule, message }: ReleaseFinding): string {
  return `${file}: ${rule}: ${message}`.replaceAll(/\p{Cc}/gu, '?');
}
