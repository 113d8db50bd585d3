/** All checks over all datasets: every finding, in order, before anything is packed. */
import descriptorSchema from '../../schemas/dataset.schema.json' with { type: 'json' };
import { validator } from '../../shim/core/schema.ts';
import type { WrittenDescriptor } from '../lib/dataset.ts';
import type { Finding } from '../lib/findings.ts';
import type { LoadedDataset } from '../load/datasets.ts';
import { headerFaults } from '../load/rows.ts';
import { checkAtlas } from './atlas.ts';
import { isCalendarDate } from '../lib/clock.ts';
import { checkEntities } from './entities.ts';
import { checkObservations } from './observations.ts';
import { descriptorFinding } from './rule.ts';
import { checkSafety } from './safety.ts';

/** Findings of all datasets; empty when they may be packed. */
export function checkDatasets(datasets: LoadedDataset[]): Finding[] {
  return [...datasets.flatMap(checkOne), ...checkTogether(datasets)];
}

function checkOne(loaded: LoadedDataset): Finding[] {
  const findings = checkDescriptor(loaded);
  if (findings.length > 0) return findings;
  return [...checkRows(loaded), ...checkSafety(loaded)];
}

function checkRows(loaded: LoadedDataset): Finding[] {
  if (loaded.kind === 'observations') return checkObservations(loaded);
  if (loaded.kind === 'atlas') return checkAtlas(loaded);
  return checkEntities(loaded);
}

function checkDescriptor(loaded: LoadedDataset): Finding[] {
  const { descriptor, folder } = loaded;
  const violations = validator(descriptorSchema)(descriptor) ?? [];
  const findings = violations
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath, message, params }) =>
      descriptorFinding(
        loaded,
        'descriptor-schema',
        `${instancePath || 'the descriptor'} ${message ?? ''} ${JSON.stringify(params)}`,
      ),
    );
  if (folder.split('/').at(-1) !== descriptor.name)
    findings.push(
      descriptorFinding(loaded, 'dataset-id', `name "${descriptor.name}" must be the folder's name`),
    );
  return findings.length > 0 ? findings : [...checkDates(loaded), ...checkFields(loaded)];
}

/** Every date of a descriptor is one the calendar has. */
function checkDates(loaded: LoadedDataset): Finding[] {
  const { descriptor } = loaded;
  const dates: [string, string][] = descriptor.sources.flatMap(({ id, dated, retrievedAt }) => [
    [`dated of source "${id}"`, dated] satisfies [string, string],
    [`retrievedAt of source "${id}"`, retrievedAt] satisfies [string, string],
  ]);
  if (descriptor.kind === 'entities') dates.push(['listDate', descriptor.listDate]);
  return dates
    .filter(([, date]) => !isCalendarDate(date))
    .map(([what, date]) => descriptorFinding(loaded, 'date', `${what} is not a valid date: ${date}`));
}

/** The descriptor describes the columns that records.csv has, each once. */
function checkFields(loaded: LoadedDataset): Finding[] {
  const { descriptor } = loaded;
  const [resource] = (descriptor as WrittenDescriptor).resources;
  return headerFaults(
    resource.schema.fields.map(({ name }) => name),
    descriptor,
  ).map((message) => descriptorFinding(loaded, 'fields', `in the schema of the resource, ${message}`));
}

/** Ids that must be unique over all datasets. */
function checkTogether(datasets: LoadedDataset[]): Finding[] {
  const owner = new Map<string, string>();
  const findings: Finding[] = [];
  for (const loaded of datasets) {
    if (loaded.kind !== 'observations') continue;
    for (const { id } of loaded.descriptor.indicators ?? []) {
      const other = owner.get(id);
      if (other !== undefined)
        findings.push(descriptorFinding(loaded, 'unique-id', `indicator "${id}" is also one of ${other}`));
      owner.set(id, loaded.descriptor.name);
    }
  }
  return findings;
}
