/**
 * Selection over designations: a pack of a few thousand records in the order of their folded names, filtered by scanning
 * small columns.
 *
 * Index header: `names` (folded), `types`, `programs`, `countries` [[printed name, alpha-2 or null, alpha-3 or null]...].
 * Columns: `type`, `programs` (bit mask), `countryFrom` (row -> first position in `country`, one more than rows), `country`.
 */
import type { RowRange } from './series.ts';
import type { PackIndex } from './types.ts';

export interface NameFilter {
  entity_type?: string | undefined;
  program?: string | undefined;
  country?: string | undefined;
  query?: string | undefined;
}

/** Answers filters over one index. */
export interface NameSelector {
  /** Rows that match, ascending. */
  rows(filter: NameFilter): number[];
  /** The filter in the one spelling that all its spellings share: the same rows, so the same cursors. */
  normalized(filter: NameFilter): NameFilter;
}

/** Builds the selector of an index. */
export function nameSelector(index: PackIndex): NameSelector {
  const names = index.header['names'] as string[];
  const words = names.map((name) => wordsOf(name));
  const types = index.header['types'] as string[];
  const programs = index.header['programs'] as string[];
  const countries = (index.header['countries'] as (string | null)[][]).map((spellings) =>
    spellings.map((text) => text?.toLowerCase() ?? null),
  );
  const type = index.column('type');
  const mask = index.column('programs');
  const countryFrom = index.column('countryFrom');
  const country = index.column('country');

  const inCountry = (row: number, wanted: Set<number>): boolean => {
    for (let at = countryFrom[row] ?? 0; at < (countryFrom[row + 1] ?? 0); at += 1)
      if (wanted.has(country[at] ?? -1)) return true;
    return false;
  };

  const countriesAsked = (named: string): number[] => {
    const asked = named.toLowerCase();
    return countries.flatMap((spellings, id) => (spellings.includes(asked) ? [id] : []));
  };

  const rowsOf = (filter: NameFilter): number[] => {
    const bit = filter.program === undefined ? 0 : 1 << programs.indexOf(filter.program);
    const typeId = filter.entity_type === undefined ? -1 : types.indexOf(filter.entity_type);
    const wanted = filter.country === undefined ? null : new Set(countriesAsked(filter.country));
    const query = filter.query === undefined ? [] : wordsOf(fold(filter.query));
    const rows: number[] = [];
    for (const [row, own] of words.entries()) {
      if (filter.entity_type !== undefined && type[row] !== typeId) continue;
      if (filter.program !== undefined && ((mask[row] ?? 0) & bit) === 0) continue;
      if (wanted && !inCountry(row, wanted)) continue;
      if (query.every((word) => own.some((candidate) => candidate.startsWith(word)))) rows.push(row);
    }
    return rows;
  };

  return {
    rows: rowsOf,
    normalized({ country: named, query, ...others }) {
      const asked = named === undefined ? {} : { country: spellingOf(countriesAsked(named), named) };
      const wordsAsked = query === undefined ? {} : { query: wordsInOrder(query) };
      return { ...others, ...asked, ...wordsAsked };
    },
  };

  function spellingOf(ids: number[], named: string): string {
    return ids.map((id) => countries[id]?.[0]).join('|') || named.toLowerCase();
  }
}

/** The words a query asks for, each once, in an order of ours. */
function wordsInOrder(query: string): string {
  return [...new Set(wordsOf(fold(query)))].sort().join(' ');
}

/** Ascending rows as ranges. */
export function rangesOf(rows: number[]): RowRange[] {
  const ranges: RowRange[] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last && last[1] === row) last[1] = row + 1;
    else ranges.push([row, row + 1]);
  }
  return ranges;
}

/** Lower case without diacritics: how official names are ordered and searched. */
export function fold(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The words of a folded text: runs of letters and digits. */
export function wordsOf(folded: string): string[] {
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}
