/** `npm run import -- <family> <files...>`: raw publisher files to datasets/, all or nothing, with an audit. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { auditLines } from './audit.ts';
import { FAMILIES } from './families.ts';
import type { Imported } from './family.ts';
import { Refusal } from './refusal.ts';
import { datasetFiles } from './write.ts';

/** What the command line asked for. */
export interface ImportRequest {
  family: string;
  files: string[];
  /** Folder of the datasets, `datasets` unless told otherwise. */
  datasets: string;
  /** Date of retrieval for copies not known by hash. */
  retrieved: string;
}

/** Runs one import; returns the lines to print. Throws a Refusal before anything is written. */
export function runImport(request: ImportRequest): string[] {
  const family = FAMILIES.find((candidate) => candidate.name === request.family);
  if (!family)
    throw new Refusal(
      'import',
      'the family',
      FAMILIES.map(({ name }) => name).join(', '),
      JSON.stringify(request.family),
    );
  if (request.files.length === 0) throw new Refusal(family.name, 'the files', family.files, 'none');
  const files = request.files.map((path) => {
    const bytes = readFileSync(path);
    return { name: nameOf(path), bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  const imported = family.read(files, { retrieved: request.retrieved });
  const written = imported.map(({ dataset }) => [dataset.descriptor.name, datasetFiles(dataset)] as const);
  for (const [id, contents] of written) replaceFolder(join(request.datasets, id), contents);
  return imported.flatMap(({ dataset, audit }: Imported) => auditLines(dataset.descriptor.name, audit));
}

/** `<parent folder>/<base name>`: some publishers name every file alike and tell them apart by folder. */
function nameOf(path: string): string {
  return join(basename(dirname(resolve(path))), basename(path)).replaceAll('\\', '/');
}

function replaceFolder(folder: string, contents: Record<string, Buffer>): void {
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  for (const [name, bytes] of Object.entries(contents)) writeFileSync(join(fresh, name), bytes);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}
