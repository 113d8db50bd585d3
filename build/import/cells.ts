/** One cell of a raw file, and how its content is read. What is not understood is refused, naming file, cell and expectation. */
import type { UnavailableReason } from '../lib/dataset.ts';
import { foldSpace } from '../lib/text.ts';
import { PURITY } from '../lib/vocabulary.ts';
import { FETCHED } from './formulas.ts';
import { Refusal, shown } from './importer.ts';

/** A cell of a worksheet or of a CSV file. */
export interface Cell {
  file: string;
  /** Its locator: `Sheet name!H3`, or `row 17`. */
  place: string;
  /** In a CSV file, whose locators are rows, the heading of its column. */
  heading?: string;
  /** The row of the sheet or the line of the file, from 1. */
  row: number;
  /** Null when blank. */
  value: string | number | boolean | null;
  /** Text of the formula without `=`; where it refers to a broken one, that one as well. */
  formula: string | null;
  /** Excel number format. */
  format: string | null;
  /** True for a formula whose result is not in the file: its value is unknown, not blank. */
  isUncalculated?: true;
  /** The first cell of the merged area that covers this one: what Excel shows here is the value of that cell, and this one is blank. */
  coveredBy?: string;
  /** The raised mark that the file prints right after a word of this text; in the text a space is before it. */
  mark?: string;
}

/** Throws the Refusal of a cell. */
export function refuse(
  { file, place, heading, value }: Pick<Cell, 'file' | 'place' | 'value' | 'heading'>,
  expected: string,
  found = shown(value),
): never {
  throw new Refusal(file, heading === undefined ? place : `${place} column ${heading}`, expected, found);
}

/** Text to be compared: with white space folded, empty when blank; a number that stands for text is written out. */
export function textOf(cell: Cell): string {
  if (typeof cell.value === 'boolean') return refuse(cell, 'text');
  refuseReshaped(cell, 'text');
  return foldSpace(String(cell.value ?? ''));
}

/** Longest text that may be a label; those of publishers have less than 200 characters. */
const LONGEST = 2000;

/** What publishers print for a text that is blank: up to three dots, the ellipsis character or a dash. */
const BLANK = /^(?:\.{0,3}|[…–—-])$/;

/** Text exactly as printed, without the white space around it; a line break or tab, which no label may hold, is a space. Empty when blank, or a mark for that; refused where it has no letter or digit otherwise, and with a raised mark, which does not belong to a label. */
export function printedText(cell: Cell): string {
  if (cell.mark !== undefined) refuse(cell, 'a label without the mark of a footnote');
  if (String(cell.value).length > LONGEST) refuse(cell, `a text of at most ${LONGEST} characters`);
  if (BLANK.test(textOf(cell))) return '';
  if (!/[\p{L}\p{N}]/u.test(String(cell.value))) refuse(cell, 'text, or ".." or a dash for none');
  return String(cell.value)
    .replaceAll(/ *[\t\n\r]+ */g, ' ')
    .trim();
}

/** The same, refused when blank, or when it speaks of purity, which is never published. */
export function neededText(cell: Cell, expected = 'text'): string {
  const text = printedText(cell) || refuse(cell, expected);
  return PURITY.test(text) ? refuse(cell, `${expected} that says nothing of purity`) : text;
}

/** The text of a cell, which must be one of `accepted`. */
export function oneOf(cell: Cell, accepted: readonly string[], what: string): string {
  const text = textOf(cell);
  if (accepted.includes(text)) return text;
  return refuse(cell, `${what} ${accepted.map((word) => `"${word}"`).join(', ')}`);
}

/** `YYYY` of a number or text from 1900 to 2200; null for anything else. */
export function yearIn({ value }: Pick<Cell, 'value'>): string | null {
  const text = String(value ?? '').trim();
  return /^\d{4}$/.test(text) && Number(text) >= 1900 && Number(text) <= 2200 ? text : null;
}

/** `YYYY`, refused when the cell holds anything else. */
export function yearOf(cell: Cell): string {
  refuseReshaped(cell, 'a year from 1900 to 2200');
  return yearIn(cell) ?? refuse(cell, 'a year from 1900 to 2200');
}

/** 2014, "2014", or an Excel date shown as a year; null for anything else. */
export function yearShown(cell: Cell): string | null {
  const { value, format } = cell;
  const isDate = typeof value === 'number' && format !== null && shapeOf(format) === 'a date';
  if (!isDate) return yearIn(cell);
  if (!/^y+$/i.test(format.replaceAll(/\[[^\]]*\]|;@/g, ''))) return null;
  return value > 2200 ? yearIn({ value: excelDay(value).getUTCFullYear() }) : null;
}

/** The year of a heading as `yearShown` reads it; refused where what is stored is not what is printed. */
export function yearOfHeading(cell: Cell, expected: string): string | null {
  const year = yearShown(cell);
  // A date that shows its year alone is printed as that year.
  const isDate = year !== yearIn(cell);
  if (year !== null) refuseReshaped(isDate ? { ...cell, format: null } : cell, expected);
  return year;
}

/** The day that Excel shows for a number. */
export function excelDay(value: number): Date {
  return new Date(Date.UTC(1899, 11, 30) + Math.floor(value) * 86_400_000);
}

/** A year of the table: from 1900 to 2200 and, where its title names first and last, between them. */
export function yearWithin(cell: Cell, window: Window | null): string {
  const year = yearOf(cell);
  if (window === null || (year >= window.first && year <= window.last)) return year;
  return refuse(cell, `a year from ${window.first} to ${window.last}, as the title says`);
}

/** First and last year of a table, as its title prints them. */
export interface Window {
  first: string;
  last: string;
}

/** The first and last year that a text names: `Drug seizures, 2019-2023`; null where it names none. */
export function windowIn(text: string): Window | null {
  const [, first = '', last = ''] =
    /\b((?:19|20)\d{2})\s*(?:[-–—]|\bto\b)\s*((?:19|20)\d{2})\b/.exec(text) ?? [];
  return first !== '' && first <= last ? { first, last } : null;
}

/** Which numbers a cell may hold. */
export interface Bounds {
  min?: number;
  max?: number;
  /** True for a number printed as text, as every number of a CSV file is. */
  inText?: boolean;
  /** True where a formula in place of the number is refused; a link to another workbook always is. */
  isTyped?: boolean;
  /** True for a count: a fraction is refused. */
  isWhole?: boolean;
}

/** The bounds that follow from a unit alone: a share is at most the whole. */
export function boundsOf(unit: string): Bounds {
  if (/^(?:%|percent) of (?:firms|population)$/i.test(unit)) return { min: 0, max: 100 };
  return unit === 'per 100,000 people' ? { min: 0, max: 100_000 } : {};
}

/** A number of zero or more, or within `bounds`; null when blank. `expected` says in words what it is. */
export function numberOf(cell: Cell, expected: string, bounds: Bounds = {}): number | null {
  const { min = 0, max = Infinity, inText = false, isTyped = false, isWhole = false } = bounds;
  const { value, formula } = cell;
  if (formula?.includes('[')) return refuse(cell, 'a number', `a link to another workbook, =${formula}`);
  refuseReshaped(cell, expected);
  if (isTyped && formula !== null) return refuse(cell, 'a number, not a formula', shown(formula));
  if (FETCHED.test(formula ?? '')) return refuse(cell, expected, `a value that is looked up, =${formula}`);
  if (value === null) return null;
  if (inText && isNumber(value) && losesDigits(String(value))) return refuse(cell, HELD);
  const number = inText && isNumber(value) ? Number(value) : value;
  if (isNumber(number)) return refuse(cell, `${expected}, typed as a number`, `the text ${shown(value)}`);
  if (typeof number !== 'number' || !Number.isFinite(number) || number < min || number > max)
    return refuse(cell, expected);
  return isWhole && !Number.isInteger(number) ? refuse(cell, `${expected}, without a fraction`) : number;
}

/** The marks by which UNODC says that a figure is not available: two or three dots, or the ellipsis character. */
const UNAVAILABLE_MARKS = ['..', '...', '…'];

/** A value, or null with the reason, which is null for a blank cell. */
export interface Amount {
  value: number | null;
  reason: UnavailableReason | null;
}

/** A number of a UNODC annex as `numberOf` reads it, or the mark that it is not available. */
export function amountOf(cell: Cell, expected: string, bounds: Bounds = {}): Amount {
  const { value } = cell;
  if (typeof value === 'string' && UNAVAILABLE_MARKS.includes(value.trim()))
    return { value: null, reason: 'placeholder_in_source' };
  return { value: numberOf(cell, expected, bounds), reason: null };
}

/** What Excel shows for a formula that failed. */
const ERROR = /^#(?:N\/A|DIV\/0!|NULL!|VALUE!|REF!|NAME\?|NUM!|GETTING_DATA)$/;

/** Refuses a formula without its result, with an error or with what it refers to in another workbook or lost, a part of a merged cell, and a number that Excel shows as something else: what is stored is not what is printed. */
function refuseReshaped(cell: Cell, expected: string): void {
  const { value, formula, format, isUncalculated, coveredBy } = cell;
  if (formula?.includes('[')) refuse(cell, expected, `a link to another workbook, =${formula}`);
  if (formula?.includes('#REF!'))
    refuse(cell, expected, `a formula that lost what it refers to, =${formula}`);
  if (coveredBy !== undefined) refuse(cell, expected, `a part of the merged cell ${coveredBy}`);
  if (isUncalculated) refuse(cell, expected, 'a formula whose result is not in the file; save it calculated');
  if (typeof value === 'string' && ERROR.test(value)) refuse(cell, expected);
  if (typeof value !== 'number' || format === null) return;
  const shape = shapeOf(format, value);
  if (shape !== null) refuse(cell, expected, `${value} shown as ${shape} ("${format}")`);
}

/** What a number format makes of a number; null for a plain number. Colours and spaces do not count, nor a dash for a zero, which else the digit 0 alone prints. */
export function shapeOf(
  format: string,
  value = 1,
):
  | 'a date'
  | 'a percentage'
  | 'a number of thousands'
  | 'a number with a word'
  | 'another number'
  | 'nothing'
  | null {
  const sections = format.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const [positive = '', , zero = positive] = sections;
  // Sections with conditions of their own may each apply to any number.
  const used = /\[[<>=]/.test(format) ? sections.slice(0, 3) : [value === 0 ? zero : positive];
  const filled = (section: string): string => section.replaceAll(/_.|\*.|\[[^\]]*\]/g, '').trim();
  if (sections.length > 1 && used.some((section) => filled(section) === '')) return 'nothing';
  const bare = format.replaceAll(PRINTED, '').replaceAll(/_.|\*.|\[[^\]]*\]|General/gi, '');
  const isDate = /[dmyhs]/i.test(bare);
  // Accounts print a zero as a dash; prices are in dollars.
  const printed = used.map((section) => printedIn(section).replaceAll(/[\s$]/g, ''));
  const isPlain = printed.every((text) => text === '' || (value === 0 && /^[-–—]+$/.test(text)));
  if (!isPlain && !isDate) return 'a number with a word';
  const digits = used.map((section) => section.replaceAll(PRINTED, ''));
  if (digits.some((text) => /[0#?],+(?:\.|[^0#?,.]*$)/.test(text))) return 'a number of thousands';
  if (isDate) return 'a date';
  if (value === 0 && used.some((section) => !/0|@|general|[-–—]/i.test(filled(section)))) return 'nothing';
  if (value !== 0 && digits.some((text) => /[-+()1-9]/.test(text.replaceAll(UNSEEN, ''))))
    return 'another number';
  return bare.includes('%') ? 'a percentage' : null;
}

/** What a format prints literally: quoted or escaped text. */
const PRINTED = /"[^"]*"|\\./g;

/** Skipped widths, fillers, colours, exponents and fractions: their signs, brackets and digits do not change the number. */
const UNSEEN = /_.|\*.|\[[^\]]*\]|E[-+]|\/ *\d+/gi;

/** What a section of a format prints besides the number: quoted or escaped text, and currencies. */
function printedIn(section: string): string {
  const literal = [...section.matchAll(PRINTED)].map(([text]) => text.replaceAll(/^[\\"]|"$/g, ''));
  const named = [...section.matchAll(/\[\$([^\]-]*)/g)].map(([, currency = '']) => currency);
  const signs = section.replaceAll(PRINTED, '').match(/\p{Sc}/gu) ?? [];
  return [...literal, ...named, ...signs].join('');
}

/** True for a number printed as text: `12`, `-0.5`, `1.2E-5`. */
export function isNumber(value: Cell['value']): boolean {
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(value.trim());
}

/** What a message says is expected where digits would be lost. */
export const HELD = 'a number of no more digits than double precision holds';

/** Whether a double loses digits of a printed number. Floating-point noise is not lost: 0.30000000000000004, or 0.29999999999999999 for 0.3. */
export function losesDigits(text: string): boolean {
  const [number, digits] = [Number(text), digitsOf(text)];
  if (digits === '' || !Number.isFinite(number)) return false;
  // Of two decimals equally near to the number, toPrecision takes the upper and String the even one.
  const printed = [number.toPrecision(Math.min(digits.length, 100)), String(number)];
  return !printed.some((one) => digitsOf(one) === digits);
}

/** The digits of a printed number from its first to its last that is not zero. */
function digitsOf(text: string): string {
  const [mantissa = ''] = text.toLowerCase().split('e');
  return mantissa.replaceAll(/\D/g, '').replaceAll(/^0+|0+$/g, '');
}
