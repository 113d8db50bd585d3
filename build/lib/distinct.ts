/** The members of a list that differ by key (by themselves, unless one is given): the first of each, where the last of each is. */
export function distinct<T>(items: readonly T[], key: (item: T) => unknown = (item) => item): T[] {
  return [...new Map(items.toReversed().map((item) => [key(item), item])).values()].toReversed();
}
