/**
 * Makes the words of a directory of series from its texts and the names of places: in the build for the index of the service, in a
 * browser for the search of the site. series-words.ts reads them and describes their columns.
 */
import type { DirectoryTexts } from './series-directory.ts';
import { COLUMNS, isSaid, tellingLength } from './series-words.ts';
import type { Steps } from './steps.ts';
import { spelling } from './words.ts';

/** A name of a value of a column; `printed` says whether a dataset prints it. */
interface Called {
  column: (typeof COLUMNS)[number];
  value: number;
  text: string;
  printed: boolean;
}

type Texts = Omit<DirectoryTexts, 'words' | 'joined'>;

/** The names of a place: as datasets print them, and others. */
export interface PlaceNames {
  printed: readonly string[];
  names: readonly string[];
}

/** The header members and columns of the index that hold the words. */
export interface WordIndex {
  header: Pick<DirectoryTexts, 'words' | 'joined'>;
  columns: Record<string, Uint32Array>;
}

/** Names that are read per step. */
const STEP_NAMES = 256;

/** Makes the words of a directory; `places` are in the order of the codes. */
export function* wordIndex(texts: Texts, places: readonly PlaceNames[]): Steps<WordIndex> {
  const names = new Map<string, { called: Called; words: string[]; length: number; whole: string | null }>();
  let read = 0;
  for (const called of calledIn(texts, places)) {
    read += 1;
    if (read % STEP_NAMES === 0) yield;
    const all = spelling(called.text).words;
    // A name of one word is kept whole: a code may be spelled like a stop word (DE, IN).
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
  // Units count from 1: 0 means that a series has several.
  for (const [at, text] of units.entries()) yield { column: 'unit', value: at + 1, text, printed: true };
  // Pages count from 1 too: no row has a page, and 0 means none.
  for (const [at, texts] of pages.entries())
    for (const text of texts) yield { column: 'page', value: at + 1, text, printed: true };
}
