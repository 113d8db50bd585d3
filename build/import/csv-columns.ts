/** Finds the columns of a CSV table by their header words, never by position. */
import type { CsvRecord } from '../lib/csv.ts';
import { Refusal, shown } from './refusal.ts';

/** The index of each key's column in a header record; a missing or repeated column is a Refusal naming the row. */
export function columnsOf<K extends string>(
  file: string,
  header: CsvRecord | undefined,
  spellings: Record<K, string>,
): Record<K, number> {
  const found = {} as Record<K, number>;
  const words = (header?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  for (const key of Object.keys(spellings) as K[]) {
    const word = spellings[key].toLowerCase();
    found[key] = words.indexOf(word);
    if (found[key] < 0 || words.lastIndexOf(word) !== found[key])
      throw new Refusal(
        file,
        `row ${header?.line ?? 1}`,
        `one column "${spellings[key]}"`,
        shown(words.join(', ')),
      );
  }
  return found;
}
