/** The rules of tables that print several values per row: years in columns, or an estimate, its bounds and both sexes. */
import { joined } from '../lib/text.ts';
import { statement, type Statement } from './compare.ts';
import { numberOf, textOf, tidy, type Cell, type Sheet } from './raw.ts';
import TABLES from './rules.json' with { type: 'json' };

const SURVEY_UNITS = new Map(Object.entries(TABLES.surveyUnits));
/** The name of a drug by the title of its sheet. */
const DRUGS = new Map(Object.entries(TABLES.drugs));
/** A dataset names a place once: a second spelling in the file, and the published one. */
const SPELLINGS = new Map(Object.entries(TABLES.spellings));

/** Annexes 6.1.1 and 6.2.1: a labelled row of years; the rows of bounds below an estimate belong to it. */
export function readCultivation(indicator: string, sheet: Sheet): Statement[] {
  const { header, years } = yearColumns(sheet);
  const found: Statement[] = [];
  let open: Statement[] = [];
  for (const [row, cells] of sheet.rows) {
    if (row <= header || years.every(({ column }) => numberOf(sheet.cell(row, column)) === null)) continue;
    const label = labelOf(cells, years);
    const bound = /^(lower|upper) bound/i.exec(label)?.[1]?.toLowerCase();
    if (label === '') open = [];
    else if (bound === 'lower' || bound === 'upper')
      for (const [at, one] of open.entries()) one[bound] = numberOf(sheet.cell(row, years[at]?.column ?? 0));
    else {
      // `Mexico (best estimate, rounded) d, e`: a name, what the line is, and its footnotes.
      const [, name = '', kind = '', marks = ''] =
        /^(.*?)(?: \((best[^)]*)\))?(?: ([a-z](?:, ?[a-z])*))?$/.exec(label) ?? [];
      const category = kind.includes('rounded') ? 'rounded' : areaConcept(sheet, marks);
      const texts = { name, category, indicator, unit: 'hectares' };
      open = years.map((year) => ({ ...yearCell(sheet, row, year), ...texts }));
      found.push(...open);
    }
  }
  return found;
}

/** The footnotes of a line that name an area concept: `b) Net area on 31 December.` without the mark. */
function areaConcept(sheet: Sheet, marks: string): string {
  const lines = [...sheet.rows.values()].flatMap((cells) =>
    [...cells.values()].flatMap((cell) => textOf(cell).split('\n')),
  );
  return marks
    .split(', ')
    .flatMap((mark) => lines.filter((line) => line.trim().startsWith(`${mark})`)))
    .map((line) => tidy(line).slice('a)'.length).trim())
    .filter((note) => /^net area on 31 december|as interpreted on satellite imagery/i.test(note))
    .join(' ');
}

/** Informal Economy Database: models print a value or a blank for every year, surveys only where one was made. */
export function readInformality(sheet: Sheet): Statement[] {
  const indicator = sheet.name.replace(/_p$/, '').toLowerCase();
  const unit = SURVEY_UNITS.get(indicator);
  if (unit === undefined) return [];
  const { header, years } = yearColumns(sheet);
  const top = sheet.rows.get(header) ?? new Map<number, Cell>();
  return [...sheet.rows.keys()].flatMap((row) => {
    const [name, code] = ['Economy', 'Code'].map((word) => textOf(sheet.cell(row, columnOf(top, word))));
    if (row <= header || name === undefined || !code) return [];
    // ISO 3166-1 leaves codes like XKX to their users: such a geography is compared by name.
    const texts = { name, code: code.startsWith('X') ? null : code, indicator, unit };
    const values = years.map((year) => ({ ...yearCell(sheet, row, year), ...texts }));
    return values.filter(({ value }) => sheet.name.endsWith('_p') || value !== null);
  });
}

/** Annex 1.2: the estimate of a row always (blank where none), values by sex only where printed. */
export function readPrevalence(sheet: Sheet): Statement[] {
  const placeOf = (cells: Map<number, Cell>): number =>
    columnOf(cells, 'Country/Territory') || columnOf(cells, 'Country');
  const [header, top] = [...sheet.rows].find(([, cells]) => placeOf(cells) > 0) ?? [];
  if (header === undefined || !top) return [];
  const below = sheet.rows.get(header + 1) ?? new Map<number, Cell>();
  const measured = [...top, ...below]
    .map(([column, cell]) => ({ column, word: tidy(textOf(cell)) }))
    .filter(({ word }) => /^(Best|Total|Male|Female)$/.test(word));
  const at = (row: number, word: string): Cell => sheet.cell(row, columnOf(top, word));
  // A value belongs to the recall period whose heading is the nearest one on its left.
  const recalls = TABLES.recalls
    .map(({ heading, ending }) => ({ column: columnOf(top, heading), ending }))
    .filter(({ column }) => column > 0)
    .sort((a, b) => b.column - a.column);
  const ending = (column: number): string => recalls.find((recall) => recall.column <= column)?.ending ?? '';
  const drug = drugOf(sheet, header);
  const short = drug
    .toLowerCase()
    .replace(/ and .*/, '')
    .replaceAll(/[^a-z0-9]+/g, '-');
  return [...sheet.rows.keys()].flatMap((row) => {
    const [period = ''] = /^\d{4}/.exec(textOf(at(row, 'Year'))) ?? [];
    const name = textOf(sheet.cell(row, placeOf(top)));
    if (row <= header || period === '' || name === '') return [];
    const substance = textOf(at(row, 'Substance')).replace(/\. .*|\.$/s, '');
    const values = measured.map(({ column, word }) => {
      const isMain = word === 'Best' || word === 'Total';
      const [lower, upper] = ['Low', 'High'].map((bound) =>
        word === 'Best' ? numberOf(at(row, bound)) : null,
      );
      const found = statement({
        locator: sheet.place(row, column),
        value: numberOf(sheet.cell(row, column)),
        lower: lower ?? null,
        upper: upper ?? null,
        name: SPELLINGS.get(name) ?? name,
        period,
        indicator: `use-${short}${ending(column)}`,
        category: substance || drug,
        subgroup: joined([
          `${isMain ? '' : word} ${textOf(at(row, 'Age')).replaceAll(' ', '')}`.trim(),
          letters(textOf(at(row, 'Adjustment/ notes'))),
          qualifier(textOf(at(row, 'Specific notes'))),
        ]),
        unit: 'percent of population',
      });
      return { isMain, found };
    });
    const mains = values.filter(({ isMain }) => isMain);
    const kept = values.filter(({ found, isMain }) => found.value !== null || (isMain && mains.length === 1));
    // A row of several recall periods without any value is one blank value, that of the past year.
    const blank = mains.find(({ found }) => !/-(lifetime|month)$/.test(found.indicator ?? ''));
    return (kept.length > 0 ? kept : blank ? [blank] : []).map(({ found }) => found);
  });
}

/** The drug of a sheet: of its title up to the first bracket, else its name. */
function drugOf({ name, rows }: Sheet, header: number): string {
  const titles = [...rows].flatMap(([row, cells]) => (row < header ? [...cells.values()].map(textOf) : []));
  const [titled] = titles.flatMap(
    (title) => DRUGS.get(tidy(title.replace(/\(.*$/s, '')).toLowerCase()) ?? [],
  );
  return titled ?? tidy(name);
}

/** Adjustment letters in order; words in their place are not published. */
function letters(cell: string): string {
  const found = cell.split(',').map((letter) => letter.trim());
  return found.every((letter) => /^[a-z]\*{0,2}$/.test(letter)) ? found.sort().join(', ') : '';
}

const SUBSTANCE =
  /^(amphetamine|benzodiazepines|cannabis (herb|resin)|cocaine (hydrochloride|salts?)|crack|fentanyl|hashish|heroin|herb|mdma|methadone|methamphetamine|opium|tramadol)$/i;

/** Who a note says that it counts, by how it begins. */
const COUNTED: [begins: RegExp, who: string][] = [
  [/^daily (\w+ )?users/i, 'daily users'],
  [/^\w+-dependent users/i, 'dependent users'],
  [/^p\w+ with [\w ]*use disorders/i, 'use disorders'],
  [/^p\w+ who inject/i, 'people who inject drugs'],
  [/^[\w ]*use among [\w ]+ users/i, 'users of another drug'],
];

/** What a specific note narrows the value to: another measure, or the one substance a sentence of it names. */
function qualifier(note: string): string {
  if (/\bpast[ -]month use\b|\blast 30[ -]days\b/i.test(note)) return 'past month';
  const [, before] = /^(.*?)\b(?:problem|high-risk)(?: \w+){0,3} use/i.exec(note) ?? [];
  if (before !== undefined && !/\b(?:not|without|exclud\w+|except)\b[^.;]*$/i.test(before))
    return 'problem users';
  const counted = COUNTED.find(([begins]) => begins.test(note));
  if (counted) return counted[1];
  const names = note
    .split(/[.;](?:\s|$)/)
    .map(tidy)
    .filter((sentence) => SUBSTANCE.test(sentence));
  const [name = '', ...others] = new Set(names.map((one) => one.toLowerCase()));
  if (others.length > 0) return '';
  return name === 'mdma' ? 'MDMA' : name.charAt(0).toUpperCase() + name.slice(1);
}

interface Year {
  column: number;
  period: string;
}

/** The first row that prints two years or more. */
function yearColumns(sheet: Sheet): { header: number; years: Year[] } {
  for (const [header, cells] of sheet.rows) {
    const years = [...cells].flatMap(([column, { value }]) => {
      const period = typeof value === 'number' || /^\d{4}$/.test(value ?? '') ? yearOf(Number(value)) : null;
      return period === null ? [] : [{ column, period }];
    });
    if (years.length >= 2) return { header, years };
  }
  return { header: Infinity, years: [] };
}

/** The year of a number: a year, or a day as Excel counts them; null otherwise. */
function yearOf(number: number): string | null {
  if (number >= 1900 && number <= 2200) return String(number);
  if (number < 30_000 || number > 80_000) return null;
  return String(new Date(Date.UTC(1899, 11, 30) + number * 86_400_000).getUTCFullYear());
}

function yearCell(sheet: Sheet, row: number, { column, period }: Year): Statement {
  const cell = sheet.cell(row, column);
  // The cached value of a link to another workbook, `'[1]OVERALL'!O6`, stands for nothing.
  const isExternal = /\[\d+\]/.test(cell.formula ?? '');
  const value = isExternal ? null : numberOf(cell);
  const missing = cell.value === null ? 'blank_in_source' : 'placeholder_in_source';
  const reason = isExternal ? 'broken_formula_in_source' : missing;
  const found = { locator: sheet.place(row, column), value, name: '', period };
  return statement({ ...found, reason: value === null ? reason : null });
}

function labelOf(cells: Map<number, Cell>, years: Year[]): string {
  const first = Math.min(...years.map(({ column }) => column));
  const left = [...cells].filter(([column, { value }]) => column < first && typeof value === 'string');
  return tidy(left.map(([, cell]) => textOf(cell)).join(' '));
}

function columnOf(cells: Map<number, Cell>, word: string): number {
  return [...cells].find(([, cell]) => tidy(textOf(cell)).toLowerCase() === word.toLowerCase())?.[0] ?? 0;
}
