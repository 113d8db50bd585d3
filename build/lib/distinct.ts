/** The members of a list that differ by key (by themselves, unless one is given): the first of each, in their order. */
export function distinct<T>(items: readonly T[], key: (item: T) => unknown = (item) => item): T[] {
  const firsts = new Map<unknown, T>();
  for (const item of items) if (!firsts.has(key(item))) firsts.set(key(item), item);
  return [...firsts.values()];
}
