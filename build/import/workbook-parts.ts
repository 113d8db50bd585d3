/**
 * The parts of a workbook as they are in its archive. They are checked before anything is read: the xlsx library reads as much of a
 * damaged part as it can, and what is commented out in it.
 */
import { zipContent, type ZipEntry } from '../lib/zip.ts';
import { HELD, losesDigits } from './cells.ts';
import { Refusal, shown } from './importer.ts';

/** Gives the text of a file of a workbook by its path; null where there is none. */
export type PartOf = (path: string) => string | null;

/** The files of a workbook; null unless each is there once, of the size and the checksum that its directory states: the library compares neither. */
export function partsOf(data: Buffer, entries: readonly ZipEntry[]): PartOf | null {
  if (new Set(entries.map(({ name }) => name.toLowerCase())).size < entries.length) return null;
  try {
    if (!entries.every((entry) => zipContent(data, entry) !== null)) return null;
  } catch {
    return null;
  }
  return (path) => {
    const entry = entries.find(({ name }) => name.toLowerCase() === path.toLowerCase());
    return entry ? String(zipContent(data, entry)) : null;
  };
}

const attribute = (attributes: string, name: string): string | undefined => {
  const [, , value] = new RegExp(`(?:^|\\s)(?:\\w+:)?${name}\\s*=\\s*(["'])(.*?)\\1`).exec(attributes) ?? [];
  return value;
};

/** An element of XML: its attributes and, unless it is empty, its content; null where it does not end before the next one begins. */
type Element = { own: string; content: string } | null;

/** The elements of a name, whatever its prefix. Each is read once, however many do not end. */
function elementsIn(text: string, name: string): Element[] {
  const [start, whole] = [`<(?:\\w+:)?${name}(?=[\\s/>])`, `^([^>]*?)(?:/>|>(.*?)</(?:\\w+:)?${name}>)`];
  const pieces = text.split(new RegExp(start)).slice(1);
  const element = new RegExp(whole, 's');
  return pieces.map((piece) => {
    const [found, own = '', content = ''] = element.exec(piece) ?? [];
    return found === undefined ? null : { own, content };
  });
}

/** What the parts of a workbook say about the cells of its sheets. */
interface Parts {
  file: string;
  shared: readonly Element[];
  /** Whether the font of a style raises, lowers or strikes out what a cell holds. */
  setApart: readonly boolean[];
}

/** The raised marks of the texts of a sheet, by address. */
export type Marks = ReadonlyMap<string, string>;

/** A workbook as the library reads it: its sheets, and what of a cell of one it gives: a formula, a value, or null for nothing. */
interface Named {
  file: string;
  names: readonly string[];
  given: (sheet: number, address: string) => 'formula' | 'value' | null;
}

/**
 * Refuses a sheet that is listed but not there or not whole, and a malformed cell: the library would read as much of them as it can.
 * Gives the raised marks of each sheet.
 */
export function checkSheets({ file, names, given }: Named, partOf: PartOf): Marks[] {
  const part = (path: string, root: string): string => {
    const text = partOf(path) ?? '';
    const isWhole =
      text === '' || new RegExp(`<(?:/(?:\\w+:)?${root}|(?:\\w+:)?${root}\\b[^>]*/)>$`).test(text.trimEnd());
    if (!isWhole) throw new Refusal(file, path, 'a whole part of the workbook', 'one that is cut off');
    refuseUnseen(file, path, text);
    return text;
  };
  const relations = elementsIn(part('xl/_rels/workbook.xml.rels', 'Relationships'), 'Relationship');
  const targets = new Map(
    relations.map((one) => [attribute(one?.own ?? '', 'Id'), attribute(one?.own ?? '', 'Target') ?? '']),
  );
  const listed = elementsIn(part('xl/workbook.xml', 'workbook'), 'sheet');
  const texts = part('xl/sharedStrings.xml', 'sst');
  const [styles, shared] = [part('xl/styles.xml', 'styleSheet'), elementsIn(texts, 'si')];
  const parts = { file, shared, setApart: setApartIn(styles) };
  return names.map((name, at) => {
    const target = targets.get(attribute(listed[at]?.own ?? '', 'id')) ?? '';
    const text = partOf(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
    const found = text === null ? 'a list of sheets with one that is not there' : 'one that is cut off';
    if (text === null || !/<\/(?:\w+:)?\w*sheet>$/i.test(text.trimEnd()))
      throw new Refusal(file, `the sheet "${name}"`, 'a whole sheet', found);
    refuseUnseen(file, `the sheet "${name}"`, text);
    const addresses = new Set<string>();
    const marks = new Map<string, string>();
    for (const cell of elementsIn(text, 'c')) {
      if (cell === null)
        throw new Refusal(file, `the sheet "${name}"`, 'cells that begin and end', 'one that does not end');
      const mark = checkCell(parts, name, cell);
      const address = attribute(cell.own, 'r');
      if (address === undefined) continue;
      if (addresses.has(address))
        throw new Refusal(file, `${name}!${address}`, 'each cell once', 'two cells with this address');
      addresses.add(address);
      if (/<(?:\w+:)?f[\s/>]/.test(cell.content) && given(at, address) !== 'formula')
        throw new Refusal(file, `${name}!${address}`, 'a formula with its text', 'one without it');
      if (/<(?:\w+:)?[vt]\b[^>]*>[^<]/.test(cell.content) && given(at, address) === null)
        throw new Refusal(
          file,
          `${name}!${address}`,
          'a cell among those of its sheet',
          'one apart from them',
        );
      if (mark !== null) marks.set(address, mark);
    }
    return marks;
  });
}

/** Refuses XML with comments or declarations: the library would read what is commented out. */
function refuseUnseen(file: string, place: string, text: string): void {
  if (/<!(?!\[CDATA\[)/.test(text))
    throw new Refusal(file, place, 'XML without comments and declarations', 'some');
}

/** By the number of a style: whether its font raises, lowers or strikes out. */
function setApartIn(styles: string): boolean[] {
  const listed = (list: string, name: string): Element[] =>
    elementsIn(elementsIn(styles, list)[0]?.content ?? '', name);
  const fonts = listed('fonts', 'font').map((font) => SET_APART.test(font?.content ?? ''));
  return listed('cellXfs', 'xf').map((one) => fonts[Number(attribute(one?.own ?? '', 'fontId'))] ?? false);
}

/** Types of cells: boolean, error, number, shared text, text of a formula, inline text. */
const TYPES = ['b', 'e', 'n', 's', 'str', 'inlineStr'];
/** A number, or the position of a shared text. */
const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i;

/** Digits that are raised, lowered or struck out: a mark next to a number, or a number that is withdrawn. */
const SET_APART = /<(?:\w+:)?(?:vertAlign\b[^>]*"(?:super|sub)script"|strike\s*(?:\/>|val="(?:1|true)"))/;

/** Whether a text reads as a number. */
function isNumeric(text: string): boolean {
  return /^[-+<>~\s]*\d[\d.,\s]*$/.test(text);
}

/** What is raised right after a word, as the mark in `Heroin¹`: read plainly it would be a part of that word. */
function markIn(text: string): string | null {
  let before = '';
  for (const run of elementsIn(text, 'r')) {
    const own = plainText(run?.content ?? '');
    if (/superscript/.test(run?.content ?? '') && /\S$/.test(before) && /^\S/.test(own)) return own.trim();
    before = own;
  }
  return null;
}

function plainText(text: string): string {
  return elementsIn(text, 't')
    .map((one) => one?.content)
    .join('');
}

/** Refuses a malformed cell; gives the raised mark of its text. */
function checkCell(
  { file, shared, setApart }: Parts,
  name: string,
  { own, content }: { own: string; content: string },
): string | null {
  const [address = '', type = 'n'] = [attribute(own, 'r'), attribute(own, 't')];
  const refuse = (expected: string, found: string): never => {
    throw new Refusal(file, `${name}!${address}`, expected, found);
  };
  if (address !== '' && !/^[A-Z]{1,3}[1-9]\d*$/.test(address)) refuse('an address like H10', shown(address));
  if (!TYPES.includes(type)) refuse(`a cell of the type ${TYPES.join(', ')}`, shown(type));
  const values = elementsIn(content, 'v');
  if (values.length > 1 || values.includes(null)) refuse('one value that begins and ends', shown(content));
  const value = values[0]?.content;
  const hasText = /<(?:\w+:)?is[\s/>]/.test(content);
  if (type === 'inlineStr' ? value !== undefined : hasText)
    refuse('either a value or a text of its own type', shown(content));
  const isNumber = type === 'n' || type === 's';
  if (isNumber && value && !NUMBER.test(value)) refuse('a number', shown(value));
  if (type === 'n' && losesDigits(value ?? '')) refuse(HELD, shown(value));
  const text = type === 's' ? shared[Number(value)]?.content : content;
  if (text === undefined && value !== undefined)
    refuse('a text of the workbook', `the number of one that it lacks, ${shown(value)}`);
  const isText = type === 's' || type === 'inlineStr';
  const plain = plainText(text ?? '');
  const isMarked =
    (isText && SET_APART.test(text ?? '')) || setApart[Number(attribute(own, 's') ?? 0)] === true;
  if (isMarked && (isText ? isNumeric(plain) : type === 'n' && value))
    refuse(isText ? 'a plain text' : 'a plain number', 'digits that are raised, lowered or struck out');
  return isText && isMarked ? markIn(text ?? '') : null;
}
