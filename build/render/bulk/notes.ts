/** What a reader of a workbook must know, as rows of its second sheet: a word and what it says. */
import { listNote } from '../../lib/clock.ts';
import { editionOf, type Descriptor, type Source } from '../../lib/dataset.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };

/** The notes of a dataset: how its cells are read, what they do not say, and where they come from. */
export function notesOf(descriptor: Descriptor): string[][] {
  const { kind, title, description, limitations, sources } = descriptor;
  const { caution, observations, atlas, all } = vocabulary.workbook;
  return [
    ['Dataset', title],
    ['Edition', editionOf(descriptor)],
    ['What it is', description],
    ...(kind === 'entities'
      ? [['Caution', `${caution} ${listNote(descriptor, { stale: false, staleAfter: null })}`]]
      : []),
    ...(kind === 'observations' ? observations : []),
    ...(kind === 'atlas' ? atlas : []),
    ...all,
    ...limitations.map((text) => ['Limitation', text]),
    ...sources.flatMap(sourceNotes),
  ];
}

function sourceNotes({
  id,
  title,
  publisher,
  url,
  dated,
  retrievedAt,
  sha256,
  license,
  licenseUrl,
  rights,
  notes,
}: Source): string[][] {
  return [
    [`Source ${id}`, `${title}. ${publisher}. Edition ${dated}, copy obtained ${retrievedAt}.`],
    ['Page of the publisher', url],
    ['SHA-256 of the file', sha256],
    ['Licence', licenseUrl === null ? license : `${license} (${licenseUrl})`],
    [
      'May it be passed on',
      `${vocabulary.rights[rights.verdict]} ${rights.evidence} Checked ${rights.checked}.`,
    ],
    ...notes.map((note) => ['Note', note]),
  ];
}
