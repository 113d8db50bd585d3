/** Makes folders, and replaces single files at once: readers see the old bytes or the new ones. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Makes a folder and those that it is in, where they are missing. That of node goes on for ever where a system says of a folder that
 * is there that it is not, as Linux does below /proc.
 */
export function makeFolder(path: string): void {
  const isThere = (): boolean => existsSync(path) && statSync(path).isDirectory();
  if (isThere()) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isThere()) throw error;
  }
}

/**
 * Replaces a file, or makes it in a folder that is there; owner and permissions stay, and so does a link to it. What a killed
 * writer of the same file left next to it is removed.
 */
export function replaceFile(path: string, bytes: string | Uint8Array): void {
  const place = existsSync(path) ? realpathSync(path) : path;
  const folder = dirname(place);
  const own = `.${basename(place)}.`;
  for (const name of readdirSync(folder)) {
    const [, pid] = (name.startsWith(own) && /^(\d+)\.writing$/.exec(name.slice(own.length))) || [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
  const fresh = join(folder, `${own}${process.pid}.writing`);
  const last = statSync(place, { throwIfNoEntry: false });
  try {
    writeFileSync(fresh, bytes, { flush: true });
    if (last) {
      if (process.getuid?.() === 0) chownSync(fresh, last.uid, last.gid);
      chmodSync(fresh, last.mode);
    }
    renameSync(fresh, place);
  } catch (error) {
    rmSync(fresh, { force: true, recursive: true });
    // The system names no file, or the one that was to take its place.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

/** Whether a process runs, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
