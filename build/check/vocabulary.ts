/**
 * The closed list of labels: a text of a row or of the list of geographies that is not a line of vocabulary.csv stops the
 * build with its row. The list itself is reviewed, so its lines are only checked for the form of a label.
 */
import { descriptorFinding, rowFinding, type Finding } from '../lib/findings.ts';
import { termFault, termKey, termsOf, termText, vocabularyFile, type Term } from '../lib/vocabulary.ts';
import type { LoadedDataset } from '../load/datasets.ts';

/** Findings of the list itself, which the editions of a dataset share. */
export function checkList({ folder, vocabulary }: LoadedDataset): Finding[] {
  return vocabulary.flatMap(({ line, term }) => {
    const fault = termFault(term);
    const message = `${termText(term)} cannot be a label: ${fault}`;
    return fault === null
      ? []
      : [{ file: vocabularyFile(folder), row: line, rule: 'vocabulary-line', message }];
  });
}

/** Findings of the labels outside the list; a label of many rows is reported once, with its first row. */
export function checkVocabulary(loaded: LoadedDataset): Finding[] {
  const { folder, vocabulary, lines } = loaded;
  // A list that cannot be read is one finding, not one per label.
  if (vocabulary.length === 0) return [];
  const known = new Set(vocabulary.map(({ term }) => termKey(term)));
  const { descriptor, rows } = termsOf(loaded);
  const first = new Map<Term, { row: number | null; rows: number }>();
  const note = (term: Term, row: number | null): void => {
    const found = first.get(term);
    if (found) found.rows += 1;
    else first.set(term, { row, rows: 1 });
  };
  for (const [position, terms] of rows.entries())
    for (const term of terms) note(term, lines[position] ?? null);
  for (const term of descriptor) note(term, null);
  return [...first]
    .filter(([term]) => !known.has(termKey(term)))
    .map(([term, { row, rows: count }]) => {
      const more = count > 1 && row !== null ? ` (${count} times, first here)` : '';
      const file = vocabularyFile(folder);
      const message = `${termText(term)} is not in ${file}${more}; a new label is a reviewed line of that file`;
      return row === null
        ? descriptorFinding(loaded, 'vocabulary', message)
        : rowFinding(loaded, row, 'vocabulary', message);
    });
}
