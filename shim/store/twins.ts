/**
 * Compressed forms of published files, made by the build and named by the sha256 of the original. Each begins with the sha256 of
 * itself and of what it is a form of: one that is damaged, cut short or in the place of another is not used.
 */
import { hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { readWhole } from './disk.ts';

const ENDINGS = { br: '.br', gzip: '.gz' } as const;
const SEAL_BYTES = 32;
/** Larger forms are not made: a server reads a form whole and keeps it. */
export const MOST_FORM_BYTES = 8 * 1024 * 1024;

/** A content coding. */
export type Coding = keyof typeof ENDINGS;

/** The folder of the compressed forms for the site at `root`: next to it, and not part of the release. */
export function twinsFolder(root: string): string {
  return join(resolve(root), '..', '.build', 'twins');
}

/** The file of a form in that folder. */
export function twinName(sha256: string, coding: Coding): string {
  return `${sha256}${ENDINGS[coding]}`;
}

/** The contents of that file: the seal, then the form. */
export function sealed(form: Uint8Array, sha256: string, coding: Coding): Uint8Array {
  return Buffer.concat([sealOf(form, sha256, coding), form]);
}

/** The form of a file; null where it is missing or damaged. */
export function readTwin(folder: string, sha256: string, coding: Coding): Uint8Array | null {
  let bytes: Buffer;
  try {
    bytes = readWhole(join(folder, twinName(sha256, coding)), SEAL_BYTES + MOST_FORM_BYTES);
  } catch {
    return null;
  }
  const form = bytes.subarray(SEAL_BYTES);
  return sealOf(form, sha256, coding).equals(bytes.subarray(0, SEAL_BYTES)) ? form : null;
}

function sealOf(form: Uint8Array, sha256: string, coding: Coding): Buffer {
  return Buffer.from(hash('sha256', `${sha256} ${coding} ${hash('sha256', form)}`), 'hex');
}
