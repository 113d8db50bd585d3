/** A text of a row that is read out of its record once. */
import type { Pack } from './types.ts';

/** Texts of the rows of a pack, as far as they were looked at: four bytes a row, and each text once. */
export interface RowTexts {
  /** The text of a row; undefined where it is not known yet. */
  get(row: number): string | undefined;
  set(row: number, text: string): void;
}

/** An empty list for the rows of a pack. */
export function rowTexts({ entry }: Pack): RowTexts {
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  /** The number of the text, counted from 1. */
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
