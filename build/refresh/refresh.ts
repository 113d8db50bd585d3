/**
 * `npm run refresh`: checks the publishers' addresses, imports what changed into new editions, and says how these differ.
 * Nothing in datasets/ changes without `--apply`; then an edition is there whole or not at all. A file that cannot be used is in
 * quarantine in the cache, and the last good edition stays.
 */
import { readFamily } from '../import/family.ts';
import type { Importer } from '../import/importer.ts';
import { sourceFile } from '../import/run.ts';
import { replaceFile } from '../lib/replace-file.ts';
import { UsageError } from '../lib/command-line.ts';
import { prettyJson } from '../lib/tree.ts';
import type { LoadedDataset } from '../load/datasets.ts';
import { editionOfFile, importEditions, loadChecked, type Reading } from './editions.ts';
import { checkGiven, fetchSource, type Checking, type Input } from './fetch-source.ts';
import { exitCodeOf, resultLine, Stopped, type Outcome, type Result } from './outcomes.ts';
import { byHandText, sourcesOf } from './sources.ts';
import { join } from 'node:path';

/** One refresh, as the command line states it. */
interface RefreshRequest extends Omit<Checking, 'base'>, Reading {
  importers: Importer[];
  /** Origins that take the place of the publishers', by family. */
  bases: ReadonlyMap<string, URL>;
  /** Files given in place of the downloads. */
  files: string[];
  /** Files given in addition to the downloads. */
  extra: string[];
}

/** Says what was found out about a source or dataset; null is the family as a whole. */
type Report = (subject: string | null, outcome: Outcome, message: string) => void;

/** Runs a refresh; prints one line for each source and for each dataset with a new edition. Returns the exit code. */
export async function refresh(request: RefreshRequest, print: (line: string) => void): Promise<number> {
  const { accept } = request;
  const results: Result[] = [];
  const received: (Given & { importer: Importer; report: Report })[] = [];
  for (const importer of request.importers) {
    const report: Report = (subject, outcome, message) => {
      const result = { family: importer.name, subject, outcome, message };
      results.push(result);
      print(resultLine(result));
    };
    received.push({ importer, report, ...(await filesOf(importer, request, report)) });
  }
  const files = received.flatMap(({ inputs, extra }) => [...inputs, ...extra]);
  const unknown = accept?.files.find((hash) => !files.some(({ file }) => file.sha256 === hash));
  if (unknown !== undefined)
    throw new UsageError(
      `No file with the sha256 ${unknown} was found, so none was accepted and nothing was written.`,
    );
  for (const { importer, report, ...given } of received)
    if (given.inputs.length > 0) refreshFamily(importer, given, request, report);
  return exitCodeOf(results);
}

/** The files of a family, and those given in addition. */
interface Given {
  inputs: Input[];
  extra: Input[];
}

/** The files of a family from all sources that have an address, or as given; none where one of them cannot be used. */
async function filesOf({ name: family }: Importer, request: RefreshRequest, report: Report): Promise<Given> {
  const { files, extra, bases } = request;
  const sources = sourcesOf(readFamily(family));
  const checking = { ...request, base: bases.get(family) ?? null };
  let isWhole = true;
  const tried = async (subject: string, get: () => Input | Promise<Input>): Promise<Input[]> => {
    try {
      return [await get()];
    } catch (error) {
      reportStopped(error, subject, report);
      isWhole = false;
      return [];
    }
  };
  const given = async (paths: string[]): Promise<Input[]> => {
    const read = paths.map(sourceFile);
    const all = read.map((file) => tried(file.name, () => checkGiven(family, file, sources, checking)));
    return (await Promise.all(all)).flat();
  };
  const found = { inputs: await given(files), extra: await given(extra) };
  for (const source of files.length === 0 ? sources : [])
    if (source.refresh.address === undefined) report(source.id, 'by-hand', byHandText(source, family));
    else found.inputs.push(...(await tried(source.id, () => fetchSource(family, source, checking))));
  for (const { source, movedTo } of found.inputs)
    if (source && movedTo !== null)
      report(
        source.id,
        'moved',
        `for good to ${movedTo}; correct the address in build/import/${family}.yaml`,
      );
  return isWhole ? found : { inputs: [], extra: [] };
}

/** Checks the files of a family against its editions, and makes editions of the new ones. */
function refreshFamily(importer: Importer, given: Given, request: RefreshRequest, report: Report): void {
  const { files, apply } = request;
  try {
    const present = loadChecked(importer, request);
    const added = given.inputs.filter((input) => {
      const edition = editionOfFile(input.file.sha256, importer, present);
      const message = edition === null ? `sha256 ${input.file.sha256}` : `the file of edition ${edition}`;
      const outcome = edition === null ? 'changed' : 'unchanged';
      report(input.source?.id ?? input.file.name, outcome, message + laterByHand(input, importer.name));
      return edition === null;
    });
    if (added.length > 0) importAdded(importer, given, added, present, request, report);
    if (apply && files.length === 0) recordChecks(importer, request);
  } catch (error) {
    reportStopped(error, null, report);
  }
}

/** Makes editions of the files of a family, `added` of which are new; those that cannot be used go into quarantine. */
function importAdded(
  importer: Importer,
  { inputs, extra }: Given,
  added: Input[],
  present: LoadedDataset[],
  request: RefreshRequest,
  report: Report,
): void {
  const { apply, cache } = request;
  const hold = (outcome: Outcome, reason: string): void => {
    for (const { source, file } of added) {
      const address = source?.refresh.address ?? null;
      const from = { family: importer.name, source: source?.id ?? null, address };
      cache.quarantine(file.bytes, { ...from, outcome, reason });
    }
  };
  try {
    const found = importEditions(importer, [...inputs, ...extra], present, request);
    for (const { dataset, outcome, message, doubted } of found) {
      const isDoubted = outcome === 'implausible';
      if (isDoubted) hold(outcome, message);
      const accept = doubted.map((hash) => `--accept ${hash}`).join(' ');
      report(
        dataset,
        outcome,
        isDoubted ? `${message}; if it is right, add ${accept} --reason '<why>'` : message,
      );
    }
    if (apply && !found.some(({ outcome }) => outcome === 'implausible'))
      for (const { file } of added) cache.release(file.sha256);
  } catch (error) {
    const { outcome, message } = reportStopped(error, null, report);
    hold(outcome, message);
  }
}

/** Reports what stopped a check; throws any other error again. */
function reportStopped(error: unknown, subject: string | null, report: Report): Stopped {
  if (!(error instanceof Stopped)) throw error;
  report(subject, error.outcome, error.message);
  return error;
}

/** For a source whose editions each have their own address, says how to get a later one: an unchanged file does not tell. */
function laterByHand({ source }: Input, family: string): string {
  return source?.refresh.byHand === undefined
    ? ''
    : `. A later edition has another address: ${byHandText(source, family)}`;
}

/** Records that the publisher answered for these sources today. */
function recordChecks(importer: Importer, request: RefreshRequest): void {
  const checked = new Map(sourcesOf(readFamily(importer.name)).map((source) => [source.id, source.refresh]));
  const current = new Map(
    loadChecked(importer, request).map((dataset) => [dataset.descriptor.name, dataset]),
  );
  for (const { folder, descriptor } of current.values()) {
    for (const source of descriptor.sources) {
      const stated = checked.get(source.id);
      if (stated?.address !== undefined) source.refresh = { ...stated, lastChecked: request.today };
    }
    replaceFile(join(folder, 'datapackage.json'), prettyJson(descriptor));
  }
}
