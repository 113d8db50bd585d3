/**
 * The search of the site: places, indicators, labels, pages, and the rows of a place that have all words of a query. It reads
 * words as the directory of series does, so the box on every page and `GET /api/v1/series` understand the same.
 */
import type { SeriesDirectory } from './series-directory.ts';
import { finished, type Steps } from './steps.ts';
import {
  allOf,
  inQuotes,
  matching,
  readAsNote,
  readingOf,
  rowScore,
  unknownNote,
  valuesOf,
  type Cover,
  type Reading,
} from './series-search.ts';
import { isYear, readWords } from './series-words.ts';
import { siteDirectory, type SiteIndex, type SitePageKind } from './site-index.ts';
import { spelling } from './words.ts';

/** A result, by positions in the index. */
export type SiteHit =
  | { kind: 'place'; place: number }
  | { kind: 'indicator'; indicator: number }
  | { kind: 'page'; page: number }
  /** The query has the form of a record id; whether there is such a record, only its page knows. */
  | { kind: 'record'; indicator: number; place: number; period: string; id: string }
  /** Series of one indicator and place that have all the words together. */
  | { kind: 'rows'; indicator: number; place: number; rows: number[] }
  /** Series of one indicator under one printed label; where category or subgroup alone has the words, the other is empty. */
  | { kind: 'label'; indicator: number; category: string; subgroup: string; rows: number[] };

/** The results of a query, best first, and notes on how it was read. */
export interface SiteFound {
  hits: SiteHit[];
  notes: string[];
}

/** The search over one index. */
export interface SiteSearch {
  index: SiteIndex;
  directory: SeriesDirectory;
  find(query: string): SiteFound;
}

/** The most characters of a query that are read. */
export const MOST_CHARACTERS = 120;

/** Opens an index at once. */
export function siteSearch(index: SiteIndex): SiteSearch {
  return finished(openingSearch(index));
}

/** Opens an index in steps. */
export function* openingSearch(index: SiteIndex): Steps<SiteSearch> {
  const directory = yield* siteDirectory(index);
  const words = readWords(directory, index.terms);
  const find = (text: string): SiteFound => {
    const query = text.slice(0, MOST_CHARACTERS);
    const record = recordNamed(index, query.trim());
    if (record) return { hits: [record], notes: [] };
    const reading = readingOf(directory, words, query, true);
    const { asked, leftOut, readAs, unknown } = reading;
    if (asked.length === 0) return { hits: [], notes: [] };
    const hits = unknown.length > 0 ? [] : best(search, reading, spelling(query).text);
    const others = asked.filter((word) => !isYear(word));
    // A year may be in the title of a page, but is mostly typed with words that it is not part of: search for these too.
    const isOfPages = hits.every(({ kind }) => kind === 'page');
    if (isOfPages && others.length > 0 && others.length < asked.length) {
      const { hits: found, notes } = find(others.join(' '));
      const pages = new Set(hits.map((hit) => (hit.kind === 'page' ? hit.page : null)));
      const further = found.filter((hit) => hit.kind !== 'page' || !pages.has(hit.page));
      const left = further.length > 0 ? asked.filter(isYear) : [];
      return {
        hits: [...hits, ...further],
        notes: [...left.map((year) => leftOutNote(year, hits.length)), ...notes],
      };
    }
    const notes = [
      ...leftOut.map((word) => leftOutNote(word)),
      ...readAs.map(readAsNote),
      ...unknown.map((at) => unknownNote(words, asked[at] ?? '')),
    ];
    if (hits.length === 0 && unknown.length === 0) notes.push('Nothing has all of these words. Use fewer.');
    return { hits, notes };
  };
  const search: SiteSearch = { index, directory, find };
  return search;
}

/** The record that an id names, with or without its edition; null for other words. */
function recordNamed({ indicators, places }: SiteIndex, id: string): SiteHit | null {
  // Only the place is in capitals or begins with x-, so it separates the indicator from the period.
  const [, own, geo, period = ''] = id.match(/^(.+?)\.([A-Z]{3}|x-.+?)\.(\d+-?\d*)[^ ]*$/) ?? [];
  const place = places.findIndex(([code]) => code === geo);
  const indicator = indicators.findIndex((each) => each.id === own);
  return place < 0 || indicator < 0 ? null : { kind: 'record', indicator, place, period, id };
}

/** The note that a year was left out, except in the first `kept` results, which have it. */
function leftOutNote(word: string, kept = 0): string {
  const after = kept === 0 ? '' : kept === 1 ? ' after the first result' : ` after the first ${kept} results`;
  return `${inQuotes(word)} was left out${after}: words do not select periods.`;
}

interface Scored {
  hit: SiteHit;
  score: number;
  /** How many series it stands for. */
  series: number;
}

/**
 * Added to scores by kind. A query that names a place and something else is about the rows that have both; a label or a title that
 * has a word among others comes after the indicator that is named by it.
 */
const WEIGHTS: Partial<Record<SiteHit['kind'] | SitePageKind, number>> = {
  rows: 0.2,
  source: -0.1,
  label: -0.2,
  story: -0.25,
};

/** Added where the whole name or title of a result is the query: more than any other score. Labels do not get it. */
const EXACT = 10;

/** The order of hits with equal scores, by kind. */
const ORDER: readonly SiteHit['kind'][] = ['rows', 'place', 'indicator', 'page', 'label'];

function best(search: SiteSearch, reading: Reading, written: string): SiteHit[] {
  const { index } = search;
  const isWritten = (texts: readonly string[]): boolean =>
    texts.some((text) => spelling(text).text === written);
  const hits = <Hit extends SiteHit>(
    column: Cover['name'],
    hitOf: (value: number) => Hit,
    textsOf: (hit: Hit) => readonly string[],
  ): Scored[] =>
    valuesOf(reading, column).map(({ value, score }) => {
      const hit = hitOf(value);
      return { hit, score: score + (isWritten(textsOf(hit)) ? EXACT : 0), series: 0 };
    });
  const all = [
    ...hits(
      'geo',
      (place) => ({ kind: 'place', place }),
      ({ place }) => index.places[place]?.slice(0, 2).flat() ?? [],
    ),
    ...hits(
      'indicator',
      (indicator) => ({ kind: 'indicator', indicator }),
      ({ indicator }) => [index.indicators[indicator]?.id ?? '', index.indicators[indicator]?.label ?? ''],
    ),
    ...hits(
      'page',
      // Pages count from 1 in the columns of words.
      (value) => ({ kind: 'page', page: value - 1 }),
      ({ page }) => index.pages[page]?.filter((_, at) => at !== 0 && at !== 2) ?? [],
    ),
    ...together(search, reading),
  ].map((scored) => ({ ...scored, score: scored.score + (WEIGHTS[kindOf(index, scored.hit)] ?? 0) }));
  return all
    .sort(
      (a, b) =>
        b.score - a.score || ORDER.indexOf(a.hit.kind) - ORDER.indexOf(b.hit.kind) || b.series - a.series,
    )
    .map(({ hit }) => hit);
}

function kindOf({ pages }: SiteIndex, hit: SiteHit): SiteHit['kind'] | SitePageKind {
  return hit.kind === 'page' ? (pages[hit.page]?.[0] ?? 'page') : hit.kind;
}

/** Series that have all words, grouped by place where its name is needed for that, else by label. A name that has all words is a hit itself. */
function together({ directory }: SiteSearch, { covers, asked }: Reading): Scored[] {
  const { categories, subgroups, column } = directory;
  const all = allOf(asked.length);
  const maskOf = (name: Cover['name']): ((row: number) => number) => {
    const cover = covers.find((each) => each.name === name);
    return cover ? (row) => cover.masks[cover.column[row] ?? 0] ?? 0 : () => 0;
  };
  const [indicatorMask, placeMask, unitMask] = [maskOf('indicator'), maskOf('geo'), maskOf('unit')];
  const [categoryMask, subgroupMask] = [maskOf('category'), maskOf('subgroup')];
  const others = covers.filter(({ name }) => name !== 'geo');
  const groups = new Map<string, { hit: SiteHit; rows: number[]; score: number }>();
  for (const row of matching(directory, covers, all, () => true)) {
    const [ofIndicator, ofCategory, ofSubgroup] = [indicatorMask(row), categoryMask(row), subgroupMask(row)];
    if (ofIndicator === all || placeMask(row) === all) continue;
    const isByPlace = (ofIndicator | ofCategory | ofSubgroup | unitMask(row)) !== all;
    const indicator = column('indicator')[row] ?? 0;
    const place = column('geo')[row] ?? 0;
    const inLabel = ofCategory | ofSubgroup;
    const category =
      ofCategory === inLabel || ofSubgroup !== inLabel
        ? (categories[column('category')[row] ?? 0] ?? '')
        : '';
    const subgroup = ofCategory === inLabel ? '' : (subgroups[column('subgroup')[row] ?? 0] ?? '');
    const label = inLabel === 0 ? '' : `${category}\n${subgroup}`;
    const key = isByPlace ? `${indicator} ${place}` : `${indicator}\n${label}`;
    const score = rowScore(isByPlace ? covers : others, asked.length, row) / asked.length;
    const known = groups.get(key);
    if (known) {
      known.rows.push(row);
      known.score = Math.max(known.score, score);
      continue;
    }
    const rows = [row];
    const hit: SiteHit = isByPlace
      ? { kind: 'rows', indicator, place, rows }
      : inLabel === 0
        ? { kind: 'indicator', indicator }
        : { kind: 'label', indicator, category, subgroup, rows };
    groups.set(key, { hit, rows, score });
  }
  return [...groups.values()].map(({ rows, ...group }) => ({ ...group, series: rows.length }));
}
