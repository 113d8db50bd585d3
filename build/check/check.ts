/** All checks over all datasets: every finding, in order, before anything is packed. */
import descriptorSchema from '../../schemas/dataset.schema.json' with { type: 'json' };
import { lastDay } from '../../shim/core/editions.ts';
import { validator } from '../../shim/core/schema.ts';
import { byEdition, editionOf, type Descriptor, type Written } from '../lib/dataset.ts';
import { newestCopy, readFamilies } from '../import/family.ts';
import { isCalendarDate } from '../lib/clock.ts';
import { descriptorFinding, type Finding } from '../lib/findings.ts';
import type { FoundEdition, LoadedDataset } from '../load/datasets.ts';
import { rowChecker, type LabelKeys } from './rows.ts';
import { checkStated, statedKeys, statedTexts } from './stated.ts';
import { checkList } from './vocabulary.ts';

type DescribedEdition = FoundEdition & { descriptor: Descriptor & Written };

/** Findings about a descriptor, reported before and after those about its rows. */
export interface DescriptorFindings {
  before: Finding[];
  /** The keys of labels that are not their own key; null where the descriptor is too faulty to check rows against it. */
  keys: LabelKeys | null;
  after: Finding[];
}

/** Findings of all datasets in memory; empty when they may be packed. No source may be dated after `today`. */
export function checkDatasets(datasets: readonly LoadedDataset[], today: string): Finding[] {
  const check = descriptorCheck(today);
  const own = datasets.flatMap((loaded) => {
    const { before, keys, after } = check(loaded);
    if (!keys) return [...before, ...after];
    const checker = rowChecker(loaded, loaded.descriptor, keys);
    for (const [at, row] of loaded.rows.entries()) checker.row(row, loaded.lines[at] ?? 0);
    return [...before, ...checker.finish(), ...after];
  });
  return [...own, ...checkTogether(datasets)];
}

/** Checks the descriptors of editions; no source may be dated after `today`. */
export function descriptorCheck(today: string): (edition: DescribedEdition) => DescriptorFindings {
  const families = readFamilies();
  const stated = statedTexts(families);
  // A system clock that is behind the recorded copies is wrong, and must not stop a build.
  const latest = [today, newestCopy(families)].sort().at(-1) ?? today;
  return (edition) => {
    const findings = checkSchema(edition);
    const before = findings.length > 0 ? findings : checkDates(edition, latest);
    if (before.length > 0) return { before, keys: null, after: [] };
    const { descriptor, folder } = edition;
    const named = checkName(edition, 'edition', editionOf(descriptor), folder.split('/').at(-1));
    return {
      before: [...named, ...checkReferences(edition)],
      keys: statedKeys(edition, stated),
      after: checkStated(edition, stated),
    };
  };
}

/** Findings about the lists of labels, and about editions compared with each other. */
export function checkTogether(editions: readonly DescribedEdition[]): Finding[] {
  const lists = [...new Map(editions.map((edition) => [edition.vocabulary, edition])).values()];
  return [
    ...lists.flatMap(checkList),
    ...checkDesignations(editions),
    ...checkFiles(editions),
    ...checkOlderFiles(editions),
    ...checkDays(editions),
    ...checkIndicators(editions),
  ];
}

/** A source has one file for each date in all editions of a dataset: `<id>@<date>` names the cell of one file for ever. */
function checkFiles(editions: readonly DescribedEdition[]): Finding[] {
  const files = new Map<string, { sha256: string; folder: string }>();
  return editions.flatMap((edition) => {
    const { descriptor, folder } = edition;
    return descriptor.sources.flatMap(({ id, dated, sha256 }) => {
      const key = `${descriptor.name} ${id} ${dated}`;
      const first = files.get(key) ?? { sha256, folder };
      files.set(key, first);
      if (first.sha256 === sha256) return [];
      const message = `source "${id}" is dated ${dated} here and in ${first.folder}, and is another file there (sha256 ${first.sha256}, here ${sha256}); a corrected file has a date of its own: state it with --edition, or with the file's hash under editions in the YAML file of the importer, and import again`;
      return [descriptorFinding(edition, 'one-file', message)];
    });
  });
}

/** No edition has an older file of a source than the edition before it has: the newest file published by a day is what `as_of` gives. */
function checkOlderFiles(editions: readonly DescribedEdition[]): Finding[] {
  const newest = new Map<string, { dated: string; folder: string }>();
  return editions.flatMap((edition) => {
    const { descriptor, folder } = edition;
    return descriptor.sources.flatMap(({ id, dated }) => {
      const key = `${descriptor.name} ${id}`;
      const before = newest.get(key);
      if (!before || byEdition(before.dated, dated) <= 0) {
        newest.set(key, { dated, folder });
        return [];
      }
      const message = `source "${id}" is dated ${dated} here, but ${before.folder} before it has that source dated ${before.dated}: import the editions after that again with the newer file, the latest first; its date goes with its hash under editions in the YAML file of the importer`;
      return [descriptorFinding(edition, 'older-file', message)];
    });
  });
}

/** No two editions of a dataset count from the same day, as a month and its last day do: `as_of` reaches only one of them. */
function checkDays(editions: readonly DescribedEdition[]): Finding[] {
  const days = new Map<string, string>();
  return editions.flatMap((edition) => {
    const { folder } = edition;
    const [date = '', id = ''] = folder.split('/').toReversed();
    const day = lastDay(date);
    const key = `${id} ${day}`;
    const first = days.get(key) ?? folder;
    days.set(key, first);
    if (first === folder) return [];
    const message = `${first} counts from ${day} too, because a month counts as its last day, and as_of would reach only one of the two: keep one of them, or name the one of the month by the day on which it was published`;
    return [descriptorFinding(edition, 'one-day', message)];
  });
}

/** Designations have one edition only: an earlier one names who has left the list since. */
function checkDesignations(editions: readonly DescribedEdition[]): Finding[] {
  const newest = new Map(editions.map((edition) => [edition.descriptor.name, edition.folder]));
  return editions.flatMap((edition) => {
    const { kind, name } = edition.descriptor;
    if (kind !== 'entities' || newest.get(name) === edition.folder) return [];
    const message = `${name} has a newer edition, ${newest.get(name)}; who has left the list is not named again: remove this folder`;
    return [descriptorFinding(edition, 'one-list', message)];
  });
}

function checkSchema(loaded: DescribedEdition): Finding[] {
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
function checkName(loaded: DescribedEdition, rule: string, expected: string, found = ''): Finding[] {
  const message = `its folder must be called ${expected}, not "${found}"`;
  return found === expected ? [] : [descriptorFinding(loaded, rule, message)];
}

/** Every date of a descriptor exists and is not in the future; nothing was retrieved before it was published; no hash is a dummy. */
function checkDates(loaded: DescribedEdition, latest: string): Finding[] {
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
  return date > latest.slice(0, date.length)
    ? [`${what} is in the future: ${date}; if it is not, the clock of this machine is behind`]
    : [];
}

/** Every indicator names a source of its descriptor, and no id appears twice. */
function checkReferences(loaded: DescribedEdition): Finding[] {
  const { descriptor } = loaded;
  const { sources } = descriptor;
  const ids: [what: string, ids: string[]][] = [['source', sources.map(({ id }) => id)]];
  const findings: Finding[] = [];
  if (descriptor.kind === 'observations') {
    const { indicators, geographies } = descriptor;
    ids.push(
      ['indicator', indicators.map(({ id }) => id)],
      ['geography', geographies.map(({ code }) => code)],
    );
    for (const { id, sourceId } of indicators)
      if (!sources.some((source) => source.id === sourceId))
        findings.push(
          descriptorFinding(
            loaded,
            'source-reference',
            `indicator "${id}" names source "${sourceId}", which is not in the descriptor`,
          ),
        );
  }
  for (const [what, all] of ids)
    for (const id of new Set(all.filter((one, at) => all.indexOf(one) !== at)))
      findings.push(descriptorFinding(loaded, 'unique-id', `${what} "${id}" is in the descriptor twice`));
  return findings;
}

/** Ids that must be unique over all datasets. */
function checkIndicators(datasets: readonly DescribedEdition[]): Finding[] {
  const owner = new Map<string, string>();
  const findings: Finding[] = [];
  for (const loaded of datasets) {
    if (loaded.descriptor.kind !== 'observations') continue;
    for (const { id } of loaded.descriptor.indicators ?? []) {
      const other = owner.get(id);
      if (other !== undefined && other !== loaded.descriptor.name)
        findings.push(descriptorFinding(loaded, 'unique-id', `indicator "${id}" is also one of ${other}`));
      owner.set(id, loaded.descriptor.name);
    }
  }
  return findings;
}
