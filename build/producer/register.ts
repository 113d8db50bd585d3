/**
 * Reads the source register (a Markdown table of public sources with its rules below) into register sources. Columns are
 * found by their heading words; what a cell cannot be understood as is refused with its row.
 */
import type { ImplementationState, RegisterSource, SourceClass } from './contract.ts';
import { Refusal, shown } from '../import/refusal.ts';

/** The register as parsed: sources in the table's order with their area letters, and the rules below the table. */
export interface ParsedRegister {
  sources: (RegisterSource & { areas: Set<string> })[];
  rules: string[];
}

/** The source whose series the release packages: its state is `live`, its id the economic source id. */
export const ECONOMIC_SOURCE = { title: 'World Development Indicators', id: 'world_bank_wdi' };

const COLUMNS = {
  number: '#',
  name: 'source',
  publisher: 'publisher',
  homepage: 'homepage',
  areas: 'areas',
  classes: 'class',
  role: 'authority role',
  rights: 'reuse terms (rights status)',
  claims: 'claim classes',
  state: 'state',
  evidence: 'url',
} as const;
type Column = keyof typeof COLUMNS;

const CLASSES: Record<string, SourceClass> = {
  O: 'official_or_administrative',
  I: 'independent_observation',
  M: 'modeled_or_analytical',
};

const STATES: [words: string, state: ImplementationState][] = [
  ['data in hand', 'adapter_ready'],
  ['planned', 'planned'],
  ['register only', 'link_only'],
  ['blocked by rights', 'blocked'],
];

/** Claims whose comma does not separate two claims. */
const UNDIVIDED = ['displacement by country, year'];

/** Letters of the target areas; `all` in the register means these, not the national context N. */
const AREA_LETTERS = ['C', 'G', 'M', 'K', 'B'];

/** Parses the register's text. Throws a Refusal that names the row. */
export function parseRegister(file: string, text: string): ParsedRegister {
  const lines = text.split(/\r?\n/);
  const head = lines.findIndex((line) => cellsOf(line)[0] === COLUMNS.number);
  if (head === -1)
    throw new Refusal(file, 'the table', `a heading row that starts with ${COLUMNS.number}`, 'none');
  const at = columnPositions(file, head + 1, cellsOf(lines[head] ?? ''));
  const rows: { line: number; cell: (column: Column) => string }[] = [];
  for (let index = head + 2; lines[index]?.startsWith('|'); index += 1) {
    const cells = cellsOf(lines[index] ?? '');
    rows.push({ line: index + 1, cell: (column) => cells[at[column]] ?? '' });
  }
  const rules = rulesOf(file, lines.slice(head + 2 + rows.length).join(' '));
  const sources = rows.map(({ line, cell }, index) => {
    const number = Number(cell('number'));
    if (number !== index + 1)
      throw new Refusal(file, `row ${line}`, `source number ${index + 1}`, shown(cell('number')));
    return sourceOf(file, `row ${line}`, cell, rules.interested.has(number), rules.blocked.has(number));
  });
  return { sources, rules: rules.texts };
}

function sourceOf(
  file: string,
  place: string,
  cell: (column: Column) => string,
  interestedRow: boolean,
  blockedRow: boolean,
): ParsedRegister['sources'][number] {
  const name = cell('name');
  const classes = [...new Set(cell('classes').match(/\b[OIM]\b/g))]
    .map((letter) => CLASSES[letter])
    .filter(known);
  if (classes.length === 0) throw new Refusal(file, place, 'a class O, I or M', shown(cell('classes')));
  const state = STATES.find(([words]) => cell('state').startsWith(words))?.[1];
  if (!state) throw new Refusal(file, place, STATES.map(([words]) => words).join(', '), shown(cell('state')));
  const blocked = state === 'blocked';
  if (blocked !== blockedRow)
    throw new Refusal(
      file,
      place,
      'the blocked state exactly where the rules block a row',
      shown(cell('state')),
    );
  const interested = interestedRow || cell('classes').includes('interested party');
  if (interested && !interestedRow)
    throw new Refusal(file, place, 'an interested party to be named by the rules', shown(name));
  const [claimText = '', ...notClaimed] = cell('claims').split('; ');
  const rights = rightsOf(cell('rights'), cell('evidence'));
  const economic = name === ECONOMIC_SOURCE.title;
  return {
    sourceId: economic ? ECONOMIC_SOURCE.id : slug(name),
    name,
    publisher: cell('publisher'),
    homepages: cell('homepage').split(' ; '),
    classes,
    sourceClass: `${classes.join(' + ')}${interested ? ' (interested party)' : ''}`,
    authorityRole: (cell('role').split(':')[0] ?? '').trim() || 'not stated',
    interestedParty: interested,
    ...rights,
    // an interested party's statement is a claim, not an observation; a source blocked by rights supports no claim here
    claimClasses: blocked
      ? []
      : splitClaims(claimText).map((claim) => (interested ? `official claim: ${claim}` : claim)),
    notClaimed: blocked ? [] : notClaimed,
    implementationState: economic ? 'live' : state,
    urlEvidence: urlEvidence(cell('evidence')),
    areas: areasOf(file, place, cell('areas')),
  };
}

function rightsOf(printed: string, evidence: string): { rightsStatus: string; rightsGroup: string } {
  const seen = /\(ST\)/.test(printed);
  const text = plain(printed.replaceAll(/\s*\(ST\)/g, ''));
  const group = /\(([^()]*)\)$/.exec(text)?.[1] ?? 'terms as printed';
  const notes = [
    text,
    ...(seen ? [] : ['terms not confirmed']),
    ...(/\bGK\b/.test(evidence) ? ['URL not checked'] : []),
  ];
  return { rightsStatus: notes.join('; '), rightsGroup: group };
}

function urlEvidence(cell: string): string {
  if (/\bGK\b/.test(cell)) return 'not_checked';
  return /\bFD\b/.test(cell) ? 'listed_in_public_registry' : 'seen_in_stored_page';
}

function areasOf(file: string, place: string, cell: string): Set<string> {
  const letters = cell === 'all' ? AREA_LETTERS : cell.split(' ');
  if (letters.some((letter) => letter !== 'N' && !AREA_LETTERS.includes(letter)))
    throw new Refusal(file, place, `area letters ${AREA_LETTERS.join(' ')} N, or all`, shown(cell));
  return new Set(letters);
}

/** The lettered rules, and the rows that (a) names as interested parties and (c) keeps out of every payload. */
function rulesOf(
  file: string,
  after: string,
): { texts: string[]; interested: Set<number>; blocked: Set<number> } {
  const paragraph = /Rules that follow from the table: (.*?)\.(?:\s|$)/.exec(after)?.[1] ?? '';
  const texts = paragraph
    .split(/;?\s*\([a-z]\)\s+/)
    .map(plain)
    .filter((text) => text !== '');
  const interested = texts.find((text) => text.includes('are interested parties'));
  const blocked = texts.find((text) => text.includes('must not feed any public payload'));
  if (!interested || !blocked)
    throw new Refusal(
      file,
      'the rules',
      'rows of interested parties and of blocked sources',
      shown(paragraph),
    );
  return { texts, interested: numbersOf(interested), blocked: numbersOf(blocked) };
}

function numbersOf(rule: string): Set<number> {
  const list = /^rows? ([\d, ]+)/.exec(rule)?.[1] ?? '';
  return new Set(list.split(',').map(Number));
}

function columnPositions(file: string, line: number, header: string[]): Record<Column, number> {
  const entries = Object.entries(COLUMNS).map(([key, word]) => {
    const position = header.findIndex((cell) => cell.toLowerCase() === word);
    if (position === -1) throw new Refusal(file, `row ${line}`, `a column "${word}"`, header.join(' | '));
    return [key, position];
  });
  return Object.fromEntries(entries) as Record<Column, number>;
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Claims without their bracketed examples: an example is an event, not a class. */
function splitClaims(text: string): string[] {
  const classes = plain(text.replaceAll(/\s*\([^()]*\)/g, ''));
  return UNDIVIDED.includes(classes) ? [classes] : classes.split(', ');
}

function plain(text: string): string {
  return text.replaceAll(/\*/g, '').trim();
}

function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

function known(value: SourceClass | undefined): value is SourceClass {
  return value !== undefined;
}
