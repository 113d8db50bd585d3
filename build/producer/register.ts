/**
 * Reads the source register (a Markdown table of public sources with its rules below) into register sources and target areas. Columns
 * are found by their heading words; a cell that cannot be understood is refused with its row.
 */
import { Refusal, shown } from '../import/importer.ts';
import type { ObservatoryRegister, RegisterSource, RegisterTarget } from './contract.ts';
import texts from './texts.json' with { type: 'json' };

/** A source as the reference publishes it, with the letters of its areas. */
interface ParsedSource extends RegisterSource {
  name: string;
  publisher: string;
  homepages: string[];
  /** What the register says the source is not evidence of. */
  notClaimed: string[];
  urlEvidence: string;
  areas: Set<string>;
}

/** The register as parsed: sources in the table's order, and the rules below the table. */
interface ParsedRegister {
  sources: ParsedSource[];
  rules: string[];
}

interface Rules {
  texts: string[];
  interested: Set<number>;
  blocked: Set<number>;
}

/** One row of the table: its line in the file and its cells by column. */
interface Row {
  line: number;
  cell(column: keyof typeof COLUMNS): string;
}

type Refuse = (expected: string, found: string) => never;

/** The source whose series are packaged: its state is `live`, its id the economic source id. */
const ECONOMIC_SOURCE = texts.economics.source;

const { areas: AREAS, columns: COLUMNS, requiredCoverage, topLevelDomains } = texts.register;
const CLASSES = new Map(Object.entries(texts.register.classes));
const STATE_WORDS = Object.entries(texts.register.states);

/** Letters of the target areas; `all` in the register means these, not the national context N. */
const AREA_LETTERS = AREAS.map(({ letter }) => letter);

/** Every state of a source. */
export const STATES = ['adapter_ready', 'blocked', 'link_only', 'live', 'planned'] as const;

/** Whether the build could read a source today. */
export function isBuildReady({ implementationState }: Pick<RegisterSource, 'implementationState'>): boolean {
  return implementationState === 'live' || implementationState === 'adapter_ready';
}

/** Parses the register's text. Throws a Refusal that names the row. */
export function parseRegister(file: string, text: string): ParsedRegister {
  const lines = text.split(/\r?\n/);
  const rows = rowsOf(file, lines);
  const after = lines.slice(rows.at(-1)?.line ?? 0).join(' ');
  const rules = rulesOf(file, after);
  const sources = rows.map((row, index) => {
    const number = Number(row.cell('number'));
    const refuse: Refuse = (expected, found) => {
      throw new Refusal(file, `row ${row.line}`, expected, shown(found));
    };
    if (number !== index + 1) refuse(`source number ${index + 1}`, row.cell('number'));
    return sourceOf(row, rules.interested.has(number), rules.blocked.has(number), refuse);
  });
  return { sources, rules: rules.texts };
}

function rowsOf(file: string, lines: string[]): Row[] {
  const head = lines.findIndex((line) => cellsOf(line)[0] === COLUMNS.number);
  if (head === -1)
    throw new Refusal(file, 'the table', `a heading row that starts with ${COLUMNS.number}`, 'none');
  const header = cellsOf(lines[head] ?? '').map((cell) => cell.toLowerCase());
  for (const word of Object.values(COLUMNS))
    if (!header.includes(word))
      throw new Refusal(file, `row ${head + 1}`, `a column "${word}"`, header.join(' | '));
  const below = lines.flatMap((line, index) => (index > head && line.includes('|') ? index : []));
  return below.flatMap((index, at): Row | [] => {
    const text = lines[index] ?? '';
    const refuse = (expected: string, found: string): never => {
      throw new Refusal(file, `row ${index + 1}`, expected, found);
    };
    if (index !== head + 1 + at) refuse('no row apart from the table', shown(text));
    if (at === 0 && !/^[\s|:-]+$/.test(text)) refuse('the line of dashes below the heading', shown(text));
    const cells = cellsOf(text);
    if (cells.length !== header.length) refuse(`${header.length} cells`, String(cells.length));
    const cell: Row['cell'] = (column) => cells[header.indexOf(COLUMNS[column])] ?? '';
    return at === 0 ? [] : { line: index + 1, cell };
  });
}

function sourceOf({ cell }: Row, isInterested: boolean, isBlocked: boolean, refuse: Refuse): ParsedSource {
  const name = cell('name');
  const letters = new Set(cell('classes').match(/\b[OIM]\b/g));
  const classes = [...letters].flatMap((letter) => CLASSES.get(letter) ?? []);
  if (classes.length === 0) refuse('a class O, I or M', cell('classes'));
  const [, state] = STATE_WORDS.find(([words]) => cell('state').startsWith(words)) ?? [];
  if (!state) return refuse(STATE_WORDS.map(([words]) => words).join(', '), cell('state'));
  if ((state === 'blocked') !== isBlocked)
    refuse('the blocked state exactly where the rules block a row', cell('state'));
  if (cell('classes').includes('interested party') && !isInterested)
    refuse('an interested party to be named by the rules', name);
  const areas = new Set(cell('areas') === 'all' ? AREA_LETTERS : cell('areas').split(' '));
  if ([...areas].some((letter) => !['N', ...AREA_LETTERS].includes(letter)))
    refuse(`area letters ${AREA_LETTERS.join(' ')} N, or all`, cell('areas'));
  const [claimText = '', ...notClaimed] = cell('claims').split('; ');
  const isEconomic = name === ECONOMIC_SOURCE.name;
  return {
    sourceId: isEconomic ? ECONOMIC_SOURCE.sourceId : slug(name),
    name,
    publisher: cell('publisher'),
    homepages: cell('homepage').split(' ; '),
    classes,
    sourceClass: `${classes.join(' + ')}${isInterested ? ' (interested party)' : ''}`,
    authorityRole: (cell('role').split(':')[0] ?? '').trim() || 'not stated',
    interestedParty: isInterested,
    ...rightsOf(cell('rights'), cell('evidence')),
    // an interested party's statement is a claim, not an observation; a source blocked by rights supports no claim here
    claimClasses: isBlocked
      ? []
      : splitClaims(claimText).map((claim) => (isInterested ? `official claim: ${claim}` : claim)),
    notClaimed: isBlocked ? [] : notClaimed,
    implementationState: isEconomic ? 'live' : state,
    urlEvidence: urlEvidence(cell('evidence')),
    areas,
  };
}

function rightsOf(printed: string, evidence: string): { rightsStatus: string; rightsGroup: string } {
  const wasSeen = /\(ST\)/.test(printed);
  const text = plain(printed.replaceAll(/\s*\(ST\)/g, ''));
  const notes = [
    text,
    ...(wasSeen ? [] : ['terms not confirmed']),
    ...(/\bGK\b/.test(evidence) ? ['URL not checked'] : []),
  ];
  return {
    rightsStatus: notes.join('; '),
    rightsGroup: /\(([^()]*)\)$/.exec(text)?.[1] ?? 'terms as printed',
  };
}

function urlEvidence(cell: string): string {
  if (/\bGK\b/.test(cell)) return 'not_checked';
  return /\bFD\b/.test(cell) ? 'listed_in_public_registry' : 'seen_in_stored_page';
}

/** The lettered rules, and the rows that (a) names as interested parties and (c) keeps out of every payload. */
function rulesOf(file: string, after: string): Rules {
  const paragraph = /Rules that follow from the table: (.*?)\.(?:\s|$)/.exec(after)?.[1] ?? '';
  const rules = paragraph.split(/;?\s*\([a-z]\)\s+/).map(plain);
  const rowsNamedIn = (phrase: string): Set<number> => {
    const rule = rules.find((text) => text.includes(phrase));
    if (rule !== undefined) return new Set((/^rows? ([\d, ]+)/.exec(rule)?.[1] ?? '').split(',').map(Number));
    const expected = 'rows of interested parties and of blocked sources';
    throw new Refusal(file, 'the rules', expected, shown(paragraph));
  };
  return {
    texts: rules.filter((text) => text !== ''),
    interested: rowsNamedIn('are interested parties'),
    blocked: rowsNamedIn('must not feed any public payload'),
  };
}

/** The cells of a row, whose outer bars may be left out. */
function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split('|');
  return cells.map((cell) => cell.trim());
}

/** Claims without their bracketed examples: an example is an event, not a class. Some commas separate nothing. */
function splitClaims(text: string): string[] {
  const classes = plain(text.replaceAll(/\s*\([^()]*\)/g, ''));
  return texts.register.undividedClaims.includes(classes) ? [classes] : classes.split(', ');
}

/**
 * The areas with their targets, and one gap per required coverage that no build-ready source has. An area has two targets: itself, and
 * the national statistics of its countries, which are context only and never evidence about the area.
 */
export function targetAreas(
  file: string,
  { sources }: ParsedRegister,
): Pick<ObservatoryRegister, 'targetAreas' | 'buildReadyGaps'> {
  const gaps: string[] = [];
  const areas = AREAS.map(({ letter, areaId, label, targetType, countries }) => {
    const chosen = (kind: string, isChosen: (source: ParsedSource) => boolean): ParsedSource[] => {
      const found = sources.filter(isChosen);
      if (found.length > 0) return found;
      throw new Refusal(file, `area ${letter}`, `a source for the ${kind} target`, 'none');
    };
    const local = chosen('area', (source) => source.areas.has(letter));
    const national = chosen(
      'national',
      (source) => source.areas.has('N') && countriesOf(source).some((code) => countries.includes(code)),
    );
    for (const needed of requiredCoverage)
      if (!local.some((source) => isBuildReady(source) && source.classes.includes(needed)))
        gaps.push(`${areaId}: no build-ready source of class ${needed}`);
    const isLive = national.some(({ implementationState }) => implementationState === 'live');
    const targets: RegisterTarget[] = [
      {
        targetId: `${areaId}_area`,
        label,
        targetType,
        evidenceStatus: local.some(isBuildReady) ? 'build_ready_sources_exist' : 'no_build_ready_source',
        requiredCoverage,
        sourceIds: local.map(({ sourceId }) => sourceId),
      },
      {
        targetId: `${areaId}_national_context`,
        label: `National context of ${countries.join(' and ')} (not evidence about the area)`,
        targetType: 'national_context',
        evidenceStatus: isLive ? 'national_observations_packaged' : 'no_build_ready_source',
        requiredCoverage: ['national_statistics'],
        sourceIds: national.map(({ sourceId }) => sourceId),
      },
    ];
    return { areaId, label, targets };
  });
  return { targetAreas: areas, buildReadyGaps: gaps };
}

/** The countries of a national source by the domain of its addresses; an international one has all. */
function countriesOf({ homepages }: ParsedSource): string[] {
  const hosts = homepages.map((homepage) => new URL(homepage).hostname);
  const domains = Object.entries(topLevelDomains);
  const national = domains.filter(([suffix]) => hosts.some((host) => host.endsWith(suffix)));
  return (national.length > 0 ? national : domains).map(([, code]) => code);
}

function plain(text: string): string {
  return text.replaceAll(/\*/g, '').trim();
}

function slug(name: string): string {
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
  return words.replaceAll(/^_|_$/g, '');
}
