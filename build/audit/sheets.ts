/**
 * Worksheets read from the XML inside an .xlsx file, by a scanner of its own: the audit must not share a line with
 * the importers or with the library they use, or both would be wrong in the same way.
 */
import { readZip } from './zip.ts';

/** A cell that has content: its number, its text, or the error it prints; `formula` is null for a plain value. */
export interface Cell {
  /** 1-based. */
  row: number;
  /** 1-based: A is 1. */
  column: number;
  number: number | null;
  text: string | null;
  error: string | null;
  formula: string | null;
}

/** A worksheet: cells by address (`H3`), and by row for those who walk it. */
export interface Sheet {
  name: string;
  cells: Map<string, Cell>;
  rows: Map<number, Map<number, Cell>>;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** All worksheets of an .xlsx file by name; each is read when first asked for. */
export function readSheets(bytes: Uint8Array): Map<string, () => Sheet> {
  const members = readZip(bytes);
  const member = (name: string): string | null => members.get(name)?.().toString('utf8') ?? null;
  const strings = [...elements(member('xl/sharedStrings.xml') ?? '', 'si')].map(({ body }) => runs(body));
  const targets = new Map<string, string>();
  for (const { attributes } of elements(member('xl/_rels/workbook.xml.rels') ?? '', 'Relationship'))
    targets.set(attributes['Id'] ?? '', attributes['Target'] ?? '');
  const sheets = new Map<string, () => Sheet>();
  for (const { attributes } of elements(member('xl/workbook.xml') ?? '', 'sheet')) {
    const name = attributes['name'] ?? '';
    const target = targets.get(attributes['r:id'] ?? '') ?? '';
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    let read: Sheet | null = null;
    sheets.set(name, () => {
      const xml = member(path);
      if (xml === null) throw new Error(`sheet ${name}: no member ${path}`);
      return (read ??= scan(name, xml, strings));
    });
  }
  return sheets;
}

/** The 1-based column of letters: A is 1, AA is 27. */
export function columnNumber(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** The letters of a 1-based column. */
export function columnLetters(column: number): string {
  const rest = Math.floor((column - 1) / 26);
  return (rest > 0 ? columnLetters(rest) : '') + String.fromCharCode(65 + ((column - 1) % 26));
}

function scan(name: string, xml: string, strings: string[]): Sheet {
  const cells = new Map<string, Cell>();
  const rows = new Map<number, Map<number, Cell>>();
  for (const { attributes, body } of elements(xml, 'c')) {
    const [, letters, digits] = /^([A-Z]+)(\d+)$/.exec(attributes['r'] ?? '') ?? [];
    if (letters === undefined || digits === undefined)
      throw new Error(`sheet ${name}: a cell without an address`);
    const cell = cellOf(Number(digits), columnNumber(letters), attributes['t'] ?? 'n', body, strings);
    if (cell.number === null && cell.text === null && cell.error === null && cell.formula === null) continue;
    cells.set(letters + digits, cell);
    const row = rows.get(cell.row) ?? new Map<number, Cell>();
    rows.set(cell.row, row.set(cell.column, cell));
  }
  return { name, cells, rows };
}

function cellOf(row: number, column: number, type: string, body: string, strings: string[]): Cell {
  const cell: Cell = { row, column, number: null, text: null, error: null, formula: null };
  for (const { body: formula } of elements(body, 'f')) cell.formula = decode(formula);
  if (type === 'inlineStr') return { ...cell, text: runs(body) };
  for (const { body: raw } of elements(body, 'v')) {
    if (raw === '') continue;
    if (type === 's') cell.text = strings[Number(raw)] ?? null;
    else if (type === 'str' || type === 'd') cell.text = decode(raw);
    else if (type === 'e') cell.error = decode(raw);
    else cell.number = Number(raw);
  }
  return cell;
}

// Rich text is printed in runs; a phonetic reading is no part of the text.
function runs(xml: string): string {
  const read = xml.replaceAll(/<rPh\b[\s\S]*?<\/rPh>/g, '');
  return [...elements(read, 't')].map(({ body }) => decode(body)).join('');
}

function* elements(
  xml: string,
  tag: string,
): Generator<{ attributes: Record<string, string>; body: string }> {
  const pattern = new RegExp(`<(?:\\w+:)?${tag}((?:\\s[^>]*?)?)(?:/>|>([\\s\\S]*?)</(?:\\w+:)?${tag}>)`, 'g');
  for (const [, head = '', body = ''] of xml.matchAll(pattern)) {
    const attributes: Record<string, string> = {};
    for (const [, key = '', value = ''] of head.matchAll(/([\w:]+)="([^"]*)"/g))
      attributes[key] = decode(value);
    yield { attributes, body };
  }
}

function decode(text: string): string {
  return text
    .replaceAll(/&(#x?)?(\w+);/g, (whole, sign: string | undefined, name: string) =>
      sign === undefined
        ? (ENTITIES[name] ?? whole)
        : String.fromCodePoint(Number.parseInt(name, sign === '#' ? 10 : 16)),
    )
    .replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
