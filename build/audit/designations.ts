/** The designations: every entity read again from the two lists, and nothing of a subject beside the five official fields. */
import type { Json } from './api.ts';
import { countMismatches, type Outcome } from './compare.ts';
import type { Counts } from './claim.ts';
import { readLines } from './lines.ts';
import type { RawFile } from './raw-files.ts';

const PROGRAMS = ['SDNT', 'SDNTK', 'TCO', 'ILLICIT-DRUGS-EO14059'];
const FIELDS = ['countries', 'entity_type', 'meta', 'name', 'programs', 'sanctions_entity_number'];

/** The three raw files. */
export interface DesignationFiles {
  sdn: RawFile;
  add: RawFile;
  withdrawn: RawFile;
}

interface Entity {
  name: string;
  type: string;
  programs: string;
  countries: string;
}

/** Compares every entity, the number withheld, and looks for any private string of the lists in what is published. */
export function auditDesignations(
  source: string,
  records: Json[],
  withheld: number,
  programs: string[],
  files: DesignationFiles,
): Outcome {
  const { entities, gone, secrets } = readAgain(files);
  const mismatches: string[] = [];
  if (PROGRAMS.toSorted().join() !== programs.toSorted().join())
    mismatches.push(`programs: ${programs.join(', ')} published, the four are ${PROGRAMS.join(', ')}`);
  if (gone !== withheld)
    mismatches.push(`withheld after withdrawal: ${withheld} published, ${gone} read again`);
  const seen = new Set<number>();
  for (const record of records) {
    const number = Number(record['sanctions_entity_number']);
    seen.add(number);
    mismatches.push(...entityFaults(number, record, entities.get(number)));
  }
  for (const number of entities.keys())
    if (!seen.has(number)) mismatches.push(`${number}: on the list, but not published`);
  const [api, again] = [counts(records.length), counts(entities.size)];
  mismatches.push(...countMismatches(api, again), ...leaks(records, entities, secrets));
  return { source, api, reread: again, cells: records.length, mismatches };
}

function readAgain({ sdn, add, withdrawn }: DesignationFiles) {
  const isGone = new Set(readLines(withdrawn.bytes).map(({ cells: [number] }) => number));
  const addresses = new Map<string, string[][]>();
  for (const { cells } of readLines(add.bytes))
    addresses.set(cells[0] ?? '', [...(addresses.get(cells[0] ?? '') ?? []), cells]);
  const entities = new Map<number, Entity>();
  const secrets = new Set<string>();
  const official = new Set<string>();
  let gone = 0;
  for (const { cells } of readLines(sdn.bytes)) {
    const [number = '', name = '', type, program, title, call, , , , flag, , remarks] = cells.map(known);
    official.add(name);
    for (const secret of [title, call, ...pieces(remarks ?? '')]) secrets.add(secret ?? '');
    for (const [, , address, city] of addresses.get(number) ?? [])
      for (const secret of [address, city]) secrets.add(known(secret ?? ''));
    const own = (program ?? '').split('] [').filter((one) => PROGRAMS.includes(one));
    if (own.length === 0) continue;
    if (isGone.has(number)) {
      gone += 1;
      continue;
    }
    const printed = [flag, ...(addresses.get(number) ?? []).map(([, , , , country]) => known(country ?? ''))];
    const countries = new Set(printed.filter((country) => country !== undefined && country !== ''));
    entities.set(Number(number), {
      name,
      type: type === '' ? 'organization' : (type ?? ''),
      programs: own.toSorted().join('|'),
      countries: [...countries].toSorted().join('|'),
    });
  }
  return { entities, gone, secrets };
}

function entityFaults(number: number, record: Json, entity: Entity | undefined): string[] {
  if (!entity) return [`${number}: published, but not among the listed entities of the four programs`];
  const list = (key: string): string => (Array.isArray(record[key]) ? record[key].toSorted().join('|') : '');
  const published: Entity = {
    name: String(record['name']),
    type: String(record['entity_type']),
    programs: list('programs'),
    countries: list('countries'),
  };
  const faults = (['name', 'type', 'programs', 'countries'] as const).flatMap((key) =>
    published[key] === entity[key]
      ? []
      : [
          `${number}: ${key} ${JSON.stringify(published[key])} published, the list prints ${JSON.stringify(entity[key])}`,
        ],
  );
  const keys = Object.keys(record).toSorted().join(', ');
  return keys === FIELDS.join(', ') ? faults : [...faults, `${number}: the fields are ${keys}`];
}

/**
 * Texts of the records that are no official name, country or program, and hold a private string. A name may well be the
 * alias of another entity, so names that equal the list's are left out of the search, and only those.
 */
function leaks(records: Json[], entities: Map<number, Entity>, secrets: Set<string>): string[] {
  const own = [...entities.values()];
  const allowed = new Set(
    own.flatMap(({ name, type, countries, programs }) => [
      name,
      type,
      ...countries.split('|'),
      ...programs.split('|'),
    ]),
  );
  const texts = new Set(records.flatMap(strings).filter((text) => !allowed.has(text)));
  return [...texts].flatMap((text) =>
    [...secrets]
      .filter((secret) => secret.length > 3 && text.includes(secret))
      .map(
        (secret) =>
          `${JSON.stringify(text)} holds a private string of the list (${secret.length} characters)`,
      ),
  );
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : [key]),
    ...strings(inner),
  ]);
}

// A remark is a row of statements; an alias stands in quotes inside one.
function pieces(remarks: string): string[] {
  const aliases = [...remarks.matchAll(/'([^']+)'/g)].map(([, alias = '']) => alias);
  return [remarks, ...aliases, ...remarks.split(';').map((piece) => piece.trim().replace(/\.$/, ''))];
}

function known(cell: string): string {
  return cell.trim() === '-0-' ? '' : cell.trim();
}

function counts(records: number): Counts {
  return { records, reported: records, estimated: 0, unavailable: 0, zeros: 0 };
}
