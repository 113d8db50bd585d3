/** All checks over all datasets: every finding, in order, before anything is packed. */
import descriptorSchema from '../../schemas/dataset.schema.json' with { type: 'json' };
import { validator } from '../../shim/core/schema.ts';
import { editionOf } from '../lib/dataset.ts';
import { isCalendarDate } from '../lib/clock.ts';
import { descriptorFinding, type Finding } from '../lib/findings.ts';
import { headerFaults, type LoadedDataset } from '../load/datasets.ts';
import { checkRows } from './rows.ts';
import { checkSafety } from './safety.ts';
import { checkVocabulary } from './vocabulary.ts';

/** Findings of all datasets; empty when they may be packed. */
export function checkDatasets(datasets: LoadedDataset[]): Finding[] {
  return [...datasets.flatMap(checkOne), ...checkTogether(datasets)];
}

function checkOne(loaded: LoadedDataset): Finding[] {
  const findings = checkSchema(loaded);
  if (findings.length > 0) return findings;
  const faults = [...checkDates(loaded), ...checkFields(loaded)];
  if (faults.length > 0) return faults;
  const edition = checkName(loaded, 'edition', editionOf(loaded.descriptor), loaded.folder.split('/').at(-1));
  const own = [...edition, ...checkReferences(loaded), ...checkRows(loaded)];
  return [...own, ...checkVocabulary(loaded), ...checkSafety(loaded)];
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

/** Every date of a descriptor is one the calendar has. */
function checkDates(loaded: LoadedDataset): Finding[] {
  const { descriptor } = loaded;
  const dates = descriptor.sources.flatMap(({ id, dated, retrievedAt }) => [
    { what: `dated of source "${id}"`, date: dated },
    { what: `retrievedAt of source "${id}"`, date: retrievedAt },
  ]);
  if (descriptor.kind === 'entities') dates.push({ what: 'listDate', date: descriptor.listDate });
  return dates
    .filter(({ date }) => !isCalendarDate(date))
    .map(({ what, date }) => descriptorFinding(loaded, 'date', `${what} is not a valid date: ${date}`));
}

/** The descriptor describes the columns that records.csv has, each once. */
function checkFields(loaded: LoadedDataset): Finding[] {
  const [resource] = loaded.descriptor.resources;
  return headerFaults(
    resource.schema.fields.map(({ name }) => name),
    loaded.descriptor,
  ).map((message) => descriptorFinding(loaded, 'fields', `in the schema of the resource, ${message}`));
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
