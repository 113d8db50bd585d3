/**
 * The words of a directory of series, made of its texts and of what places are called: by the build for the index of the service,
 * in a browser for the search of the site. series-words.ts reads them and says what they are.
 */
import type { DirectoryTexts } from './series-directory.ts';
import { COLUMNS, isSaid, tellingLength } from './series-words.ts';
import { spelling } from './words.ts';

/** What values are called, by their columns; `printed` says whether a dataset prints it. */
interface Called {
  column: (typeof COLUMNS)[number];
  value: number;
  text: string;
  printed: boolean;
}

type Texts = Omit<DirectoryTexts, 'words' | 'joined'>;

/** What a place is called: as datasets print it, and otherwise. */
export interface PlaceNames {
  printed: readonly string[];
  names: readonly string[];
}

/** The part of header and columns that words are found by. */
export interface WordIndex {
  header: Pick<DirectoryTexts, 'words' | 'joined'>;
  columns: Record<string, Uint32Array>;
}

/** Work in steps of some milliseconds, so that a server answers others between them. */
export type Steps<T> = Generator<void, T, undefined>;

/** Takes all steps at once. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Names that are read in a step. */
const STEP_NAMES = 256;

/** Makes the words of a directory; `places` are in the order of the codes. */
export function* wordIndex(texts: Texts, places: readonly PlaceNames[]): Steps<WordIndex> {
  const names = new Map<string, { called: Called; words: string[]; length: number; whole: string | null }>();
  let read = 0;
  for (const called of calledIn(texts, places)) {
    read += 1;
    if (read % STEP_NAMES === 0) yield;
    const all = spelling(called.text).words;
    // A code may be written like a word that says nothing: DE, IN.
    const words = all.length > 1 && all.some(isSaid) ? all.filter(isSaid) : all;
    const key = `${called.column} ${called.value} ${words.join(' ')}`;
    const whole = called.column === 'geo' && all.length > 1 ? all.join('') : null;
    if (words.length > 0 && !names.has(key))
      names.set(key, { called, words, length: tellingLength(words), whole });
  }
  yield;
  const byWord = new Map<string, { names: number[]; printed: boolean }>();
  const joined: [text: string, name: number][] = [];
  for (const [name, { called, words, whole }] of [...names.values()].entries()) {
    for (const word of new Set(words)) {
      const known = byWord.get(word) ?? { names: [], printed: false };
      known.names.push(name);
      known.printed ||= called.printed;
      byWord.set(word, known);
    }
    if (whole !== null) joined.push([whole, name]);
  }
  yield;
  const words = [...byWord].sort(([a], [b]) => (a < b ? -1 : 1));
  joined.sort(([a, one], [b, other]) => (a === b ? one - other : a < b ? -1 : 1));
  yield;
  const from = [0];
  for (const [, { names: own }] of words) from.push((from.at(-1) ?? 0) + own.length);
  const all = [...names.values()];
  return {
    header: { words: words.map(([word]) => word), joined: joined.map(([text]) => text) },
    columns: {
      wordFrom: Uint32Array.from(from),
      wordName: Uint32Array.from(words.flatMap(([, { names: own }]) => own)),
      wordPrinted: Uint32Array.from(words, ([, { printed }]) => Number(printed)),
      joinedName: Uint32Array.from(joined, ([, name]) => name),
      nameColumn: Uint32Array.from(all, ({ called }) => COLUMNS.indexOf(called.column)),
      nameValue: Uint32Array.from(all, ({ called }) => called.value),
      nameLength: Uint32Array.from(all, ({ length }) => length),
    },
  };
}

function* calledIn(
  { datasets, indicators, geos, categories, subgroups, units, pages = [] }: Texts,
  places: readonly PlaceNames[],
): Generator<Called> {
  for (const [value, { dataset, id, label, market }] of indicators.entries())
    for (const text of [id, label, datasets[dataset]?.id ?? '', datasets[dataset]?.title ?? '', market])
      yield { column: 'indicator', value, text, printed: true };
  for (const [value, code] of geos.entries()) {
    for (const text of [code, ...(places[value]?.printed ?? [])])
      yield { column: 'geo', value, text, printed: true };
    for (const text of places[value]?.names ?? []) yield { column: 'geo', value, text, printed: false };
  }
  for (const [value, text] of categories.entries()) yield { column: 'category', value, text, printed: true };
  for (const [value, text] of subgroups.entries()) yield { column: 'subgroup', value, text, printed: true };
  // A unit counts from 1: 0 means several.
  for (const [at, text] of units.entries()) yield { column: 'unit', value: at + 1, text, printed: true };
  // A page has such names too, although no row has a page.
  for (const [at, texts] of pages.entries())
    for (const text of texts) yield { column: 'page', value: at + 1, text, printed: true };
}
