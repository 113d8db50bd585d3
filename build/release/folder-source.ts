/** A published tree in a folder. */
import { createReadStream, lstatSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { bounded, Unserved, type ReleaseSource } from './source.ts';

/** Opens a folder; nothing is read until it is asked for. */
export function folderSource(folder: string): ReleaseSource {
  return {
    where: folder,
    remote: false,
    open(path, limit) {
      const file = join(folder, path);
      const stat = lstatSync(file, { throwIfNoEntry: false });
      if (!stat?.isFile())
        return Promise.reject(new Unserved('missing', stat ? 'is no regular file' : 'is missing'));
      const chunks = bounded(createReadStream(file, { highWaterMark: 1024 * 1024, end: limit }), limit);
      return Promise.resolve({ chunks, mediaType: null, allowOrigin: null });
    },
    list: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
        .sort((a, b) => (a < b ? -1 : 1)),
  };
}

/** Whether there is such a folder. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
