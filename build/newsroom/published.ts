/** A published site as a check of a story reads it: files one by one against SHA256SUMS, datasets from their packs. */
import documentSchema from '../../schemas/dataset-document.schema.json' with { type: 'json' };
import packsSchema from '../../schemas/packs.schema.json' with { type: 'json' };
import { datasetOf } from '../../shim/core/editions.ts';
import { datasetDocumentPath, filesInSums, PACK_MANIFEST, SUMS } from '../../shim/core/paths.ts';
import { validator } from '../../shim/core/schema.ts';
import type { JsonSchema, PackEntry, PackManifest } from '../../shim/core/types.ts';
import { isObject, jsonIn } from '../../shim/core/json.ts';
import { sha256 } from '../lib/tree.ts';
import type { DatasetDocument } from '../../shim/core/records.ts';
import { orUnserved, readSmall, type ReleaseSource } from '../release/source.ts';
import { citedDatasets, type CitedDataset, type CitedPack } from './citation.ts';

/** Most bytes of a file that a story rests on. */
const MAX_BYTES = 1024 ** 3;

/** Takes a finding about a published file. */
export type Report = (file: string, message: string) => void;

/** A published site being read; what is wrong with a file is reported once. */
export type Published = Awaited<ReturnType<typeof openPublished>>;

/** Opens a published site. */
export async function openPublished(source: ReleaseSource, report: Report) {
  const read = async (path: string): Promise<Buffer | null> => {
    const found = await orUnserved(readSmall(source, path, MAX_BYTES));
    if (Buffer.isBuffer(found)) return found;
    report(path, found.message);
    return null;
  };
  const listing = filesInSums(String((await read(SUMS)) ?? ''));
  const sums = new Map(listing.map(({ path, sha256: sum }) => [path, sum]));
  const checked = async (path: string): Promise<Buffer | null> => {
    const found = await read(path);
    const [sum, listed] = [found && sha256(found), sums.get(path)];
    if (found && listed === undefined) report(path, `is not listed in ${SUMS}`);
    else if (found && listed !== sum) report(path, `has the sha256 ${sum}, listed is ${listed}`);
    return found;
  };
  const files = new Map<string, Promise<Buffer | null>>();
  /** The bytes of a file, or null where it cannot be read. */
  const bytes = async (path: string): Promise<Buffer | null> => {
    const known = files.get(path) ?? checked(path);
    files.set(path, known);
    return known;
  };
  /** A JSON document with the type that its caller names; null where it breaks its schema. */
  const document = async <T>(path: string, schema: JsonSchema): Promise<T | null> => {
    const found = await bytes(path);
    if (!found) return null;
    // What is not JSON is undefined, which no schema allows.
    const value = jsonIn(String(found));
    const violations = validator(schema)(value);
    for (const { instancePath, message = '' } of violations ?? []) report(path, `${instancePath} ${message}`);
    return violations ? null : (value as T);
  };
  /** The records of a pack; null unless their hash is the listed one and each line is a JSON object. */
  const recordsOf = async ({ path, sha256: listed }: PackEntry): Promise<Buffer | null> => {
    const records = await bytes(path);
    if (!records) return null;
    const texts = String(records).split('\n').filter(Boolean);
    const broken = texts.findIndex((line) => !isObject(jsonIn(line))) + 1;
    if (sha256(records) !== listed) report(path, `does not have the sha256 that ${PACK_MANIFEST} lists`);
    else if (broken > 0) report(path, `line ${broken} is not a record: expected one JSON object per line`);
    else return records;
    return null;
  };
  /** The named datasets, and every list of designations, since no story may name an individual on one. Null where one is not whole. */
  const datasets = async (named: ReadonlySet<string>): Promise<Map<string, CitedDataset> | null> => {
    const manifest = await document<PackManifest>(PACK_MANIFEST, packsSchema);
    const documents = new Map<string, DatasetDocument>();
    const packs: CitedPack[] = [];
    for (const entry of [...(manifest?.packs ?? []), ...(manifest?.editions ?? [])]) {
      if (entry.kind !== 'entities' && !named.has(datasetOf(entry))) continue;
      const records = await recordsOf(entry);
      const described = await document<DatasetDocument>(datasetDocumentPath(entry.id), documentSchema);
      if (!records || !described) return null;
      packs.push({ entry, records });
      documents.set(entry.id, described);
    }
    return manifest && citedDatasets(documents, packs, null);
  };
  return { bytes, document, datasets };
}
