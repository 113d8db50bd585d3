/**
 * The closed list of labels: a text of a row or of the list of geographies that is not a line of vocabulary.csv stops the
 * build with its row. The list itself is reviewed, so its lines are only checked for the form of a label.
 */
import { descriptorFinding, rowFinding, type Finding } from '../lib/findings.ts';
import { termFault, termKey, termText, vocabularyFile, type TermCounter } from '../lib/vocabulary.ts';
import type { FoundEdition } from '../load/datasets.ts';

/** Findings of the list itself, which the editions of a dataset share. */
export function checkList({ folder, vocabulary }: FoundEdition): Finding[] {
  return vocabulary.flatMap(({ line, term }) => {
    const fault = termFault(term);
    const message = `${termText(term)} cannot be a label: ${fault}`;
    return fault === null
      ? []
      : [{ file: vocabularyFile(folder), row: line, rule: 'vocabulary-line', message }];
  });
}

/** Findings of the labels outside the list; a label of many rows is reported once, with the line of its first row. */
export function checkTerms(
  { folder, vocabulary }: FoundEdition,
  { descriptor, rows }: ReturnType<TermCounter['finish']>,
): Finding[] {
  // A list that cannot be read is one finding, not one per label.
  if (vocabulary.length === 0) return [];
  const known = new Set(vocabulary.map(({ term }) => termKey(term)));
  const found = new Set(rows.map(({ term }) => termKey(term)));
  const ofDescriptor = descriptor.filter((term) => !found.has(termKey(term)));
  return [...rows, ...ofDescriptor.map((term) => ({ term, first: null, rows: 0 }))]
    .filter(({ term }) => !known.has(termKey(term)))
    .map(({ term, first: row, rows: count }) => {
      const more = count > 1 && row !== null ? ` (${count} times, first here)` : '';
      const file = vocabularyFile(folder);
      const message = `${termText(term)} is not in ${file}${more}; a new label is a reviewed line of that file`;
      return row === null
        ? descriptorFinding({ folder }, 'vocabulary', message)
        : rowFinding({ folder }, row, 'vocabulary', message);
    });
}
