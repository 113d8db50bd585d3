/** One source checked: its file from the publisher, or from the cache where the publisher says that it is still the same. */
import { basename } from 'node:path';
import type { SourceFile } from '../import/importer.ts';
import { sha256 } from '../lib/tree.ts';
import { memberOf } from './archive.ts';
import { checkBytes } from './bytes.ts';
import type { Cache } from './cache.ts';
import { download } from './download.ts';
import { Stopped } from './outcomes.ts';
import type { CheckedSource } from './sources.ts';

/** Bounds and effects of a check. */
export interface Checking {
  cache: Cache;
  /** Takes the place of the publisher's origin; a stand-in on loopback may speak http. */
  base: URL | null;
  maxBytes: number;
  timeoutMs: number;
  /** `YYYY-MM-DD`. */
  today: string;
}

/** A file that an importer can read, and what is known of it. */
export interface Input {
  /** Null for a file that was given by hand. */
  source: CheckedSource | null;
  file: SourceFile;
  /** Day on which the file was obtained. */
  retrieved: string;
  /** Day on which the publisher's server says that the file last changed; null where it does not say. */
  modified: string | null;
  /** Where the server says that the file is for good now; null where it did not move. */
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
  try {
    checkBytes(bytes, mediaType, format);
    const content =
      format === 'zip'
        ? memberOf(bytes, member ?? '', maxBytes)
        : { name: fileName ?? nameIn(stated, id, format), bytes };
    const file = {
      name: `${family}/${basename(content.name)}`,
      bytes: content.bytes,
      sha256: sha256(content.bytes),
    };
    return { source, file, retrieved, modified: dayOf(lastModified, today), movedTo: got.movedTo };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const { outcome, message } = error;
    cache.quarantine({
      family,
      source: id,
      address: url.href,
      sha256: hash,
      bytes: bytes.length,
      outcome,
      reasons: [message],
    });
    throw error;
  }
}

/** The last part of an address where it is a file name, else one made of the source's id. */
function nameIn({ pathname }: URL, id: string, format: string): string {
  const last = decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
  return last.includes('.') ? last : `${id}.${format}`;
}

/** The day of a Last-Modified header; null without one, or where it lies after today. */
function dayOf(lastModified: string | null, today: string): string | null {
  const moment = Date.parse(lastModified ?? '');
  if (Number.isNaN(moment)) return null;
  const day = new Date(moment).toISOString().slice(0, 10);
  return day <= today ? day : null;
}
