/** The geographies of one dataset while it is being read: one name a code, the first one printed. */
import { byCodeUnits, type Geography } from '../lib/dataset.ts';

/** `add` returns the code to put in a row; `list` gives the descriptor's list, ordered by code. */
export interface Geographies {
  add(geography: Geography): string;
  list(): Geography[];
}

/** An empty collection. */
export function newGeographies(): Geographies {
  const known = new Map<string, Geography>();
  return {
    add(geography) {
      if (!known.has(geography.code)) known.set(geography.code, geography);
      return geography.code;
    },
    list: () => [...known.values()].sort((a, b) => byCodeUnits(a.code, b.code)),
  };
}
