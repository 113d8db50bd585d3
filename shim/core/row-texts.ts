/** Remembers one text per row of a pack, so that it is read from each record only once. */
import type { Pack } from './types.ts';

/** The texts of rows that are known so far. They take four bytes per row, and each distinct text once. */
export interface RowTexts {
  /** The text of a row; undefined where it is not known yet. */
  get(row: number): string | undefined;
  set(row: number, text: string): void;
}

/** An empty list for the rows of a pack. `derive` keeps one for each function, so each kind of text has a function that calls this. */
export function rowTexts({ entry }: Pack): RowTexts {
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  /** By row: the number of its text, counted from 1, or 0 where it is not known. */
  const ofRow = new Uint32Array(entry.rows);
  return {
    get: (row) => texts[(ofRow[row] ?? 0) - 1],
    set(row, text) {
      const number = numbers.get(text) ?? texts.push(text);
      numbers.set(text, number);
      ofRow[row] = number;
    },
  };
}
