/** What a check found: the file, the row in it, the rule, and what to do. All findings are collected, then the build stops once. */
export interface Finding {
  file: string;
  /** Line of the file from 1 (header included); null where the whole file is meant. */
  row: number | null;
  /** Short name of the rule, stable: `value-status`, `unique-id`. */
  rule: string;
  message: string;
}

/** `datasets/x/records.csv:17: value-status: ...`. */
export function findingLine({ file, row, rule, message }: Finding): string {
  return `${file}${row === null ? '' : `:${row}`}: ${rule}: ${message}`;
}

/** Thrown once, with every finding. */
export class BuildStopped extends Error {
  readonly findings: Finding[];

  constructor(findings: Finding[]) {
    super(
      `${findings.length} finding${findings.length === 1 ? '' : 's'}; nothing was written\n${findings.map(findingLine).join('\n')}`,
    );
    this.name = 'BuildStopped';
    this.findings = findings;
  }
}
