/**
 * Hashes of the files of the last tree by the stamp their system gives them, for the next one: a file that was not touched is not
 * read to know what is in it. A cache: where it cannot be had, is damaged or cannot be kept, the files are read.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { sha256 } from '../lib/tree.ts';

/** Hashes by the stamp of a file. */
export type KnownHashes = Map<string, string>;

/** Changes when a file is replaced or rewritten. */
export function stampOf({ ino, mtimeMs }: Stats): string {
  return `${ino} ${mtimeMs}`;
}

/** What was kept of the last tree. */
export function readKnown(file: string): KnownHashes {
  try {
    const [hash, json = ''] = readFileSync(file, 'utf8').split('\n');
    return new Map(hash === sha256(json) ? (JSON.parse(json) as [stamp: string, hash: string][]) : []);
  } catch {
    return new Map();
  }
}

/** Keeps what is known of a tree. */
export function writeKnown(file: string, known: KnownHashes): void {
  const json = JSON.stringify([...known]);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, `${sha256(json)}\n${json}`);
    renameSync(`${file}.new`, file);
  } catch {
    // What was kept before stays true of the files it was kept of.
  }
}
