/**
 * The closed list of labels: a text of a row or of the list of geographies that is not a line of vocabulary.csv stops the
 * build with its row. The list itself is reviewed, so its lines are only checked for the form of a label.
 */
import { descriptorFinding, rowFinding, type Finding } from '../lib/findings.ts';
import { termFault, termKey, termsOf, termText, vocabularyFile } from '../lib/vocabulary.ts';
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
  const found = new Set(rows.map(({ term }) => termKey(term)));
  const ofDescriptor = descriptor.filter((term) => !found.has(termKey(term)));
  return [...rows, ...ofDescriptor.map((term) => ({ term, first: null, rows: 0 }))]
    .filter(({ term }) => !known.has(termKey(term)))
    .map(({ term, first, rows: count }) => {
      const row = first === null ? null : (lines[first] ?? null);
      const more = count > 1 && row !== null ? ` (${count} times, first here)` : '';
      const file = vocabularyFile(folder);
      const message = `${termText(term)} is not in ${file}${more}; a new label is a reviewed line of that file`;
      return row === null
        ? descriptorFinding(loaded, 'vocabulary', message)
        : rowFinding(loaded, row, 'vocabulary', message);
    });
}
