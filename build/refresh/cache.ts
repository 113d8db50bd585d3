/**
 * The cache of publishers' files, outside the repository: `files/<sha256>` holds a file as it was sent, `addresses/` what a
 * server said about it, `quarantine/` why a file was not used. Every file is written whole or not at all, and read against its hash.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, replaceFile } from '../lib/replace-file.ts';
import { isObject, jsonIn } from '../../shim/core/json.ts';
import { prettyJson, sha256 } from '../lib/tree.ts';
import type { Validators } from './download.ts';
import type { Outcome } from './outcomes.ts';

/** What is known of the last file an address sent. */
export interface Remembered extends Validators {
  address: string;
  sha256: string;
  mediaType: string;
  fileName: string | null;
  /** Day on which it was sent. */
  retrieved: string;
}

/** Where a file is from, and why it was not used. */
interface Refused {
  family: string;
  /** Id and address of the source; null for what was given by hand. */
  source: string | null;
  address: string | null;
  outcome: Outcome;
  reason: string;
}

/** The cache; a part of it that is damaged counts as absent. */
export interface Cache {
  /** The bytes with this hash, or null. */
  file(hash: string): Buffer | null;
  /** Keeps bytes; returns their hash. */
  keep(bytes: Uint8Array): string;
  remembered(address: string): Remembered | null;
  remember(known: Remembered): void;
  /** Keeps bytes that were not used, and why. */
  quarantine(bytes: Uint8Array, why: Refused): void;
  /** Takes a file out of quarantine, if it is there. */
  release(hash: string): void;
}

/** Opens the cache in a folder, which is made when something is written. */
export function openCache(root: string): Cache {
  const write = (folder: string, name: string, bytes: Uint8Array): void => {
    makeFolder(join(root, folder));
    replaceFile(join(root, folder, name), bytes);
  };
  const file = (hash: string): Buffer | null => {
    const path = join(root, 'files', hash);
    const bytes = existsSync(path) ? readFileSync(path) : null;
    return bytes && sha256(bytes) === hash ? bytes : null;
  };
  const keep = (bytes: Uint8Array): string => {
    const hash = sha256(bytes);
    if (file(hash) === null) write('files', hash, bytes);
    return hash;
  };
  const noteOf = (address: string): string => `${sha256(address)}.json`;
  return {
    file,
    keep,
    remembered(address) {
      const path = join(root, 'addresses', noteOf(address));
      const note = existsSync(path) ? jsonIn(readFileSync(path, 'utf8')) : null;
      return isObject(note) && note['address'] === address ? (note as unknown as Remembered) : null;
    },
    remember(known) {
      write('addresses', noteOf(known.address), prettyJson(known));
    },
    quarantine(bytes, { family, source, address, outcome, reason }) {
      const hash = keep(bytes);
      const sent = { sha256: hash, bytes: bytes.length };
      const note = { family, source, address, ...sent, outcome, reasons: [reason] };
      write('quarantine', `${hash}.json`, prettyJson(note));
    },
    release(hash) {
      rmSync(join(root, 'quarantine', `${hash}.json`), { force: true });
    },
  };
}
