/** Formulas whose cached number is not one of this table: what it came from is in another workbook, is lost, or is looked up again each time. */
import { utils } from '@e965/xlsx';

/** A reference to another workbook: `[1]Data!A1`, `'[areas.xlsx]Data'!A1`, `[1]!Total`. */
export const LINK = /\[(?:\d+|[^\]]+\.xls[a-z]?)\][^!\]]*!/i;

/** Functions whose result depends on more than the cells they name, or that put another value in place of an error. */
export const FETCHED =
  /(?<![\w.])(?:_xlfn\.)?(?:[VHX]?LOOKUP|INDEX|X?MATCH|CHOOSE|INDIRECT|OFFSET|GETPIVOTDATA|CUBE\w+|WEBSERVICE|FILTERXML|RTD|STOCKHISTORY|CALL|RAND\w*|NOW|TODAY|CELL|INFO|IFERROR|IFNA|ISERR(?:OR)?|ISNA)\(/i;

/** A formula and where it is; row and column count from 0. */
export interface Formula {
  sheet: string;
  address: string;
  row: number;
  column: number;
  text: string;
}

/** A name that the workbook defines, and the formula it stands for. */
interface Named {
  Name: string;
  Ref?: string;
}

const SHEET = String.raw`(?:(?:'((?:[^']|'')+)'|([\p{L}\p{N}_.]+))!)?`;
const CELL = String.raw`\$?([A-Z]{1,3})\$?(\d{1,7})`;
const REFERENCE = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.$])${SHEET}(?:${CELL}(?::${CELL})?|\$?([A-Z]{1,3}):\$?([A-Z]{1,3})|\$?(\d{1,7}):\$?(\d{1,7}))(?![\p{L}\p{N}_(.])`,
  'gu',
);
const NAME = /(?<![\p{L}\p{N}_.!'$])[\p{L}_\\][\p{L}\p{N}_.\\]*(?![\p{L}\p{N}_.\\(!'])/gu;

/** Most comparisons of two formulas; publishers' workbooks need a few thousand. */
const MOST_STEPS = 20_000_000;

/** The texts of formulas that are broken or fetched, or refer to such a one in any number of steps; these say over which. Null where there are too many to tell. */
export function brokenFormulas(
  formulas: readonly Formula[],
  names: readonly Named[],
): Map<string, Map<string, string>> | null {
  const named = new Map(names.map(({ Name, Ref = '' }) => [Name.toLowerCase(), Ref]));
  const read = formulas.map((one) => ({ ...one, whole: withNames(one.text, named) }));
  const broken = new Map<string, Map<string, string>>();
  const queue: { of: Formula; cause: string }[] = [];
  const add = (of: Formula, cause: string, text: string): void => {
    const known = broken.get(of.sheet) ?? new Map<string, string>();
    broken.set(of.sheet, known.set(of.address, text));
    queue.push({ of, cause });
  };
  for (const { whole, ...one } of read)
    if (LINK.test(whole) || whole.includes('#REF!') || FETCHED.test(whole)) add(one, whole, whole);
  if (queue.length === 0) return broken;
  const sheets = new Set(formulas.map(({ sheet }) => sheet.toLowerCase()));
  let rest = read.flatMap(({ whole, ...one }) =>
    broken.get(one.sheet)?.has(one.address) ? [] : [{ one, reads: referencesIn(whole, one.sheet, sheets) }],
  );
  let steps = 0;
  for (const { of, cause } of queue) {
    steps += rest.reduce((sum, { reads }) => sum + reads.length + 1, 0);
    if (steps > MOST_STEPS) return null;
    const over = new Set(rest.filter(({ reads }) => reads.some((area) => area(of))));
    rest = rest.filter((one) => !over.has(one));
    for (const { one } of over) add(one, cause, `${one.text} over ${of.sheet}!${of.address}, =${cause}`);
  }
  return broken;
}

/** A formula without its texts in quotes, followed by what its names stand for. */
function withNames(text: string, named: ReadonlyMap<string, string>): string {
  const used = new Set<string>();
  const parts = [text.replaceAll(/"[^"]*"/g, '""')];
  for (const part of parts)
    for (const [name] of part.matchAll(NAME)) {
      const meaning = named.get(name.toLowerCase());
      if (meaning === undefined || used.has(name.toLowerCase())) continue;
      used.add(name.toLowerCase());
      parts.push(meaning);
    }
  return parts.join(' = ');
}

type Area = (at: Formula) => boolean;

/** The areas that a formula of a sheet refers to; one of several sheets, or of a sheet without formulas, may be in any. */
function referencesIn(text: string, own: string, sheets: ReadonlySet<string>): Area[] {
  return [...text.matchAll(REFERENCE)].map(([, quoted, plain, c1, r1, c2, r2, from, to, first, last]) => {
    const sheet = (quoted?.replaceAll("''", "'") ?? plain ?? own).toLowerCase();
    const [left, right] = inOrder(columnOf(c1 ?? from, 0), columnOf(c2 ?? c1 ?? to, Infinity));
    const [top, bottom] = inOrder(Number(r1 ?? first ?? 1) - 1, Number(r2 ?? r1 ?? last ?? Infinity) - 1);
    return (at) =>
      (at.sheet.toLowerCase() === sheet || !sheets.has(sheet)) &&
      at.row >= top &&
      at.row <= bottom &&
      at.column >= left &&
      at.column <= right;
  });
}

function inOrder(one: number, other: number): [number, number] {
  return [Math.min(one, other), Math.max(one, other)];
}

/** The number of a column from 0; `otherwise` where the reference names none. */
function columnOf(letters: string | undefined, otherwise: number): number {
  return letters === undefined ? otherwise : utils.decode_col(letters);
}
