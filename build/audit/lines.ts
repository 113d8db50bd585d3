/** CSV read line by line: quoted cells, quotes doubled, a quoted line break kept inside its cell. */

/** A record and the line of the file it begins on, counted from 1. */
export interface Line {
  line: number;
  cells: string[];
}

/** All records of a CSV text that are not blank; a byte order mark and a trailing 0x1A are no part of it. */
export function readLines(bytes: Uint8Array): Line[] {
  const text = new TextDecoder().decode(bytes).replace(/^\uFEFF/, '');
  const records: Line[] = [];
  let pending = '';
  let begin = 1;
  for (const [index, physical] of text.split('\n').entries()) {
    if (pending === '') begin = index + 1;
    pending += (pending === '' ? '' : '\n') + physical.replace(/\r$/, '');
    if ((pending.split('"').length - 1) % 2 === 1) continue;
    if (pending.replaceAll('\u001A', '').trim() !== '')
      records.push({ line: begin, cells: cellsOf(pending) });
    pending = '';
  }
  return records;
}

/** The records below the first one that has all these header words, each as words -> text. */
export function recordsUnder(lines: Line[], words: string[]): (Line & { header: string[] })[] {
  const at = lines.findIndex(({ cells }) => words.every((word) => cells.includes(word)));
  const header = lines[at]?.cells;
  if (!header) throw new Error(`no line with the header words ${words.join(', ')}`);
  return lines.slice(at + 1).map((line) => ({ ...line, header }));
}

/** The text of a record below a header word; empty where there is none. */
export function textUnder({ header, cells }: { header: string[]; cells: string[] }, word: string): string {
  return (cells[header.indexOf(word)] ?? '').trim();
}

function cellsOf(record: string): string[] {
  const cells: string[] = [];
  for (const [, quoted, plain = ''] of `,${record}`.matchAll(/,(?:"((?:[^"]|"")*)"[^,]*|([^,]*))/g))
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
  return cells;
}
