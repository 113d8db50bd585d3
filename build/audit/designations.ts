/** The designations: every entity read again from the two lists, and nothing of a subject besides the five official fields. */
import { countMismatches, type Counts, type Outcome } from './compare.ts';
import type { Json } from './published.ts';
import type { Line } from './raw.ts';

const PROGRAMS = ['SDNT', 'SDNTK', 'TCO', 'ILLICIT-DRUGS-EO14059'];
const FIELDS = ['countries', 'entity_type', 'meta', 'name', 'programs', 'sanctions_entity_number'];

/** The records of the three raw files. */
interface Lists {
  sdn: Line[];
  add: Line[];
  withdrawn: Line[];
}

/** What is published: the entities, and what the descriptor says of them. */
interface Published {
  records: Json[];
  withheld: number;
  programs: string[];
}

/** An entity as text, so that two readings compare; programs and countries are sorted and joined by `|`. */
type Entity = Record<'name' | 'type' | 'programs' | 'countries', string>;

/** Compares every entity and the number withheld, and looks for any private string of the lists in what is published. */
export function auditDesignations(source: string, published: Published, lists: Lists): Outcome {
  const { records, withheld, programs } = published;
  const { entities, gone, secrets } = readAgain(lists);
  const numbers = new Set(records.map((record) => Number(record['sanctions_entity_number'])));
  const [api, reread] = [counts(records.length), counts(entities.size)];
  const mismatches: string[] = [];
  if (joined(PROGRAMS) !== joined(programs))
    mismatches.push(`programs: ${programs.join(', ')} published, the four are ${PROGRAMS.join(', ')}`);
  if (gone !== withheld)
    mismatches.push(`withheld after withdrawal: ${withheld} published, ${gone} read again`);
  mismatches.push(...records.flatMap((record) => entityFaults(record, entities)));
  for (const number of entities.keys())
    if (!numbers.has(number)) mismatches.push(`${number}: on the list, but not published`);
  mismatches.push(...countMismatches(api, reread), ...leaks(records, entities, secrets));
  return { source, api, reread, cells: records.length, mismatches };
}

function readAgain({ sdn, add, withdrawn }: Lists) {
  const isGone = new Set(withdrawn.map(({ cells: [number] }) => number));
  const addresses = new Map<string, string[][]>();
  for (const { cells } of add) {
    const [number = '', ...rest] = cells.map(known);
    addresses.set(number, [...(addresses.get(number) ?? []), rest]);
  }
  const entities = new Map<number, Entity>();
  const secrets = new Set<string>();
  let gone = 0;
  for (const { cells } of sdn) {
    const [number = '', name = '', type, program, title, call, , , , flag, , remarks = ''] = cells.map(known);
    const own = addresses.get(number) ?? [];
    const addressed = own.flatMap(([, address, city]) => [address, city]);
    for (const secret of [title, call, ...statements(remarks), ...addressed])
      if (secret !== undefined && secret.length > 3) secrets.add(secret);
    const programs = (program ?? '').split('] [').filter((one) => PROGRAMS.includes(one));
    if (programs.length === 0) continue;
    if (isGone.has(number)) {
      gone += 1;
      continue;
    }
    entities.set(Number(number), {
      name,
      type: type || 'organization',
      programs: joined(programs),
      countries: joined([flag, ...own.map(([, , , country]) => country)]),
    });
  }
  return { entities, gone, secrets };
}

function entityFaults(record: Json, entities: Map<number, Entity>): string[] {
  const number = Number(record['sanctions_entity_number']);
  const entity = entities.get(number);
  if (!entity) return [`${number}: published, but not among the listed entities of the four programs`];
  const list = (key: string): string => (Array.isArray(record[key]) ? record[key].toSorted().join('|') : '');
  const published: Entity = {
    name: String(record['name']),
    type: String(record['entity_type']),
    programs: list('programs'),
    countries: list('countries'),
  };
  const faults = (['name', 'type', 'programs', 'countries'] as const)
    .filter((key) => published[key] !== entity[key])
    .map((key) => {
      const [ours, theirs] = [JSON.stringify(published[key]), JSON.stringify(entity[key])];
      return `${number}: ${key} ${ours} published, the list prints ${theirs}`;
    });
  const keys = Object.keys(record).toSorted().join(', ');
  return keys === FIELDS.join(', ') ? faults : [...faults, `${number}: the fields are ${keys}`];
}

/**
 * Texts of the records that hold a private string of the lists. A name may well be the alias of another entity, so the
 * official names, types, countries and programs, and only those, are left out of the search.
 */
function leaks(records: Json[], entities: Map<number, Entity>, secrets: Set<string>): string[] {
  const official = [...entities.values()].flatMap(({ name, type, countries, programs }) => [
    name,
    type,
    ...countries.split('|'),
    ...programs.split('|'),
  ]);
  const texts = new Set(records.flatMap(stringsIn));
  for (const text of official) texts.delete(text);
  return [...texts].flatMap((text) =>
    [...secrets]
      .filter((secret) => text.includes(secret))
      .map(
        (secret) =>
          `${JSON.stringify(text)} holds a private string of the list (${secret.length} characters)`,
      ),
  );
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)]);
}

/** The statements of a remark, and the aliases quoted in them. */
function statements(remarks: string): string[] {
  const aliases = [...remarks.matchAll(/'([^']+)'/g)].map(([, alias = '']) => alias);
  return [remarks, ...aliases, ...remarks.split(';').map((piece) => piece.trim().replace(/\.$/, ''))];
}

/** A cell's text, empty for the list's null. */
function known(cell: string): string {
  return cell.trim() === '-0-' ? '' : cell.trim();
}

function joined(list: (string | undefined)[]): string {
  return [...new Set(list)].filter(Boolean).toSorted().join('|');
}

function counts(records: number): Counts {
  return { records, reported: records, estimated: 0, unavailable: 0, zeros: 0 };
}
