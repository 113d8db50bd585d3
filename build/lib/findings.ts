import { counted } from '../../shim/view/words.ts';

/** What a check found: the file, the row in it, the rule, and what to do. All findings are collected, then the build stops once. */
export interface Finding {
  file: string;
  /** Line of the file from 1 (header included); null where the whole file is meant. */
  row: number | null;
  /** Short name of the rule, stable: `value-status`, `unique-id`. */
  rule: string;
  message: string;
}

/** What is said of something that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What to do about a file or folder that may not be used, by the code of the system, after a blank; empty for other codes. */
export function adviceOn(code: string | undefined): string {
  const isDenied = code === 'EACCES' || code === 'EPERM';
  return isDenied
    ? ' Change its permissions or those of the folder it is in, or run the command as a user who has them.'
    : '';
}

/** A finding about the descriptor of a dataset. */
export function descriptorFinding({ folder }: { folder: string }, rule: string, message: string): Finding {
  return { file: `${folder}/datapackage.json`, row: null, rule, message };
}

/** A finding about a row of a dataset, or about all its rows where `row` is null. */
export function rowFinding(
  { folder }: { folder: string },
  row: number | null,
  rule: string,
  message: string,
): Finding {
  return { file: `${folder}/records.csv`, row, rule, message };
}

/** `datasets/x/records.csv:17: value-status: ...`. */
export function findingLine({ file, row, rule, message }: Finding): string {
  return `${file}${row === null ? '' : `:${row}`}: ${rule}: ${message}`;
}

/** Thrown once, with every finding. */
export class BuildStopped extends Error {
  override name = 'BuildStopped';
  readonly findings: Finding[];

  constructor(findings: Finding[]) {
    const count = counted(findings.length, 'finding');
    super(`${count}; nothing was written\n${findings.map(findingLine).join('\n')}`);
    this.findings = findings;
  }
}
