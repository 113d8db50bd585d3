/** The contract of an importer: one file per family of tables, listed in run.ts, which writes datasets. Importers are pure. */
import type { AcceptedNames } from '../lib/accepted-names.ts';
import type { Dataset } from '../lib/dataset.ts';
import { errorMessage } from '../lib/findings.ts';

/** A raw publisher file as handed over on the command line. */
export interface SourceFile {
  /** `<parent folder>/<base name>`, for messages and for publishers that name every file alike. */
  name: string;
  bytes: Uint8Array;
  sha256: string;
}

/** What an operator can state about files the importer has no record of. */
export interface ImportOptions {
  /** `YYYY-MM-DD`: when the copy was obtained, not in the future. */
  retrieved: string;
  /** `YYYY-MM-DD` or `YYYY-MM`: the publisher's date of the edition, for a file that does not say it. */
  edition?: string | undefined;
  /** The same form, by the sha256 of a file: when the publisher last changed it, used as its date where there is no other. */
  modified?: ReadonlyMap<string, string>;
  /** Official names that were accepted although a rule doubts them. */
  accepted?: AcceptedNames;
  /** The list of subjects that is packaged at present. */
  packaged?: PackagedList | undefined;
}

/** A packaged list of subjects: its date, the numbers of its subjects, and up to when it is known who has left it. */
export interface PackagedList {
  edition: string;
  numbers: ReadonlySet<number>;
  known: string;
}

/** A dataset that was read, and the account of its rows. */
export interface Imported {
  dataset: Dataset;
  audit: Audit;
}

/** The importer of one family of tables. */
export interface Importer {
  /** The word on the command line. */
  name: string;
  summary: string;
  datasets: string[];
  /** What files it takes, in words: `sdn.csv add.csv withdrawn.csv`. */
  files: string;
  /** Reads whole files or throws a Refusal. The same bytes and options give the same result. */
  read(files: SourceFile[], options: ImportOptions): Imported[];
}

/** What an import did with every row it read: the numbers a reviewer checks before committing a dataset. */
export interface Audit {
  read: number;
  kept: number;
  /** How many rows have no value, by reason. */
  unavailable: Record<string, number>;
  /** Count of source rows or columns not packaged, by reason in words. */
  withheld: Record<string, number>;
  /** Oddities kept as printed: `min above max kept as printed`. */
  notes: Record<string, number>;
}

/** An empty audit. */
export function newAudit(): Audit {
  return { read: 0, kept: 0, unavailable: {}, withheld: {}, notes: {} };
}

/** Adds one, or more, to a counter of the audit. */
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

/** The one file an importer takes; `expected` is what it is: `one workbook`. */
export function onlyFile(importer: string, files: SourceFile[], expected: string): SourceFile {
  const [file] = files;
  if (!file || files.length > 1) throw new Refusal(importer, 'the files', expected, `${files.length} files`);
  return file;
}

/** The one way an importer says no: where it looked, what it expected, what it found. Nothing is written after one. */
export class Refusal extends Error {
  /** `place` is a cell (`Sheet!H3`), a row (`row 17`) or a part of the file; file is its name. */
  constructor(file: string, place: string, expected: string, found: string) {
    super(`${file}: ${place}: expected ${expected}; found ${found}`);
    this.name = 'Refusal';
  }
}

const WEB_PAGE = /^\uFEFF?\s*(<(!--[\s\S]*?--|\?xml[^>]*)>\s*)*<(!doctype\s+html|html|head|body)\b/i;

/** Whether bytes begin like a web page, which servers send in place of a file. */
export function isWebPage(bytes: Uint8Array): boolean {
  return WEB_PAGE.test(Buffer.from(bytes.subarray(0, 4096)).toString());
}

/** Refuses a web page in place of a file. */
export function refuseWebPages(files: readonly SourceFile[]): void {
  const page = files.find(({ bytes }) => isWebPage(bytes));
  if (page)
    throw new Refusal(page.name, 'the file', 'a file of the publisher', 'a web page; download it again');
}

/** Reads a reviewed list of a dataset; what is wrong with it is said with its file. */
export function readList<Value>(
  file: string,
  bytes: Uint8Array | null,
  read: (bytes: Uint8Array | null) => Value,
): Value {
  try {
    return read(bytes);
  } catch (error) {
    throw new Error(`${file}: ${errorMessage(error)}`, { cause: error });
  }
}

/** A value as an error message shows it: quoted, cut, never empty. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'a blank cell';
  return JSON.stringify(typeof value === 'string' && value.length > 80 ? `${value.slice(0, 80)}...` : value);
}
