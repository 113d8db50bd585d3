/** The published files of a story, read from a mirror one by one and held against its SHA256SUMS. */
import { createHash } from 'node:crypto';
import { readSmall, Unserved, type ReleaseSource } from '../release/source.ts';
import type { JsonObject, JsonValue, PackEntry, PackManifest } from '../../shim/core/types.ts';
import { isObject, recordFinder, type FindRecord } from './records.ts';

/** No file a story rests on is longer. */
const MOST_BYTES = 1024 ** 3;

/** A source as any published file names it; `id` is null where that file gives none. */
export interface PublishedSource {
  id: string | null;
  sha256: string;
  publisher: string;
  /** What the file says of the source besides, as a dossier names it: `sourceUrl`, `license`, `retrievedAt`. */
  facts: Record<string, JsonValue>;
}

/** A packaged dataset as the mirror has it. */
export interface MirroredDataset {
  sha256: string;
  path: string;
  title: string;
  /** The unit of an atlas, which its records do not repeat. */
  unit: string | null;
  /** Null where no published file of the release repeats them. */
  limitations: string[] | null;
  find: FindRecord;
  sources: PublishedSource[];
}

/** A mirror being read; what is wrong with a file is told once, through `report`. */
export interface Mirror {
  /** The bytes of a file, or null where it cannot be had. */
  bytes(path: string): Promise<Buffer | null>;
  json(path: string): Promise<JsonObject | null>;
  dataset(id: string): Promise<MirroredDataset | null>;
}

/** Opens a mirror. */
export async function openMirror(
  source: ReleaseSource,
  report: (file: string, message: string) => void,
): Promise<Mirror> {
  const files = new Map<string, Promise<Buffer | null>>();
  const sums = sumsOf(await read(source, 'SHA256SUMS', report));
  const bytes = (path: string): Promise<Buffer | null> => {
    const known = files.get(path) ?? checked(source, path, sums, report);
    files.set(path, known);
    return known;
  };
  const json = async (path: string): Promise<JsonObject | null> => parsed(path, await bytes(path), report);
  return {
    bytes,
    json,
    async dataset(id) {
      const manifest = (await json('data/packs.json')) as PackManifest | null;
      const entry = manifest?.packs.find((pack) => pack.id === id);
      if (!entry) {
        report('data/packs.json', `lists no dataset ${id}`);
        return null;
      }
      const pack = await bytes(entry.path);
      return pack
        ? { sha256: hex(pack), ...(await describedIn(entry, json)), find: recordFinder(entry.kind, id, pack) }
        : null;
    },
  };
}

async function read(
  source: ReleaseSource,
  path: string,
  report: (file: string, message: string) => void,
): Promise<Buffer | null> {
  try {
    return await readSmall(source, path, MOST_BYTES);
  } catch (error) {
    if (!(error instanceof Unserved)) throw error;
    report(path, error.message);
    return null;
  }
}

async function checked(
  source: ReleaseSource,
  path: string,
  sums: Map<string, string>,
  report: (file: string, message: string) => void,
): Promise<Buffer | null> {
  const bytes = await read(source, path, report);
  const listed = sums.get(path);
  if (bytes && listed !== hex(bytes))
    report(
      path,
      listed === undefined
        ? 'is not listed in SHA256SUMS'
        : `has the sha256 ${hex(bytes)}, listed is ${listed}`,
    );
  return bytes;
}

function sumsOf(bytes: Buffer | null): Map<string, string> {
  const lines = (bytes?.toString('utf8') ?? '').split('\n');
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, sum, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
      return sum !== undefined && path !== undefined ? [[path, sum]] : [];
    }),
  );
}

function parsed(
  path: string,
  bytes: Buffer | null,
  report: (file: string, message: string) => void,
): JsonObject | null {
  if (!bytes) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Reported below, like JSON that is no object.
  }
  report(path, 'is no JSON object');
  return null;
}

/** What is said of a dataset stands in the catalog, in the pack manifest (atlas, designations), or in the data package. */
async function describedIn(
  { id, path, meta }: PackEntry,
  json: (path: string) => Promise<JsonObject | null>,
): Promise<Pick<MirroredDataset, 'path' | 'title' | 'unit' | 'limitations' | 'sources'>> {
  const named = (list: unknown, key: string, value: string): JsonObject | undefined =>
    objects(list).find((item) => item[key] === value);
  const own =
    [meta['metadata'], meta['source']].find(isObject) ??
    named((await json('data/catalog.json'))?.['datasets'], 'id', id);
  const listed =
    own ?? named((await json('data/datapackage.json'))?.['resources'], 'name', `${id}.ndjson`) ?? {};
  const { title, unit, limitations } = { ...meta, ...listed };
  return {
    path,
    title: String(title),
    unit: typeof unit === 'string' ? unit : null,
    limitations: Array.isArray(limitations) ? limitations.map(String) : null,
    sources: published(listed['sources']),
  };
}

/** Names of a source's members as a dossier has them, beside those of the catalog and of the data package. */
const FACTS: [name: string, member: string][] = [
  ['sourceTitle', 'name'],
  ['sourceUrl', 'url'],
  ['license', 'license'],
  ['licenseUrl', 'licenseUrl'],
  ['dated', 'dated'],
  ['retrievedAt', 'retrievedAt'],
];

function published(list: unknown): PublishedSource[] {
  return objects(list).map((source) => ({
    id: typeof source['id'] === 'string' ? source['id'] : null,
    sha256: String(source['sha256']),
    publisher: String(source['publisher']),
    facts: Object.fromEntries(
      FACTS.flatMap(([name, member]): [string, JsonValue][] => {
        const value = source[member];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  }));
}

function objects(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter((item): item is JsonObject => isObject(item)) : [];
}

function hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
