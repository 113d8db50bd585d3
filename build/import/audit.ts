/** What an import did with every row it read: the numbers a reviewer checks before committing a dataset. */
export interface Audit {
  read: number;
  kept: number;
  /** Count by unavailable reason. */
  unavailable: Record<string, number>;
  /** Count of source rows or columns not packaged, by reason in words. */
  withheld: Record<string, number>;
  /** Oddities kept as printed: `min above max kept as printed`. */
  notes: Record<string, number>;
}

export function newAudit(): Audit {
  return { read: 0, kept: 0, unavailable: {}, withheld: {}, notes: {} };
}

/** Adds one to a counter of the audit. */
export function count(counter: Record<string, number>, key: string, by = 1): void {
  counter[key] = (counter[key] ?? 0) + by;
}

/** The audit as plain lines. */
export function auditLines(dataset: string, audit: Audit): string[] {
  const table = (title: string, counter: Record<string, number>): string[] =>
    Object.keys(counter)
      .sort()
      .map((key) => `  ${title} ${counter[key]}  ${key}`);
  return [
    `${dataset}: ${audit.read} rows read, ${audit.kept} kept`,
    ...table('unavailable', audit.unavailable),
    ...table('withheld', audit.withheld),
    ...table('note', audit.notes),
  ];
}
