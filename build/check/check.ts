/** All checks over all datasets: every finding, in order, before anything is packed. */
import descriptorSchema from '../../schemas/dataset.schema.json' with { type: 'json' };
import { validator } from '../../shim/core/schema.ts';
import { editionOf } from '../lib/dataset.ts';
import { newestCopy, readFamilies } from '../import/family.ts';
import { isCalendarDate } from '../lib/clock.ts';
import { descriptorFinding, type Finding } from '../lib/findings.ts';
import type { LoadedDataset } from '../load/datasets.ts';
import { checkRows } from './rows.ts';
import { checkStated, statedTexts, type StatedTexts } from './stated.ts';
import { checkList, checkVocabulary } from './vocabulary.ts';

/** Findings of all datasets; empty when they may be packed. `today` is the day no source can be younger than. */
export function checkDatasets(datasets: LoadedDataset[], today: string): Finding[] {
  const families = readFamilies();
  const stated = statedTexts(families);
  // A clock that is behind the copies on record is wrong, and stops no build.
  const latest = [today, newestCopy(families)].sort().at(-1) ?? today;
  const lists = [...new Map(datasets.map((loaded) => [loaded.vocabulary, loaded])).values()];
  const own = datasets.flatMap((loaded) => checkOne(loaded, latest, stated));
  return [...own, ...lists.flatMap(checkList), ...checkTogether(datasets)];
}

function checkOne(loaded: LoadedDataset, latest: string, stated: StatedTexts): Finding[] {
  const findings = checkSchema(loaded);
  if (findings.length > 0) return findings;
  const faults = checkDates(loaded, latest);
  if (faults.length > 0) return faults;
  const edition = checkName(loaded, 'edition', editionOf(loaded.descriptor), loaded.folder.split('/').at(-1));
  const own = [...edition, ...checkReferences(loaded), ...checkRows(loaded)];
  return [...own, ...checkVocabulary(loaded), ...checkStated(loaded, stated)];
}

function checkSchema(loaded: LoadedDataset): Finding[] {
  const { descriptor, folder } = loaded;
  const findings = (validator(descriptorSchema)(descriptor) ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath, message, params }) =>
      descriptorFinding(
        loaded,
        'descriptor-schema',
        `${instancePath || 'the descriptor'} ${message ?? ''} ${JSON.stringify(params)}`,
      ),
    );
  return [...findings, ...checkName(loaded, 'dataset-id', descriptor.name, folder.split('/').at(-2))];
}

/** The folders of a dataset and of an edition carry their names. */
function checkName(loaded: LoadedDataset, rule: string, expected: string, found = ''): Finding[] {
  const message = `its folder must be called ${expected}, not "${found}"`;
  return found === expected ? [] : [descriptorFinding(loaded, rule, message)];
}

/** Every date of a descriptor is one the calendar has, none is to come, and nothing was retrieved before it was published. */
function checkDates(loaded: LoadedDataset, latest: string): Finding[] {
  const { descriptor } = loaded;
  const dates = descriptor.sources.flatMap(({ id, dated, retrievedAt, sha256 }) => {
    const isEarly = retrievedAt < dated.slice(0, retrievedAt.length);
    const early = `retrievedAt of source "${id}" is ${retrievedAt}, before the date of its edition, ${dated}`;
    const hash = `sha256 of source "${id}" is not the hash of a file: ${sha256}`;
    return [
      ...dateFaults(`dated of source "${id}"`, dated, latest),
      ...dateFaults(`retrievedAt of source "${id}"`, retrievedAt, latest),
      ...(isEarly ? [early] : []),
      ...(/^(.)\1*$/.test(sha256) ? [hash] : []),
    ];
  });
  if (descriptor.kind === 'entities') dates.push(...dateFaults('listDate', descriptor.listDate, latest));
  return dates.map((message) => descriptorFinding(loaded, 'date', message));
}

function dateFaults(what: string, date: string, latest: string): string[] {
  if (!isCalendarDate(date)) return [`${what} is not a valid date: ${date}`];
  return date > latest.slice(0, date.length) ? [`${what} is in the future: ${date}`] : [];
}

/** Every indicator names a source of its descriptor. */
function checkReferences(loaded: LoadedDataset): Finding[] {
  if (loaded.kind !== 'observations') return [];
  const { indicators, sources } = loaded.descriptor;
  return indicators
    .filter(({ sourceId }) => !sources.some(({ id }) => id === sourceId))
    .map(({ id, sourceId }) => `indicator "${id}" names source "${sourceId}", which is not in the descriptor`)
    .map((message) => descriptorFinding(loaded, 'source-reference', message));
}

/** Ids that must be unique over all datasets. */
function checkTogether(datasets: LoadedDataset[]): Finding[] {
  const owner = new Map<string, string>();
  const findings: Finding[] = [];
  for (const loaded of datasets) {
    if (loaded.kind !== 'observations') continue;
    for (const { id } of loaded.descriptor.indicators ?? []) {
      const other = owner.get(id);
      if (other !== undefined && other !== loaded.descriptor.name)
        findings.push(descriptorFinding(loaded, 'unique-id', `indicator "${id}" is also one of ${other}`));
      owner.set(id, loaded.descriptor.name);
    }
  }
  return findings;
}
