/**
 * `<folder>.lock` is a symbolic link whose target, `<pid> <start>`, names the process that writes to the folder. A link gets its
 * target in the step that makes it, so a lock is never half written. A lock whose process is gone is taken over.
 */
import { lstatSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { isCode } from './folder-files.ts';
import { NotATree } from './not-a-tree.ts';
import { isAlive, makeFolder } from '../lib/replace-file.ts';

/** Another process is writing to the folder. */
export class Busy extends Error {
  constructor(folder: string, pid: number) {
    super(`${folder} is being written by process ${pid}; wait for it, or stop it and run again`);
    this.name = 'Busy';
  }
}

/** Takes the lock of a folder; returns the function that releases it. Throws Busy. */
export function lockFolder(folder: string): () => void {
  const lock = `${folder}.lock`;
  makeFolder(dirname(folder));
  const own = `${process.pid} ${startOf(process.pid)}`;
  for (let attempt = 0; !linked(own, lock); attempt += 1) {
    const holder = livePid(holderOf(lock));
    if (holder !== null || attempt > 3) throw new Busy(folder, holder ?? 0);
    discardLock(lock);
  }
  rmSync(`${lock}.stale`, { force: true });
  return () => rmSync(lock, { force: true });
}

/** Whether another process holds the folder's lock now. */
export function isLockedByOther(folder: string): boolean {
  const pid = livePid(holderOf(`${folder}.lock`));
  return pid !== null && pid !== process.pid;
}

function linked(holder: string, lock: string): boolean {
  try {
    symlinkSync(holder, lock);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Two processes may find the same stale lock: one that moves away a live lock by mistake puts it back. */
function discardLock(lock: string): void {
  if (lstatSync(lock, { throwIfNoEntry: false })?.isSymbolicLink() === false)
    throw new NotATree(lock, 'is in the way: it is not the lock of a writer; move it away');
  const aside = `${lock}.stale`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  const holder = holderOf(aside);
  if (livePid(holder) !== null) linked(holder, lock);
  rmSync(aside, { force: true });
}

/** The process that a lock names, if it is alive. A younger process with the same number does not count. */
function livePid(holder: string): number | null {
  const [pid = '', start = ''] = holder.split(' ', 2);
  if (!/^[1-9]\d*$/.test(pid) || !isAlive(Number(pid))) return null;
  const now = startOf(Number(pid));
  return start === '' || now === '' || start === now ? Number(pid) : null;
}

/** When a process started, in ticks since boot, where the system says so (field 22 of /proc/<pid>/stat); else empty. */
function startOf(pid: number): string {
  const stat = textOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function holderOf(lock: string): string {
  return textOr(() => readlinkSync(lock));
}

function textOr(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
