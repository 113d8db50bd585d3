/** The annex on seizures, a workbook that importer tests damage: a title, a header row and one sound row. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Importer, ImportOptions, SourceFile } from '../../build/import/importer.ts';
import { seizures } from '../../build/import/seizures-prices.ts';
import { workbookFile, type Oddities, type TestCell } from './workbook.ts';

/** The title says of which edition the table is. */
export const TITLED = { retrieved: '2026-11-20' };
export const TITLE = 'Drug seizures, 2019-2023';
export const HEAD = 'Country DrugGroup DrugSubGroup DrugName ReferenceYear Kilograms msCode'.split(' ');
export const FIRST: TestCell[] = ['Kenya', 'Opioids', 'Opiates', 'Heroin', 2022, 1.5, 'KEN'];

/** The workbook with this sheet. */
export function sheetOf(rows: TestCell[][], oddities?: Oddities): SourceFile {
  return workbookFile('7.1.xlsx', { Seizures: rows }, oddities);
}

/** The workbook with these rows below title and header. */
export function annex(...rows: TestCell[][]): SourceFile {
  return sheetOf([[TITLE], HEAD, ...rows]);
}

/** Reads a file, of seizures unless stated: what a test expects to throw. */
export function reading(
  file: SourceFile,
  importer: Importer = seizures,
  options: ImportOptions = TITLED,
): () => unknown {
  return () => importer.read([file], options);
}

/** A workbook, the annex unless stated, with some of its parts written in another way; without those that become null. */
export function withParts(
  changes: Record<string, (text: string) => string | null>,
  file = annex(FIRST),
): SourceFile {
  const parts = unzipSync(file.bytes);
  for (const [name, change] of Object.entries(changes)) {
    const before = strFromU8(parts[name] ?? new Uint8Array());
    const after = change(before);
    if (after === before) throw new Error(`nothing was changed in ${name}`);
    if (after === null) delete parts[name];
    else parts[name] = strToU8(after);
  }
  return { ...file, bytes: zipSync(parts) };
}

/** The path of the first sheet in a workbook. */
export const SHEET = 'xl/worksheets/sheet1.xml';

/** A workbook, the annex unless stated, with another text as its first sheet, or without that sheet where `change` returns null. */
export function rewritten(change: (sheet: string) => string | null, file?: SourceFile): SourceFile {
  return withParts({ [SHEET]: change }, file);
}
