/** What is wrong with a file that a publisher's server sent, as far as its bytes show; content is for the importer to judge. */
import { Stopped } from './outcomes.ts';

/** The forms of files that publishers offer. */
export type Format = 'csv' | 'xlsx' | 'zip';

/** A media type that a server may declare for any file. */
const ANY = [
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/download',
  'application/force-download',
];

const MEDIA_TYPES: Record<Format, ReadonlySet<string>> = {
  csv: new Set([
    ...ANY,
    'text/csv',
    'text/plain',
    'application/csv',
    'text/comma-separated-values',
    'application/vnd.ms-excel',
  ]),
  xlsx: new Set([
    ...ANY,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.ms-excel',
    'application/zip',
  ]),
  zip: new Set([...ANY, 'application/zip', 'application/x-zip-compressed', 'application/x-zip']),
};

const HTML = /^\uFEFF?\s*(<(!--[\s\S]*?--|\?xml[^>]*)>\s*)*<(!doctype\s+html|html|head|body)\b/i;
const POINTER =
  /^(version https:\/\/(git-lfs|hawser)\.|\.?\.?[^\s]*\/?\.git\/annex\/objects\/|\/annex\/objects\/)/;
const ZIP = '504b0304';
/** First bytes of forms of files, in hex, and their names. */
const FORMS: [start: string, name: string][] = [
  [ZIP, 'a zip archive or workbook'],
  ['25504446', 'a PDF document'],
  ['d0cf11e0', 'a workbook of the old form (.xls)'],
  ['1f8b', 'a gzip file'],
  ['89504e47', 'a picture'],
  ['ffd8ff', 'a picture'],
  ['47494638', 'a picture'],
  ['fffe', 'text in UTF-16'],
  ['feff', 'text in UTF-16'],
  ['3c', 'a document in XML or HTML'],
  ['7b', 'a JSON document'],
  ['5b', 'a JSON document'],
];
const BYTE_ORDER_MARK = 'efbbbf';

/** Bytes at the end of a zip file among which its last record begins: 22 and a comment. */
const ZIP_END = 22 + 65_535;

/** Throws a Stopped unless the bytes can be a whole file of this form. */
export function checkBytes(bytes: Uint8Array, mediaType: string, format: Format): void {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = data.toString('utf8', 0, 4096);
  if (data.every((byte) => byte <= 0x20))
    throw new Stopped('empty', `a body of ${data.length} bytes without content`);
  if (HTML.test(text) || mediaType === 'text/html' || mediaType === 'application/xhtml+xml')
    throw new Stopped('html', 'a web page in place of the file');
  if (POINTER.test(text))
    throw new Stopped('pointer', 'a pointer to the file in a version control system, not the file');
  if (!MEDIA_TYPES[format].has(mediaType))
    throw new Stopped('wrong-type', `declared as "${mediaType}", expected a .${format} file`);
  const start = data
    .toString('hex', 0, 64)
    .replace(BYTE_ORDER_MARK, '')
    .replace(/^(09|0a|0d|20)+/, '');
  const form = FORMS.find(([first]) => start.startsWith(first));
  if (format === 'csv') checkText(data, form?.[1]);
  else if (form?.[0] !== ZIP)
    throw new Stopped('wrong-type', `${form?.[1] ?? 'another kind of file'}, expected a .${format} file`);
  else if (!data.subarray(-ZIP_END).includes('PK\u0005\u0006'))
    throw new Stopped('truncated', 'the directory at the end of the file is missing');
}

function checkText(data: Buffer, form: string | undefined): void {
  if (form !== undefined) throw new Stopped('wrong-type', `${form}, expected a .csv file`);
  if (data.includes(0)) throw new Stopped('wrong-type', 'bytes that are not text, expected a .csv file');
  // Each publisher of a .csv file ends its last line; OFAC adds the byte 0x1A.
  if (![0x0a, 0x0d, 0x1a].includes(data.at(-1) ?? 0))
    throw new Stopped('truncated', 'the last line has no end, so the file may have been cut off');
}
