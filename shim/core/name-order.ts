/** The order of names for people: case and diacritics do not matter. It is the same on every machine; packaged data has an order of its own. */
import { spelling } from './words.ts';

/** Items by their names: by the first, where that is alike by the next; without a letter last. Spelled alike, they are in code units. */
export function sortedByName<Item>(
  items: Iterable<Item>,
  ...namesOf: readonly ((item: Item) => string)[]
): Item[] {
  return [...items]
    .map((item) => {
      const names = namesOf.map((nameOf) => nameOf(item));
      return { item, keys: [...names.map((name) => spelling(name).text || '~'), ...names] };
    })
    .sort((a, b) => {
      const at = a.keys.findIndex((key, index) => key !== b.keys[index]);
      return at === -1 ? 0 : (a.keys[at] ?? '') < (b.keys[at] ?? '') ? -1 : 1;
    })
    .map(({ item }) => item);
}
