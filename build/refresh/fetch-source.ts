/** Gets and checks one file: that of a source, from the publisher or, where it has not changed, from the cache; or one given by hand. */
import { basename, dirname, join } from 'node:path';
import { isWebPage, type SourceFile } from '../import/importer.ts';
import { sha256 } from '../lib/tree.ts';
import { isReadable, zipContent, zipEntries, ZIP_END } from '../lib/zip.ts';
import type { Cache } from './cache.ts';
import { download, tooLarge } from './download.ts';
import { Stopped } from './outcomes.ts';
import type { CheckedSource } from './sources.ts';
import FORMS from './forms.json' with { type: 'json' };

/** Bounds and effects of a check. */
export interface Checking {
  cache: Cache;
  /** Replaces the publisher's origin; a stand-in on loopback may speak http. */
  base: URL | null;
  maxBytes: number;
  timeoutMs: number;
  /** `YYYY-MM-DD`. */
  today: string;
}

/** A file that an importer can read, and what is known about it. */
export interface Input {
  /** Null for a file that was given by hand. */
  source: CheckedSource | null;
  file: SourceFile;
  /** Day on which the file was obtained. */
  retrieved: string;
  /** Day on which the publisher's server says that the file last changed; null where it does not say. */
  modified: string | null;
  /** The address to which the file moved permanently; null where it did not move. */
  movedTo: string | null;
}

/** Checks the address of a source. Throws a Stopped; a file that cannot be used is then in quarantine. */
export async function fetchSource(family: string, source: CheckedSource, checking: Checking): Promise<Input> {
  const { id, refresh } = source;
  const { cache, base, maxBytes, timeoutMs, today } = checking;
  const { address = '', hosts = [], format = 'csv', member } = refresh;
  const stated = new URL(address);
  const url = base ? new URL(`${stated.pathname}${stated.search}`, base) : stated;
  const remembered = cache.remembered(url.href);
  const kept = remembered ? cache.file(remembered.sha256) : null;
  const allowed = new Set(base ? [base.host] : [stated.host, ...hosts]);
  const known = kept ? remembered : null;
  const got = await download({ address: url, hosts: allowed, known, maxBytes, timeoutMs });
  const bytes = got.bytes ?? kept ?? new Uint8Array();
  const hash = cache.keep(bytes);
  const described = got.bytes === null && known ? known : { ...got, retrieved: today };
  const { etag, lastModified, mediaType, fileName, retrieved } = described;
  cache.remember({ address: url.href, sha256: hash, etag, lastModified, mediaType, fileName, retrieved });
  const name = join(family, basename(fileName ?? nameIn(stated, id, format)));
  const sent = { name, bytes, format, mediaType, member, source: id, address: url.href };
  const file = usable(family, sent, checking);
  return { source, file, retrieved, modified: dayOf(lastModified), movedTo: got.movedTo };
}

/** The same for a file given by hand, whose name or first bytes tell its form. Throws a Stopped; the file is then in quarantine. */
export function checkGiven(
  family: string,
  { name, bytes }: SourceFile,
  sources: readonly CheckedSource[],
  checking: Checking,
): Input {
  const [, extension = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  const isZip = Buffer.from(bytes.subarray(0, 4)).toString('hex') === ZIP;
  // A JSON description next to a table is left to its importer.
  const format =
    (Object.keys(FORMS.mediaTypes) as Format[]).find((one) => one === extension) ??
    (extension === 'json' ? null : isZip || extension.startsWith('xls') ? 'xlsx' : 'csv');
  const member = sources.find(({ refresh }) => refresh.member !== undefined)?.refresh.member;
  const given = { name, bytes, format, mediaType: '', member, source: null, address: null };
  const file = usable(family, given, checking);
  return { source: null, file, retrieved: checking.today, modified: null, movedTo: null };
}

type Format = keyof typeof FORMS.mediaTypes;

/** Bytes that were sent or given, and what is known about them. */
interface Received {
  name: string;
  bytes: Uint8Array;
  /** Null where any form will do. */
  format: Format | null;
  mediaType: string;
  member: string | undefined;
  /** Id and address of the source; null for what was given by hand. */
  source: string | null;
  address: string | null;
}

/** The file that an importer can read. Throws a Stopped; what was received is then in quarantine. */
function usable(
  family: string,
  { name, bytes, format, mediaType, member = '', source, address }: Received,
  { cache, maxBytes }: Checking,
): SourceFile {
  try {
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    checkBytes(bytes, mediaType, format);
    if (format !== 'zip') return { name, bytes, sha256: sha256(bytes) };
    const content = memberOf(bytes, member, maxBytes);
    const inside = join(dirname(name), basename(content.name));
    return { name: inside, bytes: content.bytes, sha256: sha256(content.bytes) };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const { outcome, message: reason } = error;
    cache.quarantine(bytes, { family, source, address, outcome, reason });
    throw error;
  }
}

/** The last part of an address where it is a file name, else one made of the source's id. */
function nameIn({ pathname }: URL, id: string, format: string): string {
  const last = decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
  return last.includes('.') ? last : `${id}.${format}`;
}

/** The day of a Last-Modified header; null without one. */
function dayOf(lastModified: string | null): string | null {
  const moment = Date.parse(lastModified ?? '');
  return Number.isNaN(moment) ? null : new Date(moment).toISOString().slice(0, 10);
}

const ZIP = '504b0304';

/** The only member whose name matches. Throws a Stopped where there is none or several, or where it cannot be read whole. */
function memberOf(
  archive: Uint8Array,
  pattern: string,
  maxBytes: number,
): { name: string; bytes: Uint8Array } {
  const data = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  try {
    const [entry, ...more] = zipEntries(data).filter(({ name }) => new RegExp(pattern).test(name));
    if (!entry || more.length > 0)
      throw new Stopped(
        'refused',
        `${more.length + (entry ? 1 : 0)} files called ${pattern} in the archive, expected 1`,
      );
    const { name, method, size } = entry;
    if (size > maxBytes)
      throw new Stopped('oversized', `${name} in the archive is larger than ${maxBytes} bytes`);
    if (!isReadable(entry))
      throw new Stopped('wrong-type', `${name} in the archive is compressed by method ${method}`);
    const bytes = zipContent(data, entry);
    if (bytes === null) throw new Stopped('truncated', `${name} in the archive does not match its checksum`);
    return { name, bytes };
  } catch (error) {
    if (error instanceof Stopped) throw error;
    throw new Stopped('truncated', 'the archive is damaged');
  }
}

const POINTER =
  /^(version https:\/\/(git-lfs|hawser)\.|\.?\.?[^\s]*\/?\.git\/annex\/objects\/|\/annex\/objects\/)/;

/** The last record of a zip file begins within this many bytes of its end: 22 bytes and a comment. */
const END_ROOM = 22 + 65_535;

/** Throws a Stopped unless the bytes can be a whole file of this form. */
function checkBytes(bytes: Uint8Array, mediaType: string, format: Format | null): void {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = data.toString('utf8', 0, 4096);
  if (data.every((byte) => byte <= 0x20))
    throw new Stopped('empty', `a body of ${data.length} bytes without content`);
  if (isWebPage(data) || mediaType === 'text/html' || mediaType === 'application/xhtml+xml')
    throw new Stopped('html', 'a web page in place of the file');
  if (POINTER.test(text))
    throw new Stopped('pointer', 'a pointer to the file in a version control system, not the file');
  if (format === null) return;
  if (![...FORMS.anyFile, ...FORMS.mediaTypes[format]].includes(mediaType))
    throw new Stopped('wrong-type', `declared as "${mediaType}", expected a .${format} file`);
  const start = data
    .toString('hex', 0, 64)
    .replace(/^efbbbf/, '')
    .replace(/^(09|0a|0d|20)+/, '');
  const [first, form] =
    Object.entries(FORMS.firstBytes).find(([bytesInHex]) => start.startsWith(bytesInHex)) ?? [];
  if (format === 'csv') checkText(data, form);
  else if (first !== ZIP)
    throw new Stopped('wrong-type', `${form ?? 'another kind of file'}, expected a .${format} file`);
  else if (!data.subarray(-END_ROOM).includes(ZIP_END))
    throw new Stopped('truncated', 'the directory at the end of the file is missing');
}

function checkText(data: Buffer, form: string | undefined): void {
  if (form !== undefined) throw new Stopped('wrong-type', `${form}, expected a .csv file`);
  if (data.includes(0)) throw new Stopped('wrong-type', 'bytes that are not text, expected a .csv file');
  // Each publisher of a .csv file ends its last line; OFAC adds the byte 0x1A.
  if (![0x0a, 0x0d, 0x1a].includes(data.at(-1) ?? 0))
    throw new Stopped('truncated', 'the last line has no end, so the file may have been cut off');
}
