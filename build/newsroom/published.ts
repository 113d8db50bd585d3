/** A published site as a check of a story reads it: files one by one against SHA256SUMS, datasets from their packs. */
import { datasetDocumentPath, PACK_MANIFEST } from '../../shim/core/paths.ts';
import type { JsonObject, PackManifest } from '../../shim/core/types.ts';
import type { Source } from '../lib/dataset.ts';
import { sha256 } from '../lib/hash.ts';
import { orUnserved, readSmall, type ReleaseSource } from '../release/source.ts';
import { citedDataset, type CitedDataset, type CitedDescriptor } from './citation.ts';

/** No file a story rests on is longer. */
const MAX_BYTES = 1024 ** 3;

/** Takes a finding about a published file. */
export type Report = (file: string, message: string) => void;

/** A published site being read; what is wrong with a file is reported once. */
export interface Published {
  /** The bytes of a file, or null where it cannot be read. */
  bytes(path: string): Promise<Buffer | null>;
  /** A JSON object, or null where there is none. */
  json(path: string): Promise<JsonObject | null>;
  /** The datasets named, and every list of designations: no story names an individual on one. Null where one is not whole. */
  datasets(named: ReadonlySet<string>): Promise<Map<string, CitedDataset> | null>;
}

/** Opens a published site. */
export async function openPublished(source: ReleaseSource, report: Report): Promise<Published> {
  const read = async (path: string): Promise<Buffer | null> => {
    const found = await orUnserved(readSmall(source, path, MAX_BYTES));
    if (Buffer.isBuffer(found)) return found;
    report(path, found.message);
    return null;
  };
  const sums = new Map(
    [...String((await read('SHA256SUMS')) ?? '').matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm)].map(
      ([, sum = '', path = '']) => [path, sum],
    ),
  );
  const checked = async (path: string): Promise<Buffer | null> => {
    const found = await read(path);
    const listed = sums.get(path);
    if (found && listed === undefined) report(path, 'is not listed in SHA256SUMS');
    else if (found && listed !== sha256(found))
      report(path, `has the sha256 ${sha256(found)}, listed is ${listed}`);
    return found;
  };
  const files = new Map<string, Promise<Buffer | null>>();
  const bytes = (path: string): Promise<Buffer | null> => {
    const known = files.get(path) ?? checked(path);
    files.set(path, known);
    return known;
  };
  const json = async (path: string): Promise<JsonObject | null> => {
    const found = await bytes(path);
    if (!found) return null;
    try {
      const value: unknown = JSON.parse(found.toString('utf8'));
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
    } catch {
      // Reported below, like JSON that is not an object.
    }
    report(path, 'is not a JSON object');
    return null;
  };
  return {
    bytes,
    json,
    async datasets(named) {
      const manifest = (await json(PACK_MANIFEST)) as PackManifest | null;
      if (!manifest) return null;
      const datasets = new Map<string, CitedDataset>();
      let isWhole = true;
      for (const entry of manifest.packs) {
        if (!named.has(entry.id) && entry.kind !== 'entities') continue;
        const records = await bytes(entry.path);
        const document = await json(datasetDocumentPath(entry.id));
        const isListed = records !== null && sha256(records) === entry.sha256;
        if (records && !isListed) report(entry.path, `does not have the sha256 that ${PACK_MANIFEST} lists`);
        if (document && isListed)
          datasets.set(entry.id, citedDataset(descriptorOf(document), entry, records));
        else isWhole = false;
      }
      return isWhole ? datasets : null;
    },
  };
}

/** A dataset's published document as a descriptor. */
function descriptorOf(document: JsonObject): CitedDescriptor {
  const { id, sources, ...facts } = document as unknown as Omit<CitedDescriptor, 'name' | 'sources'> & {
    id: string;
    sources: (Omit<Source, 'title' | 'path'> & { name: string; downloadUrl: string })[];
  };
  return {
    ...facts,
    name: id,
    sources: sources.map((source) => ({ ...source, title: source.name, path: source.downloadUrl })),
  } as CitedDescriptor;
}
