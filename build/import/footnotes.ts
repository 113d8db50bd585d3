/** The footnotes of a table of areas: letters at labels and next to values, some of which name an area concept, which is part of a key. */
import { refuse, type Cell } from './cells.ts';
import type { Family } from './family.ts';
import { Refusal, shown } from './importer.ts';
import type { Sheet } from './workbook.ts';

/** A table with its footnotes by their marks, and the marks that were met in it. */
interface Marked {
  sheet: Sheet;
  family: Family;
  footnotes: ReadonlyMap<string, string>;
  marks: ReadonlySet<string>;
}

/** The letters of a text of footnote marks. */
export function marksIn(text: string): Set<string> {
  return new Set(text.match(/[a-z]/g));
}

/**
 * The footnotes of a label that name its area concept, as printed: they tell lines of one country apart, and are part of the key.
 * In a family with concepts any other footnote of a label is refused, since it may name one too, unless it is listed with an empty category.
 */
export function conceptsIn({ name, concepts }: Family, label: Cell, footnotes: string[]): string[] {
  const known = concepts.map(({ says }) => says).join(' or ');
  const expected = `a footnote like ${known}, which name an area concept; a new one goes into build/import/${name}.yaml`;
  return footnotes.filter((text) => {
    const concept = conceptOf(concepts, text);
    if (!concept && known !== '')
      refuse(label, expected, `${shown(label.value)} with ${JSON.stringify(text)}`);
    return concept !== undefined && concept.category === undefined;
  });
}

function conceptOf(concepts: Family['concepts'], text: string): Family['concepts'][number] | undefined {
  return concepts.find(({ says }) => new RegExp(says, 'i').test(text));
}

/** Refuses a footnote that names an area concept and whose mark is used nowhere: a label that has lost its mark would begin another series. */
export function refuseUnused({
  sheet: { file, name },
  family: { concepts },
  footnotes,
  marks,
}: Marked): void {
  const [mark, text] =
    [...footnotes].find(([one, note]) => !marks.has(one) && conceptOf(concepts, note)) ?? [];
  if (mark === undefined) return;
  const expected = `the mark "${mark}" at a label or next to a value, since ${shown(text)} names an area concept`;
  throw new Refusal(file, `the labels of "${name}"`, expected, 'none');
}
