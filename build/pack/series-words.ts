/** The words of a directory of series as its index has them; shim/core/series-words.ts reads them and says what they are. */
import type { DirectoryTexts } from '../../shim/core/series-directory.ts';
import { COLUMNS, isSaid, tellingLength } from '../../shim/core/series-words.ts';
import { spelling } from '../../shim/core/words.ts';
import { byCodeUnits } from '../lib/dataset.ts';

/** What values are called, by their columns; `printed` says whether a dataset prints it. */
interface Called {
  column: (typeof COLUMNS)[number];
  value: number;
  text: string;
  printed: boolean;
}

type Texts = Omit<DirectoryTexts, 'words' | 'joined'>;

/** The part of header and columns that words are found by; `names` are those of each place that no dataset prints. */
export function wordIndex(
  texts: Texts,
  places: readonly { printed: readonly string[]; names: readonly string[] }[],
): { header: Pick<DirectoryTexts, 'words' | 'joined'>; columns: Record<string, Uint32Array> } {
  const names = new Map<string, { called: Called; words: string[]; whole: string | null }>();
  for (const called of calledIn(texts, places)) {
    const all = spelling(called.text).words;
    // A code may be written like a word that says nothing: DE, IN.
    const words = all.length > 1 && all.some(isSaid) ? all.filter(isSaid) : all;
    const key = JSON.stringify([called.column, called.value, words]);
    const whole = called.column === 'geo' && all.length > 1 ? all.join('') : null;
    if (words.length > 0 && !names.has(key)) names.set(key, { called, words, whole });
  }
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
  const words = [...byWord].sort(([a], [b]) => byCodeUnits(a, b));
  joined.sort(([a, one], [b, other]) => byCodeUnits(a, b) || one - other);
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
      nameLength: Uint32Array.from(all, (name) => tellingLength(name.words)),
    },
  };
}

function* calledIn(
  { datasets, indicators, geos, categories, subgroups, units }: Texts,
  places: Parameters<typeof wordIndex>[1],
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
  // A unit counts from 1: 0 stands for several.
  for (const [at, text] of units.entries()) yield { column: 'unit', value: at + 1, text, printed: true };
}
