/** Sorts names for people: case and diacritics do not matter, and the order is the same on every machine. Packaged data has another order. */
import { spelling } from './words.ts';

/** What a name is sorted by. Names without letters or digits come last. */
export function nameKey(name: string): string {
  return spelling(name).text || '~';
}

/** Sorts items by their first name, then by the next; equal spellings are in code-unit order. */
export function sortedByName<Item>(
  items: Iterable<Item>,
  ...namesOf: readonly ((item: Item) => string)[]
): Item[] {
  return [...items]
    .map((item) => {
      const names = namesOf.map((nameOf) => nameOf(item));
      return { item, keys: [...names.map(nameKey), ...names] };
    })
    .sort((a, b) => {
      const at = a.keys.findIndex((key, index) => key !== b.keys[index]);
      return at === -1 ? 0 : (a.keys[at] ?? '') < (b.keys[at] ?? '') ? -1 : 1;
    })
    .map(({ item }) => item);
}
