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

/** The annex with its first sheet written in another way; without it where there is no text. */
export function rewritten(change: (sheet: string) => string | null, file = annex(FIRST)): SourceFile {
  const name = 'xl/worksheets/sheet1.xml';
  const { [name]: part = new Uint8Array(), ...others } = unzipSync(file.bytes);
  const text = change(strFromU8(part));
  if (text === strFromU8(part)) throw new Error('nothing was changed');
  return { ...file, bytes: zipSync(text === null ? others : { ...others, [name]: strToU8(text) }) };
}
