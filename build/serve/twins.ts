/** Compresses the files of a site ahead, so that no request has to: only those that no build before this one has compressed. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pMap from 'p-map';
import { mediaTypeOf } from '../../shim/core/headers.ts';
import { filesInSums, SUMS } from '../../shim/core/paths.ts';
import { codingFor, compressedBeside } from '../../shim/http/content.ts';
import { EFFORT } from '../../shim/http/files.ts';
import { MOST_FORM_BYTES, sealed, twinName, twinsFolder } from '../../shim/store/twins.ts';
import { sha256 } from '../lib/tree.ts';
import { makeFolder } from '../lib/replace-file.ts';

/** Files at a time; each is compressed in a thread of its own. */
const AT_ONCE = 2;

/** Makes the compressed forms that the site at `root` lacks, and removes those of files that it no longer has. */
export async function makeTwins(root: string): Promise<void> {
  const folder = twinsFolder(root);
  makeFolder(folder);
  const files = filesInSums(readFileSync(join(root, SUMS), 'utf8'));
  const wanted = new Set<string>();
  await pMap(
    files,
    async ({ path, sha256: hash }) => {
      // How much a file has is known once it is read; what its type rules out is not read.
      if (codingFor(mediaTypeOf(path), Infinity, 'br') === null) return;
      const names = (['br', 'gzip'] as const).map((coding) => [coding, twinName(hash, coding)] as const);
      for (const [, name] of names) wanted.add(name);
      const missing = names.filter(([, name]) => !existsSync(join(folder, name)));
      if (missing.length === 0) return;
      const bytes = readFileSync(join(root, path));
      if (sha256(bytes) !== hash || codingFor(mediaTypeOf(path), bytes.length, 'br') === null) return;
      for (const [coding, name] of missing) {
        const form = await compressedBeside(bytes, coding, EFFORT);
        if (form.length > MOST_FORM_BYTES) continue;
        writeFileSync(join(folder, `${name}.next`), sealed(form, hash, coding));
        renameSync(join(folder, `${name}.next`), join(folder, name));
      }
    },
    { concurrency: AT_ONCE },
  );
  for (const name of readdirSync(folder)) if (!wanted.has(name)) rmSync(join(folder, name));
}
