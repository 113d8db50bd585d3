/**
 * The three files of the designation list, told apart by their shape. Reading keeps entity number, official name, type,
 * programs and countries; titles, call signs, addresses, remarks and every other cell go no further than this file.
 */
import { readCsv, type CsvRecord } from '../lib/csv.ts';
import type { EntityRow } from '../lib/dataset.ts';
import type { SourceFile } from './importer.ts';
import { Refusal, shown } from './refusal.ts';

/** An entity of the list with all its programs; `flag` is a vessel's flag country, null otherwise. */
export interface ListedEntity extends Omit<EntityRow, 'countries' | 'programs'> {
  programs: string[];
  flag: string | null;
}

/** A country an address line names, by entity number. */
export interface ListedCountry {
  number: number;
  country: string | null;
  line: number;
}

/** The files of one import, recognized. */
export interface ListFiles {
  sdn: SourceFile;
  add: SourceFile;
  withdrawn: SourceFile;
}

const SHAPES: { role: keyof ListFiles; is: (first: string[]) => boolean }[] = [
  { role: 'withdrawn', is: (first) => first.length === 1 && first[0]?.trim() === 'entity_number' },
  { role: 'sdn', is: (first) => first.length === 12 && /^\d+$/.test(first[0] ?? '') },
  { role: 'add', is: (first) => first.length === 6 && /^\d+$/.test(first[0] ?? '') },
];

const TYPES: Record<string, EntityRow['entity_type']> = {
  '-0-': 'organization',
  individual: 'individual',
  vessel: 'vessel',
  aircraft: 'aircraft',
};

/** Words of remarks that are never in an official name: a sign that cells have moved. */
const NOT_A_NAME = /\b[afn]\.k\.a\.|\b(DOB|POB)\b|\bpassports?\b|\b(alt\. )?nationality\b|\blinked to:|;|@/i;

/** CR, LF and the end-of-file byte 0x1A, as they end a file. */
const ENDINGS = new Set([0x0d, 0x0a, 0x1a]);

/** Says which file is which, whatever their names and order; each is needed once. */
export function recognizeFiles(files: SourceFile[]): ListFiles {
  const found: Partial<ListFiles> = {};
  for (const file of files) {
    const first = recordsOf(file)[0]?.cells ?? [];
    const role = SHAPES.find(({ is }) => is(first))?.role;
    const expected = '12 columns (SDN), 6 columns (ADD) or the header "entity_number" (withdrawn)';
    if (!role) throw new Refusal(file.name, 'row 1', expected, `${first.length} columns`);
    const twin = found[role];
    if (twin)
      throw new Refusal(file.name, 'the file', `one ${role} file`, `a second one besides ${twin.name}`);
    found[role] = file;
  }
  const { sdn, add, withdrawn } = found;
  if (!sdn || !add || !withdrawn) {
    const missing = SHAPES.filter(({ role }) => !found[role]).map(({ role }) => role);
    throw new Refusal('ofac', 'the files', 'sdn, add and withdrawn', `no ${missing.join(' and no ')} file`);
  }
  return { sdn, add, withdrawn };
}

/** The entities of the SDN file, by entity number. */
export function readEntities(file: SourceFile): Map<number, ListedEntity> {
  const entities = new Map<number, ListedEntity>();
  for (const { line, cells } of recordsOf(file)) {
    const [number, name, type, programs, flag] = pick(file, line, cells, 12, [0, 1, 2, 3, 9]);
    const place = `row ${line}`;
    const known = TYPES[(type ?? '').trim()];
    if (!known)
      throw new Refusal(file.name, place, 'the type individual, vessel, aircraft or -0-', 'something else');
    const entity: ListedEntity = {
      sanctions_entity_number: entityNumber(file, line, number),
      name: officialName(file, line, name),
      entity_type: known,
      programs: programsOf(file, line, programs),
      flag: known === 'vessel' ? countryOf(file, line, flag) : null,
    };
    const { sanctions_entity_number: own } = entity;
    if (entities.has(own)) throw new Refusal(file.name, place, 'each entity number once', shown(own));
    entities.set(own, entity);
  }
  return entities;
}

/** The countries of the ADD file, one item a line of it. */
export function readCountries(file: SourceFile): ListedCountry[] {
  return recordsOf(file).map(({ line, cells }) => {
    const [number, address, country] = pick(file, line, cells, 6, [0, 1, 4]);
    if (!/^\d+$/.test(address ?? '') && !isNull(address))
      throw new Refusal(file.name, `row ${line}`, 'an address number in column 2', 'something else');
    return { number: entityNumber(file, line, number), country: countryOf(file, line, country), line };
  });
}

/** The entity numbers of the withdrawn file. */
export function readWithdrawn(file: SourceFile): Set<number> {
  const [, ...records] = recordsOf(file);
  return new Set(
    records.map(({ line, cells }) => entityNumber(file, line, pick(file, line, cells, 1, [0])[0])),
  );
}

/** All records of a file without the end-of-file byte 0x1A that the publisher appends. */
function recordsOf(file: SourceFile): CsvRecord[] {
  let end = file.bytes.length;
  while (end > 0 && ENDINGS.has(file.bytes[end - 1] ?? 0)) end -= 1;
  const bytes = file.bytes.subarray(0, end);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return readCsv(bytes, { ragged: true });
  } catch (error) {
    // The parser's message can quote a cell, and cells of these files are not for show.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable bytes';
    throw new Refusal(file.name, 'the file', 'UTF-8 text in CSV form', code);
  }
}

function pick(file: SourceFile, line: number, cells: string[], width: number, columns: number[]): string[] {
  if (cells.length !== width)
    throw new Refusal(file.name, `row ${line}`, `${width} columns`, `${cells.length}`);
  return columns.map((column) => cells[column] ?? '');
}

function isNull(cell: string | undefined): boolean {
  return (cell ?? '').trim() === '-0-';
}

function entityNumber(file: SourceFile, line: number, cell: string | undefined): number {
  const number = /^\d{1,9}$/.test((cell ?? '').trim()) ? Number(cell) : 0;
  if (number < 1)
    throw new Refusal(file.name, `row ${line}`, 'an entity number in column 1', 'something else');
  return number;
}

function officialName(file: SourceFile, line: number, cell: string | undefined): string {
  const name = (cell ?? '').trim();
  if (name === '' || isNull(name)) throw new Refusal(file.name, `row ${line}`, 'an official name', 'none');
  // The message does not repeat the cell: it may hold what must not be shown.
  if (NOT_A_NAME.test(name) || /\p{Cc}/u.test(name))
    throw new Refusal(file.name, `row ${line}`, 'an official name alone in column 2', 'more than a name');
  return name;
}

/** `SDNTK] [SDGT` is two programs, compared whole later: SDNT is a prefix of SDNTK. */
function programsOf(file: SourceFile, line: number, cell: string | undefined): string[] {
  const programs = (cell ?? '').trim().split('] [');
  if (programs.some((program) => !/^[A-Z0-9][A-Z0-9 -]*$/i.test(program)))
    throw new Refusal(file.name, `row ${line}`, 'programs joined by "] [" in column 4', 'something else');
  return programs;
}

/** A country as printed, or null; digits and the like mean that an address has moved into the column. */
function countryOf(file: SourceFile, line: number, cell: string | undefined): string | null {
  if (isNull(cell)) return null;
  const country = (cell ?? '').trim();
  if (!/^\p{L}[\p{L}\p{M} .,'&():-]{1,59}$/u.test(country))
    throw new Refusal(file.name, `row ${line}`, 'a country', 'something else');
  return country;
}
