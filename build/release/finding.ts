/** What a verification may find: every rule with its class, every class with its exit code. */

/** Class of a finding: what to do about it differs. */
export type FindingClass = 'integrity' | 'trust' | 'freshness' | 'transport';

/** Every rule of `verify`, by its stable name. docs/trust.md says which attack each catches. */
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

/** Exit code of a class; the gravest class found decides. 0 is no finding, 2 wrong usage. */
export const EXIT_CODES: [FindingClass, number][] = [
  ['trust', 3],
  ['integrity', 1],
  ['freshness', 4],
  ['transport', 5],
];

export type ReleaseRule = keyof typeof RULES;

/** One finding about one file of a release. */
export interface ReleaseFinding {
  file: string;
  rule: ReleaseRule;
  message: string;
}

/** Exit code of a verification. */
export function exitCodeOf(findings: ReleaseFinding[]): number {
  const classes = new Set<FindingClass>(findings.map(({ rule }) => RULES[rule]));
  return EXIT_CODES.find(([name]) => classes.has(name))?.[1] ?? 0;
}

/** `data/x.ndjson: content: has the sha256 ...`: one line, whatever a hostile mirror put into it. */
export function releaseFindingLine({ file, rule, message }: ReleaseFinding): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must not reach the terminal
  return `${file}: ${rule}: ${message}`.replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, '?');
}
