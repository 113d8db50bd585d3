/** The designations: every entity read from the two lists, and nothing of a subject but the five official fields. */
import { countDifferences, type Counts, type Json, type Outcome } from './compare.ts';
import type { RawFile } from './raw.ts';
import TABLES from './rules.json' with { type: 'json' };

const OFFICIAL = ['countries', 'entity_type', 'name', 'programs', 'sanctions_entity_number'] as const;

/** An entity as the lists print it; lists are sorted and joined by `|`. */
type Entity = Record<(typeof OFFICIAL)[number], string>;

/** What is published: the entities, and what the descriptor says about them. */
interface Published {
  records: Json[];
  withheld: number;
  /** Entities whose name is in doubt; which they are is not published. */
  inDoubt: number;
  programs: string[];
}

/** Compares every entity and the number withheld, and looks for any private text of the lists in what is published. */
export function auditDesignations(source: string, published: Published, files: RawFile[]): Outcome {
  const { records, withheld, inDoubt, programs } = published;
  const { entities, gone, secrets } = readLists(files);
  const [counts, printed] = [countsIn(records.length), countsIn(entities.size - inDoubt)];
  const differences = countDifferences(counts, printed);
  if (joined(programs) !== joined(TABLES.programs))
    differences.push(`programs: ${programs.join(', ')} published`);
  // Without a file of withdrawn numbers, they were counted against the list before, which is not kept.
  if (files.length > 2 && gone !== withheld)
    differences.push(`withheld after withdrawal: ${withheld} published, ${gone} in the file`);
  for (const record of records) {
    const number = text(record['sanctions_entity_number']);
    const entity = entities.get(number);
    if (!entity)
      differences.push(`${number}: published, but not among the listed entities of the four programs`);
    for (const key of entity ? OFFICIAL : [])
      if (text(record[key]) !== entity?.[key])
        differences.push(
          `${number}: ${key} ${JSON.stringify(text(record[key]))} published, the list prints ${JSON.stringify(entity?.[key])}`,
        );
    const keys = Object.keys(record)
      .filter((key) => key !== 'meta')
      .toSorted()
      .join(', ');
    if (keys !== OFFICIAL.join(', ')) differences.push(`${number}: the fields are ${keys}`);
  }
  const numbers = new Set(records.map((record) => text(record['sanctions_entity_number'])));
  const missing = [...entities.keys()].filter((number) => !numbers.has(number));
  if (missing.length !== inDoubt)
    differences.push(...missing.map((number) => `${number}: in the file, but not published`));
  differences.push(...leaks(records, [...entities.values()], secrets));
  const texts = records.length * OFFICIAL.length;
  return { source, published: counts, printed, values: 0, texts, folded: 0, differences };
}

function readLists([sdn, add, withdrawn]: RawFile[]) {
  const lines = (file: RawFile | undefined): string[][] =>
    file?.lines.map(({ cells }) => cells.map(known)) ?? [];
  const isGone = new Set(lines(withdrawn).map(([number]) => number));
  const addresses = new Map<string, string[][]>();
  for (const [number = '', ...rest] of lines(add))
    addresses.set(number, [...(addresses.get(number) ?? []), rest]);
  const entities = new Map<string, Entity>();
  const secrets = new Set<string>();
  let gone = 0;
  for (const [number = '', name = '', type, program = '', title, call, , , , flag, , remarks = ''] of lines(
    sdn,
  )) {
    const own = addresses.get(number) ?? [];
    const addressed = own.flatMap(([, address, city]) => [address, city]);
    for (const secret of [title, call, ...statements(remarks), ...addressed])
      if (secret !== undefined && secret.length > 3) secrets.add(secret);
    const programs = program.split('] [').filter((one) => TABLES.programs.includes(one));
    if (programs.length === 0) continue;
    if (isGone.has(number)) gone += 1;
    else
      entities.set(number, {
        sanctions_entity_number: number,
        name,
        entity_type: type || 'organization',
        programs: joined(programs),
        countries: joined([flag, ...own.map(([, , , country]) => country)]),
      });
  }
  return { entities, gone, secrets };
}

/** Finds private texts inside published ones. A name may be the alias of another entity, so the official texts are not searched. */
function leaks(records: Json[], entities: Entity[], secrets: Set<string>): string[] {
  const official = entities.flatMap((entity) =>
    Object.values(entity).flatMap((one) => [one, ...one.split('|')]),
  );
  const texts = new Set(records.flatMap(stringsIn));
  for (const one of official) texts.delete(one);
  return [...texts].flatMap((one) =>
    [...secrets]
      .filter((secret) => one.includes(secret))
      .map(
        (secret) => `${JSON.stringify(one)} holds a private text of the list (${secret.length} characters)`,
      ),
  );
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
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

function text(value: unknown): string {
  return Array.isArray(value) ? joined(value) : String(value);
}

function joined(list: (string | undefined)[]): string {
  return [...new Set(list)].filter(Boolean).toSorted().join('|');
}

function countsIn(records: number): Counts {
  return { records, reported: records, estimated: 0, unavailable: 0, zeros: 0 };
}
