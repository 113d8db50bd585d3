/**
 * A dataset as a workbook for spreadsheets (Office Open XML, ECMA-376): the sheet `records` with the table, the sheet `notes` with
 * what a reader must know. Numbers are numbers, everything else is text and never a formula, a missing value is an empty cell. No
 * clock goes into it, and the compressor is the same on every machine: same rows, same bytes. The only importer of fflate.
 */
import { strToU8, Zip, ZipDeflate } from 'fflate';
import { csvCell } from '../../../shim/core/csv.ts';
import type { Field } from '../../../shim/core/fields.ts';
import { growingFile, piecesOf, type TreeFile, type TreeFolder } from '../../lib/tree.ts';
import type { TableFile } from './table.ts';

/** The large parts of the workbook at `path` before they are compressed, each in a file that is not published. */
export interface OpenWorkbook {
  path: string;
  parts: [name: string, content: TreeFile][];
}

/** Starts a workbook with this number of rows. Adding throws for a text longer than a cell can hold. */
export function workbookParts(
  folder: TreeFolder,
  path: string,
  {
    columns,
    rows,
    notes,
  }: { columns: readonly Field[]; rows: number; notes: readonly (readonly string[])[] },
): Pick<TableFile, 'add'> & { finish(): OpenWorkbook } {
  const texts: Texts = new Map();
  const parts: OpenWorkbook['parts'] = [];
  const start = (name: string): Part => {
    const file = growingFile(folder, `.${path}/${name}`.replaceAll('/', '.'));
    return {
      write: (text, encoding = 'latin1') => file.add(Buffer.from(text, encoding)),
      end: () => void parts.push([name, file.finish()]),
    };
  };
  const records = recordsSheet(columns, rows, texts, start('xl/worksheets/sheet1.xml'));
  return {
    add: records.add,
    finish() {
      records.finish();
      notesSheet(notes, texts, start('xl/worksheets/sheet2.xml'));
      const strings = start('xl/sharedStrings.xml');
      strings.write(sharedStrings(texts), 'utf8');
      strings.end();
      return { path, parts };
    },
  };
}

/** Writes the workbook piece by piece, and removes the files of its parts. */
export function writeWorkbook(folder: TreeFolder, { path, parts }: OpenWorkbook): TreeFile {
  const file = growingFile(folder, path);
  const archive = new Zip((error, piece) => {
    if (error) throw error;
    file.add(piece);
  });
  const add = (name: string, pieces: Iterable<Uint8Array>): void => {
    const entry = new ZipDeflate(name, { level: 4 });
    // The earliest time that a zip archive can state; it states local times.
    entry.mtime = new Date(1980, 0, 1);
    archive.add(entry);
    for (const piece of pieces) entry.push(piece);
    entry.push(new Uint8Array(), true);
  };
  for (const [name, text] of FIXED) add(name, [strToU8(text)]);
  for (const [name, content] of parts) {
    add(name, piecesOf(folder, content));
    folder.remove(content.path);
  }
  archive.end();
  return file.finish();
}

/** A part of a workbook that is being written. */
interface Part {
  write(text: string, encoding?: 'latin1' | 'utf8'): void;
  end(): void;
}

/** Each text once, with the end of the markup of every record cell that holds it. */
type Texts = Map<string, string>;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SCHEMAS = 'http://schemas.openxmlformats.org';
const MAIN = `${SCHEMAS}/spreadsheetml/2006/main`;
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const MOST_CHARACTERS = 32_767;

function part(root: string, schema: string, content: string): string {
  return `${DECLARATION}<${root} xmlns="${SCHEMAS}/${schema}">${content}</${root}>`;
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="rId${id}" Type="${SCHEMAS}/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
}

const TYPES = [
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
  ...(
    [
      ['workbook', 'sheet.main'],
      ['styles', 'styles'],
      ['worksheets/sheet1', 'worksheet'],
      ['worksheets/sheet2', 'worksheet'],
      ['sharedStrings', 'sharedStrings'],
    ] as const
  ).map(([name, type]) => `<Override PartName="/xl/${name}.xml" ContentType="${CONTENT}.${type}+xml"/>`),
].join('');

const RELATIONS = [
  relation('1', 'worksheet', 'worksheets/sheet1.xml'),
  relation('2', 'worksheet', 'worksheets/sheet2.xml'),
  relation('3', 'styles', 'styles.xml'),
  relation('4', 'sharedStrings', 'sharedStrings.xml'),
].join('');

const WORKBOOK = `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${SCHEMAS}/officeDocument/2006/relationships"><sheets><sheet name="records" sheetId="1" r:id="rId1"/><sheet name="notes" sheetId="2" r:id="rId2"/></sheets></workbook>`;

/** Style 1 is the head row, style 2 text, style 3 text that wraps. Text cells have the format of text, so that editing one runs no formula. */
const STYLES = part(
  'styleSheet',
  'spreadsheetml/2006/main',
  [
    `<fonts count="2">${['', '<b/>'].map((bold) => `<font>${bold}<sz val="11"/><name val="Calibri"/></font>`).join('')}</fonts>`,
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="4">${[
      'numFmtId="0" fontId="0"/>',
      'numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/>',
      'numFmtId="49" fontId="0" applyNumberFormat="1"/>',
      'numFmtId="49" fontId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>',
    ]
      .map((format) => `<xf fillId="0" borderId="0" xfId="0" ${format}`)
      .join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  ].join(''),
);

/** The parts that every workbook has. */
const FIXED: [name: string, content: string][] = [
  ['[Content_Types].xml', part('Types', 'package/2006/content-types', TYPES)],
  [
    '_rels/.rels',
    part('Relationships', 'package/2006/relationships', relation('1', 'officeDocument', 'xl/workbook.xml')),
  ],
  ['xl/workbook.xml', WORKBOOK],
  ['xl/_rels/workbook.xml.rels', part('Relationships', 'package/2006/relationships', RELATIONS)],
  ['xl/styles.xml', STYLES],
];

function recordsSheet(
  columns: readonly Field[],
  rows: number,
  texts: Texts,
  file: Part,
): Pick<TableFile, 'add'> & { finish(): void } {
  const letters = columns.map((_, position) => columnLetters(position));
  const area = `A1:${letters.at(-1)}${rows + 1}`;
  const before = `<dimension ref="${area}"/><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;
  // Years are texts, as printed: a spreadsheet must not mark each of them as a possible error.
  const after = `<autoFilter ref="${area}"/><ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors>`;
  const sheet = startSheet(file, before, after);
  const heads = columns.map(({ name }, position) => textCell(`${letters[position]}1`, name, texts, 1));
  sheet.add(`<row r="1">${heads.join('')}</row>`);
  let at = 1;
  return {
    add(some) {
      for (const row of some) {
        at += 1;
        let line = `<row r="${at}">`;
        for (const [position, cell] of row.entries()) {
          if (cell === null || cell === '') continue;
          if (typeof cell === 'number') line += `<c r="${letters[position]}${at}"><v>${cell}</v></c>`;
          else line += textCell(`${letters[position]}${at}`, csvCell(cell, String), texts, 2);
        }
        sheet.add(`${line}</row>`);
      }
    },
    finish: sheet.finish,
  };
}

function notesSheet(notes: readonly (readonly string[])[], texts: Texts, file: Part): void {
  const before =
    '<cols><col min="1" max="1" width="28" customWidth="1"/><col min="2" max="2" width="110" customWidth="1"/></cols>';
  const sheet = startSheet(file, before, '');
  for (const [row, cells] of notes.entries()) {
    const line = cells.map((text, column) =>
      textCell(`${columnLetters(column)}${row + 1}`, text, texts, column === 0 ? 1 : 3),
    );
    sheet.add(`<row r="${row + 1}">${line.join('')}</row>`);
  }
  sheet.finish();
}

/** Characters of a sheet that are written at once: a single text of all rows would be slow to build. */
const PIECE = 64 * 1024;

/** Starts a sheet. Its cells refer to shared texts by number, so all of it is ASCII. */
function startSheet(file: Part, before: string, after: string): { add(row: string): void; finish(): void } {
  let text = `${DECLARATION}<worksheet xmlns="${MAIN}">${before}<sheetData>`;
  return {
    add(row) {
      text += row;
      if (text.length < PIECE) return;
      file.write(text);
      text = '';
    },
    finish() {
      file.write(`${text}</sheetData>${after}</worksheet>`);
      file.end();
    },
  };
}

/** A cell of text; empty text is an empty cell. */
function textCell(at: string, text: string, texts: Texts, style: 1 | 2 | 3): string {
  if (text === '') return '';
  let end = texts.get(text);
  if (end === undefined) {
    if (text.length > MOST_CHARACTERS)
      throw new Error(`cell ${at}: a workbook holds no text of ${text.length} characters`);
    end = `" s="2" t="s"><v>${texts.size}</v></c>`;
    texts.set(text, end);
  }
  return `<c r="${at}${style === 2 ? end : end.replace('2', String(style))}`;
}

function sharedStrings(texts: Texts): string {
  const items = [...texts.keys()].map((text) => `<si><t xml:space="preserve">${xmlText(text)}</t></si>`);
  return `${DECLARATION}<sst xmlns="${MAIN}" uniqueCount="${texts.size}">${items.join('')}</sst>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text in XML: what XML cannot hold is written `_x0001_`, and what already looks so has its first underscore written that way. */
function xmlText(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(
      /[^\P{Cc}\t\n]|[\ufffe\uffff]/gu,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}

function columnLetters(position: number): string {
  const last = String.fromCharCode(65 + (position % 26));
  return position < 26 ? last : columnLetters(Math.floor(position / 26) - 1) + last;
}
