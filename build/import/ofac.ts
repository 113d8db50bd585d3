/**
 * The Specially Designated Nationals list, narrowed to four programs and five fields, as the dataset designations. Entities
 * known to have left the list since its publication, and names that may hold more than a name, are withheld and counted. Titles,
 * call signs, addresses, remarks and every other cell go no further than this file, and no message repeats a cell.
 */
import { isUtf8 } from 'node:buffer';
import { ACCEPTED } from '../lib/accepted-names.ts';
import { isCutOff, readCsv } from '../lib/csv.ts';
import { byCodeUnits, byEdition, newestDate } from '../lib/dataset.ts';
import type { Dataset, EntityRow, Source } from '../lib/dataset.ts';
import { refuse, type Cell } from './cells.ts';
import { describeSource } from './edition.ts';
import { describeImporter, factsOf, readFamily } from './family.ts';
import { count, newAudit, Refusal } from './importer.ts';
import type { Imported, Importer, ImportOptions, PackagedList, SourceFile } from './importer.ts';
import { doubtIn } from './official-name.ts';
import { csvCells, refuseFault, refuseManyCells } from './csv-table.ts';
import { headingKey } from './table.ts';

const FAMILY = readFamily('ofac');
const FACTS = factsOf(FAMILY, 'designations');
const PROGRAMS = (FACTS.programs ?? []) as EntityRow['programs'];

/** What a file is, recognized by the shape of its first record. */
type Role = 'sdn' | 'add' | 'withdrawn';
const SHAPES: { role: Role; columns: number; first: RegExp }[] = [
  { role: 'withdrawn', columns: 1, first: /^entity_number$/ },
  { role: 'sdn', columns: 12, first: /^\d+$/ },
  { role: 'add', columns: 6, first: /^\d+$/ },
];

const TYPES = new Map<string, EntityRow['entity_type']>([
  ['-0-', 'organization'],
  ['individual', 'individual'],
  ['vessel', 'vessel'],
  ['aircraft', 'aircraft'],
]);

/** Few names are in doubt; more than this number, and more than a tenth of all, mean that cells have moved. */
const MOST_DOUBTED = 20;

/** The byte with which the publisher ends a file. */
const END_OF_FILE = 0x1a;
/** Bytes after the last record of a file. */
const ENDINGS = new Set([0x0d, 0x0a, END_OF_FILE]);

/** Imports one publication of the list into designations. */
export const ofac: Importer = {
  ...describeImporter(FAMILY),
  read(files, options) {
    const list = recognizeFiles(files);
    const { sdn, add, withdrawn } = list;
    const source = (role: Role, file: SourceFile): Source =>
      describeSource(FAMILY.sources[role], file, options, { isShared: role === 'withdrawn' });
    const sources = [source('sdn', sdn), source('add', add)];
    if (withdrawn) sources.push(source('withdrawn', withdrawn));
    return [designations(list, sources, options)];
  },
};

/** The files of one publication; without the withdrawn numbers, those of the packaged list that are missing are counted. */
type Publication = Record<'sdn' | 'add', SourceFile> & { withdrawn: SourceFile | undefined };

/** Says which file is which, whatever their names and order. */
function recognizeFiles(files: SourceFile[]): Publication {
  const found: Partial<Record<Role, SourceFile>> = {};
  for (const file of files) {
    const first = recordsOf(file)[0] ?? [];
    const shape = SHAPES.find((one) => one.columns === first.length && one.first.test(textIn(first[0])));
    const expected =
      'a number and 11 more columns (SDN) or 5 more (ADD), or the header "entity_number" (withdrawn)';
    const without = /^\d+$/.test(textIn(first[0])) ? '' : ', without a number in the first';
    if (!shape) throw new Refusal(file.name, 'row 1', expected, `${first.length} columns${without}`);
    const { role } = shape;
    const twin = found[role];
    if (twin)
      throw new Refusal(file.name, 'the file', `one ${role} file`, `a second one, next to ${twin.name}`);
    found[role] = file;
  }
  const { sdn, add, withdrawn } = found;
  if (sdn && add) {
    const [cut, another] = [sdn, add].filter(({ bytes }) => bytes.at(-1) !== END_OF_FILE);
    if (cut && !another)
      throw new Refusal(
        cut.name,
        'the file',
        `a whole one, with the byte 0x1A at its end as ${cut === sdn ? add.name : sdn.name}`,
        'one without it; download it again',
      );
    return { sdn, add, withdrawn };
  }
  const missing = (['sdn', 'add'] as const).filter((role) => !found[role]);
  throw new Refusal('ofac', 'the files', 'sdn and add', `no ${missing.join(' and no ')} file`);
}

/** Refuses a list from which subjects may have left since, where nothing tells who: they are not named again. */
function checkIsLatest({ sdn, withdrawn }: Publication, sources: Source[], packaged?: PackagedList): void {
  const dated = sources[0]?.dated ?? '';
  const known = newestDate(sources);
  if (packaged && byEdition(packaged.edition, dated) > 0)
    throw new Refusal(sdn.name, 'the list', `one later than ${packaged.edition}, the packaged one`, dated);
  const isCompared = packaged !== undefined && packaged.edition !== dated;
  const expected =
    'a list later than a packaged one to compare with, or the numbers withdrawn since (withdrawn.csv)';
  if (!withdrawn && !isCompared) throw new Refusal('ofac', 'the files', expected, 'neither');
  if (isCompared && byEdition(packaged.known, known) > 0)
    throw new Refusal(
      'ofac',
      'the files',
      `the numbers withdrawn up to ${packaged.known} (withdrawn-${packaged.known}.csv), as the packaged list has them`,
      withdrawn ? `those up to ${known}` : `a list of ${dated} alone`,
    );
}

/** An entity of the list with all its programs; `flag` is a vessel's flag country, null otherwise. */
interface ListedEntity extends Omit<EntityRow, 'countries' | 'programs'> {
  programs: string[];
  flag: string | null;
}

function designations(list: Publication, sources: Source[], options: ImportOptions): Imported {
  const { accepted = new Map(), packaged } = options;
  const dated = sources[0]?.dated ?? '';
  checkIsLatest(list, sources, packaged);
  const entities = readEntities(list.sdn);
  const countries = readCountries(list.add, entities, list.sdn.name);
  const [, ...numbers] = list.withdrawn ? recordsOf(list.withdrawn, 1) : [];
  const withdrawn = new Set(numbers.map(([number]) => entityNumber(number)));
  const isListed = (number: number): boolean =>
    PROGRAMS.some((program) => entities.get(number)?.programs.includes(program) === true);
  const audit = newAudit();
  const rows: EntityRow[] = [];
  const before = packaged && packaged.edition !== dated ? [...packaged.numbers] : [];
  let withheld = before.filter((number) => !isListed(number)).length;
  if (withheld > 0) count(audit.withheld, 'entity of the packaged list that has left it', withheld);
  let doubted = 0;
  let returned = 0;
  for (const { flag, ...entity } of entities.values()) {
    const { sanctions_entity_number: number, programs } = entity;
    audit.read += 1;
    const own = PROGRAMS.filter((program) => programs.includes(program));
    if (own.length === 0) {
      count(audit.withheld, 'entity under none of the four programs');
      continue;
    }
    if (withdrawn.has(number)) {
      withheld += 1;
      count(audit.withheld, 'entity no longer on the list');
      continue;
    }
    const { name, entity_type: type } = entity;
    const doubt = accepted.get(number) === name ? null : doubtIn(name, type);
    if (doubt !== null) {
      doubted += 1;
      count(
        audit.withheld,
        `entity ${number}, whose name looks like it holds ${doubt}; accept it in ${ACCEPTED}`,
      );
      continue;
    }
    const printed = new Set(countries.get(number));
    if (flag !== null) printed.add(flag);
    if (own.length < programs.length)
      count(audit.notes, 'entity with further programs, which are not packaged');
    if (printed.size === 0) count(audit.notes, 'entity without a country');
    if (packaged?.edition === dated && !packaged.numbers.has(number) && !accepted.has(number)) returned += 1;
    rows.push({ ...entity, programs: own, countries: [...printed].sort(byCodeUnits) });
    audit.kept += 1;
  }
  if (doubted > MOST_DOUBTED && doubted > audit.kept / 10)
    throw new Refusal(
      list.sdn.name,
      'column 2',
      'official names',
      `${doubted} texts that are more than a name`,
    );
  if (returned > 0)
    throw new Refusal(
      list.withdrawn?.name ?? 'ofac',
      'the list',
      'every number that the packaged list withholds',
      `${returned} of its entities missing; who has left the list is not named again`,
    );
  audit.withheld['columns of SDN.CSV that are never packaged'] = 7;
  audit.withheld['columns of ADD.CSV that are never packaged'] = 4;
  return { dataset: asDataset(sources, rows, { withheld, doubted }), audit };
}

function readEntities(file: SourceFile): Map<number, ListedEntity> {
  const entities = new Map<number, ListedEntity>();
  for (const [number, name, type, programs, , , , , , flag] of recordsOf(file, 12)) {
    const entity_type = TYPES.get(textIn(type)) ?? hide(type, 'the type individual, vessel, aircraft or -0-');
    const own = entityNumber(number);
    if (entities.has(own)) hide(number, 'each entity number once', String(own));
    entities.set(own, {
      sanctions_entity_number: own,
      name: officialName(name),
      entity_type,
      programs: programsOf(programs),
      flag: entity_type === 'vessel' ? countryOf(flag) : null,
    });
  }
  return entities;
}

/** The countries of the ADD file, by entity number; each entity has a row there, of blanks where it has no address. */
function readCountries(
  file: SourceFile,
  entities: Map<number, ListedEntity>,
  sdn: string,
): Map<number, Set<string>> {
  const countries = new Map<number, Set<string>>();
  for (const [number, address, , , country] of recordsOf(file, 6)) {
    if (!/^(\d+|-0-)$/.test(textIn(address))) hide(address, 'an address number in column 2');
    const own = entityNumber(number);
    const printed = countryOf(country);
    if (!entities.has(own)) hide(number, `an entity number of ${sdn}`, String(own));
    const known = countries.get(own) ?? new Set();
    if (printed !== null) known.add(printed);
    countries.set(own, known);
  }
  const missing = entities.size - countries.size;
  if (missing === 0) return countries;
  throw new Refusal(file.name, 'the file', `a row for each entity of ${sdn}`, `none for ${missing} of them`);
}

/** All records of a file without the end-of-file byte 0x1A, each of this many columns. */
function recordsOf(file: SourceFile, columns?: number): Cell[][] {
  let end = file.bytes.length;
  while (end > 0 && ENDINGS.has(file.bytes[end - 1] ?? 0)) end -= 1;
  const bytes = file.bytes.subarray(0, end);
  const expected = 'UTF-8 text in CSV form';
  if (end === 0) throw new Refusal(file.name, 'the file', expected, 'an empty file');
  if (!isUtf8(bytes)) throw new Refusal(file.name, 'the file', expected, 'bytes that are not UTF-8 text');
  refuseManyCells(file);
  try {
    const records = csvCells(file, readCsv(bytes, { ragged: true })).map(({ cells }) => cells);
    for (const cells of columns === undefined ? [] : records)
      if (cells.length !== columns) hide(cells[0], `${columns} columns`, `${cells.length}`);
    if (isCutOff(file.bytes)) hide(records.at(-1)?.[0], 'a whole row', 'one without its end');
    return records;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return refuseFault(file, expected, error);
  }
}

/** Refuses a cell without repeating it: it may hold what must not be shown. */
function hide(cell: Cell | undefined, expected: string, found = 'something else'): never {
  return refuse(cell ?? { file: 'the list', place: 'a record', value: null }, expected, found);
}

function textIn(cell: Cell | undefined): string {
  return String(cell?.value ?? '');
}

function entityNumber(cell: Cell | undefined): number {
  const number = /^\d{1,9}$/.test(textIn(cell)) ? Number(textIn(cell)) : 0;
  return number > 0 ? number : hide(cell, 'an entity number in column 1');
}

function officialName(cell: Cell | undefined): string {
  const name = textIn(cell);
  if (name === '' || name === '-0-') hide(cell, 'an official name', 'none');
  return name;
}

/** `SDNTK] [SDGT` is two programs, compared whole later: SDNT is a prefix of SDNTK. */
function programsOf(cell: Cell | undefined): string[] {
  const programs = textIn(cell).split('] [');
  const isList = programs.every((program) => /^[A-Z0-9][A-Z0-9 -]*$/i.test(program));
  if (!isList) return hide(cell, 'programs joined by "] [" in column 4');
  // Another spelling of one of the four, or one with a space before the next, would leave its subjects out unnoticed.
  for (const program of programs) {
    const keys = [program, ...program.split(' ')].map(headingKey);
    const meant = PROGRAMS.find((one) => one !== program && keys.includes(headingKey(one)));
    if (meant !== undefined) return hide(cell, meant, program);
  }
  return programs;
}

/** A country as printed, or null; digits and the like mean that an address has moved into the column. */
function countryOf(cell: Cell | undefined): string | null {
  const country = textIn(cell);
  if (country === '-0-') return null;
  return /^\p{L}[\p{L}\p{M} .,'&():-]{1,59}$/u.test(country) ? country : hide(cell, 'a country');
}

function asDataset(
  sources: Source[],
  rows: EntityRow[],
  { withheld, doubted }: { withheld: number; doubted: number },
): Dataset {
  const { title, description, limitations } = FACTS;
  const named = { name: 'designations', kind: 'entities', title, description, sources, limitations } as const;
  const counts = { withheldAfterWithdrawal: withheld, withheldInDoubt: doubted };
  const descriptor = { ...named, listDate: sources[0]?.dated ?? '', ...counts, programs: PROGRAMS };
  return { kind: 'entities', descriptor, rows };
}
