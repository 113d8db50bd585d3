/** Turns files into new editions: reads them with their importer, checks them as the build does, and compares them with those packaged. */
import { checkDatasets } from '../check/check.ts';
import { COPY_NOTES } from '../import/family.ts';
import type { Importer, ImportOptions } from '../import/importer.ts';
import {
  knownSubjects,
  prepareImport,
  readImport,
  writeImport,
  type ImportRequest,
  type PreparedEdition,
} from '../import/run.ts';
import { byCodeUnits, byEdition, editionOf, type Dataset } from '../lib/dataset.ts';
import { errorMessage, findingLine } from '../lib/findings.ts';
import { joined } from '../lib/text.ts';
import { loadDatasets, type LoadedDataset } from '../load/datasets.ts';
import { realEffects } from '../write/effects.ts';
import { differencesOf, differencesText, factsOf } from './facts.ts';
import type { Input } from './fetch-source.ts';
import { Stopped, type Outcome } from './outcomes.ts';
import { implausible, type Doubt } from './plausible.ts';

/** An operator's word that doubted files are right after all. */
interface Acceptance {
  /** The sha256 of each accepted file. */
  files: string[];
  reason: string;
}

/** How many findings of a check a message names. */
const SHOWN = 5;

/** The packaged datasets as of a day. */
export interface Place {
  datasets: string;
  /** `YYYY-MM-DD`. */
  today: string;
}

/** How the files of a family are read. */
export interface Reading extends Place {
  apply: boolean;
  /** The publisher's date, where an operator states it. */
  edition: string | undefined;
  accept: Acceptance | null;
  acceptLabels: boolean;
}

/** The result for one dataset. */
export interface Found {
  dataset: string;
  outcome: Outcome;
  message: string;
  /** The sha256 of the files that the doubts are about; empty where there are none. */
  doubted: string[];
}

/** The edition that was read from the file with this hash, where every dataset of the family has one; else null. */
export function editionOfFile(
  hash: string,
  { datasets }: Importer,
  present: readonly Dataset[],
): string | null {
  const editions = datasets.map((id) =>
    present.find(
      ({ descriptor }) => descriptor.name === id && descriptor.sources.some(({ sha256 }) => sha256 === hash),
    ),
  );
  const [first] = editions;
  return first && !editions.includes(undefined) ? editionOf(first.descriptor) : null;
}

/** Reads the files and compares them with the packaged editions; with `apply`, writes new editions. Throws a Stopped. */
export function importEditions(
  importer: Importer,
  inputs: readonly Input[],
  present: LoadedDataset[],
  reading: Reading,
): Found[] {
  const { datasets: root, apply, acceptLabels } = reading;
  const files = inputs.map(({ file }) => file);
  const options = { ...optionsOf(inputs, reading), ...knownSubjects(importer, root) };
  const imported = orStopped(() => importer.read(files, options));
  const planned = imported.map((one) => ({
    one,
    found: planOf(one.dataset, present, reading, importer.name),
  }));
  const implausibles = planned.filter(({ found }) => found.outcome === 'implausible');
  if (implausibles.length > 0) return implausibles.map(({ found }) => found);
  const filed = planned.filter(({ found }) => found.outcome !== 'unchanged').map(({ one }) => one);
  const prepared = orStopped(() => prepareImport(filed, root, acceptLabels));
  checkPrepared(importer, reading, prepared);
  if (apply) writeImport(prepared);
  const notes = new Map(
    prepared.map(({ dataset, lacks, labels }) => [dataset.descriptor.name, [...lacks, ...labels]]),
  );
  return planned.map(({ found }) => ({
    ...found,
    message: joined([found.message, ...(notes.get(found.dataset) ?? [])]),
  }));
}

/** Runs one import as of a day; returns the lines to print. Throws a Refusal, or a Stopped for what the build would refuse, before anything is written. */
export function runImport(request: ImportRequest, today: string): string[] {
  const { importer, prepared } = readImport(request);
  checkPrepared(importer, { ...request, today }, prepared);
  writeImport(prepared);
  return prepared.flatMap(({ lines }) => lines);
}

/** Checks editions that are not written yet as the build does, with the others of their family. Throws a Stopped. */
function checkPrepared(importer: Importer, place: Place, prepared: readonly PreparedEdition[]): void {
  // Designations have one edition only, which a new one replaces.
  const lists = prepared.flatMap(({ dataset, folder }) => (dataset.kind === 'entities' ? [folder] : []));
  loadChecked(importer, place, new Map(prepared.flatMap(({ files }) => [...files])), lists);
}

/** Decides what to do with a dataset that was read. Throws a Stopped. */
function planOf(
  dataset: Dataset,
  present: readonly Dataset[],
  { accept, apply }: Reading,
  importer: string,
): Found {
  const { name } = dataset.descriptor;
  const edition = editionOf(dataset.descriptor);
  const others = present.filter(({ descriptor }) => descriptor.name === name);
  const same = others.find(({ descriptor }) => editionOf(descriptor) === edition);
  const written = apply ? 'written' : 'not written without --apply';
  const found = (outcome: Outcome, message: string, doubted: string[] = []): Found => ({
    dataset: name,
    outcome,
    message,
    doubted,
  });
  if (same) {
    const { same: repeated, ...different } = differencesOf(same, dataset);
    const isRepeated = repeated > 0 && Object.values(different).every((count) => count === 0);
    if (isRepeated) return found('unchanged', `other bytes, but the same values as edition ${edition}`);
    throw new Stopped(
      'no-edition',
      `${name} has an edition ${edition} with other values; ${adviceOf(dataset, edition, importer)}`,
    );
  }
  const current = others.at(-1);
  const isLater = !current || byEdition(editionOf(current.descriptor), edition) < 0;
  const near =
    others.findLast(({ descriptor }) => byEdition(editionOf(descriptor), edition) < 0) ?? others[0];
  if (!near)
    return found('new-edition', `${edition}, the first edition: ${factsOf(dataset).size} values; ${written}`);
  const nearest = editionOf(near.descriptor);
  const isAfter = byEdition(nearest, edition) < 0;
  const pair = isAfter ? `${nearest} -> ${edition}` : `${edition} -> ${nearest}`;
  const doubts = implausible(near, dataset, isAfter);
  if (!acceptDoubts(dataset, doubts, accept)) {
    const first = new Set(doubts.map(({ sources: [id] }) => id));
    const doubted = dataset.descriptor.sources.filter(({ id }) => first.has(id));
    const message = `${pair}: ${doubts.map(({ says }) => says).join('; ')}`;
    return found(
      'implausible',
      message,
      doubted.map(({ sha256 }) => sha256),
    );
  }
  const differences = differencesText(isAfter ? differencesOf(near, dataset) : differencesOf(dataset, near));
  const outcome = isLater ? 'new-edition' : 'earlier-edition';
  return found(outcome, `${pair}: ${differences}${isLater ? '' : '; the current edition stays'}; ${written}`);
}

/** What to do about a file with the date of another edition. Only a file that states no date may be given one. */
function adviceOf({ descriptor }: Dataset, edition: string, importer: string): string {
  const dating = descriptor.sources.filter(({ dated }) => dated === edition);
  const isGiven = dating.every(({ notes }) =>
    [COPY_NOTES.modified, COPY_NOTES.stated].some((note) => notes.includes(note)),
  );
  return isGiven
    ? 'find out the date of this file and give it with --edition'
    : `this date is the file's own, so --edition cannot give another; if the publisher corrected the edition, put the date of the correction with the hash of the file under editions in build/import/${importer}.yaml, since <id>@${edition} names the cells of the first file for ever`;
}

/** Records the doubts in the sources whose files an operator accepts, if each doubt is about one of them; returns whether it is. */
function acceptDoubts({ descriptor }: Dataset, doubts: Doubt[], accept: Acceptance | null): boolean {
  const accepted = descriptor.sources.flatMap((source) => {
    const own = doubts.filter(({ sources }) => sources.includes(source.id));
    return own.length > 0 && accept?.files.includes(source.sha256) ? [{ source, own }] : [];
  });
  if (!doubts.every((doubt) => accepted.some(({ own }) => own.includes(doubt)))) return false;
  for (const { source, own } of accepted)
    source.accepted = {
      sha256: source.sha256,
      reason: accept?.reason ?? '',
      doubts: own.map(({ says }) => says),
    };
  return true;
}

function optionsOf(inputs: readonly Input[], { edition }: Reading): ImportOptions {
  const retrieved =
    inputs
      .map((input) => input.retrieved)
      .sort(byCodeUnits)
      .at(-1) ?? '';
  const dates = inputs.flatMap(({ file, modified }) =>
    modified === null ? [] : [[file.sha256, modified] as const],
  );
  return { retrieved, edition, modified: new Map(dates) };
}

/**
 * The editions of a family in the order of datasets and dates, checked as the build checks them. Files that are `added` are in place
 * of those on disk; in the folders `lists` only the added ones count. Throws a Stopped when an edition is broken.
 */
export function loadChecked(
  { datasets: ids }: Importer,
  { datasets: root, today }: Place,
  added: ReadonlyMap<string, Buffer> = new Map(),
  lists: readonly string[] = [],
): LoadedDataset[] {
  const effects = realEffects();
  const foldersAdded = (folder: string): string[] =>
    [...added.keys()]
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1).split('/'))
      .flatMap(([name = '', ...below]) => (below.length > 0 ? name : []));
  const { datasets, findings } = loadDatasets(root, {
    read: (path) => added.get(path) ?? effects.read(path),
    folders(path) {
      const all = new Set([...(lists.includes(path) ? [] : effects.folders(path)), ...foldersAdded(path)]);
      return [...all].filter((name) => path !== root || ids.includes(name)).sort();
    },
  });
  const lines = [...findings, ...checkDatasets(datasets, today)].map(findingLine);
  if (lines.length === 0) return datasets;
  const more = lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : [];
  throw new Stopped('refused', [...lines.slice(0, SHOWN), ...more].join('; '));
}

/** Turns any error of an importer into a Stopped, because the libraries that read files throw errors of their own. */
function orStopped<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    // The message becomes one line, lists included.
    const line = errorMessage(error)
      .replaceAll(/:\s*\n\s*/g, ': ')
      .replaceAll(/\s*\n\s*/g, '; ');
    throw new Stopped('refused', line);
  }
}
