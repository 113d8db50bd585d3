/** What the row rules share: a rule is a row of a table, and a finding names its file, line and rule. */
import type { LoadedDataset } from '../load/datasets.ts';
import type { Finding } from '../lib/findings.ts';

/** A rule over rows of one kind: null when the row holds it, else what is wrong. */
export interface Rule<Row, Facts> {
  name: string;
  test(row: Row, facts: Facts): string | null;
}

/** Applies every rule to every row. */
export function applyRules<Row, Facts>(
  { folder, lines }: LoadedDataset,
  rows: readonly Row[],
  rules: readonly Rule<Row, Facts>[],
  facts: Facts,
): Finding[] {
  const findings: Finding[] = [];
  for (const [position, row] of rows.entries()) {
    for (const { name, test } of rules) {
      const message = test(row, facts);
      if (message !== null)
        findings.push({ file: `${folder}/records.csv`, row: lines[position] ?? null, rule: name, message });
    }
  }
  return findings;
}

/** A finding about a descriptor as a whole. */
export function descriptorFinding({ folder }: LoadedDataset, rule: string, message: string): Finding {
  return { file: `${folder}/datapackage.json`, row: null, rule, message };
}
