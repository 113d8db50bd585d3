/** One writer a folder: `<folder>.lock` names the process that writes to it. A lock whose process is gone is taken over. */
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Another process writes to the folder. */
export class Busy extends Error {
  constructor(folder: string, pid: number) {
    super(`${folder} is being written by process ${pid}; wait for it, or end it and run again`);
    this.name = 'Busy';
  }
}

/** Takes the lock of a folder; returns what gives it back. Throws Busy. */
export function lockFolder(folder: string): () => void {
  const lock = `${folder}.lock`;
  const mine = `${lock}.${process.pid}`;
  // Written whole beside and linked into place: a lock never lacks its content, whenever its writer is killed.
  writeFileSync(mine, `${process.pid} ${startOf(process.pid)}\n`);
  try {
    for (let attempt = 0; !linked(mine, lock); attempt += 1) {
      const holder = liveHolder(lock);
      if (holder !== null || attempt > 3) throw new Busy(folder, holder ?? 0);
      discard(lock);
    }
  } finally {
    rmSync(mine, { force: true });
  }
  sweep(lock);
  return () => rmSync(lock, { force: true });
}

/** Removes what writers killed while taking the lock left beside it: `<lock>.<pid>` and `<lock>.stale.<pid>` of processes gone. */
function sweep(lock: string): void {
  for (const name of readdirSync(dirname(lock))) {
    const [, pid] = name.startsWith(`${basename(lock)}.`) ? (/\.(\d+)$/.exec(name) ?? []) : [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(dirname(lock), name), { force: true });
  }
}

/** Whether another process holds the folder's lock now. */
export function isLockedByOther(folder: string): boolean {
  const holder = liveHolder(`${folder}.lock`);
  return holder !== null && holder !== process.pid;
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Two processes may find the same stale lock: whoever moves away a live one by mistake puts it back. */
function discard(lock: string): void {
  const aside = `${lock}.stale.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  if (liveHolder(aside) !== null) linked(aside, lock);
  rmSync(aside, { force: true });
}

/** The process a lock names, if it lives; null otherwise. A number reused by a younger process does not count. */
function liveHolder(lock: string): number | null {
  const [pid = 0, start = ''] = textOf(lock).trim().split(' ', 2);
  const number = Number(pid);
  if (!Number.isSafeInteger(number) || number <= 0 || !isAlive(number)) return null;
  const now = startOf(number);
  return start === '' || now === '' || start === now ? number : null;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

/** When a process started, in ticks since boot, where the system tells (field 22 of /proc/<pid>/stat); else empty. */
function startOf(pid: number): string {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
