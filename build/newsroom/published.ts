/** A published site as a check of a story reads it: files one by one against SHA256SUMS, datasets from their packs. */
import documentSchema from '../../schemas/dataset-document.schema.json' with { type: 'json' };
import { datasetOf } from '../../shim/core/editions.ts';
import { datasetDocumentPath, PACK_MANIFEST, SUMS } from '../../shim/core/paths.ts';
import { validator } from '../../shim/core/schema.ts';
import type { JsonSchema, JsonValue, PackEntry, PackManifest } from '../../shim/core/types.ts';
import { isObject } from '../../shim/core/fields.ts';
import { sha256 } from '../lib/tree.ts';
import type { DatasetDocument } from '../../shim/core/records.ts';
import { orUnserved, readSmall, type ReleaseSource } from '../release/source.ts';
import { citedDatasets, type CitedDataset, type CitedPack } from './citation.ts';

/** What the list of packs must have to be read. */
const PACKS: JsonSchema = {
  type: 'object',
  required: ['packs'],
  properties: {
    packs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'kind', 'path', 'sha256'],
        properties: {
          id: { type: 'string' },
          kind: { type: 'string' },
          path: { type: 'string' },
          sha256: { type: 'string' },
        },
      },
    },
  },
};

/** No file a story rests on is longer. */
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
  const lines = String((await read(SUMS)) ?? '').matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm);
  const sums = new Map([...lines].map(([, sum = '', path = '']) => [path, sum]));
  const checked = async (path: string): Promise<Buffer | null> => {
    const found = await read(path);
    const listed = sums.get(path);
    if (found && listed === undefined) report(path, `is not listed in ${SUMS}`);
    else if (found && listed !== sha256(found))
      report(path, `has the sha256 ${sha256(found)}, listed is ${listed}`);
    return found;
  };
  const files = new Map<string, Promise<Buffer | null>>();
  /** The bytes of a file, or null where it cannot be read. */
  const bytes = (path: string): Promise<Buffer | null> => {
    const known = files.get(path) ?? checked(path);
    files.set(path, known);
    return known;
  };
  /** A JSON document that keeps its schema, as the type its caller knows it by, or null. */
  const document = async <T>(path: string, schema: JsonSchema): Promise<T | null> => {
    const found = await bytes(path);
    if (!found) return null;
    const value = parsed(found);
    const violations = validator(schema)(value);
    for (const { instancePath, message = '' } of violations ?? []) report(path, `${instancePath} ${message}`);
    return violations ? null : (value as T);
  };
  /** The datasets named, and every list of designations: no story names an individual on one. Null where one is not whole. */
  const datasets = async (named: ReadonlySet<string>): Promise<Map<string, CitedDataset> | null> => {
    const manifest = await document<PackManifest>(PACK_MANIFEST, PACKS);
    if (!manifest) return null;
    const documents = new Map<string, DatasetDocument>();
    const packs: CitedPack[] = [];
    const entries = [...manifest.packs, ...(manifest.editions ?? [])];
    const isNamed = ({ id, kind }: PackEntry): boolean => kind === 'entities' || named.has(datasetOf({ id }));
    for (const entry of entries.filter(isNamed)) {
      const records = await bytes(entry.path);
      const described = await document<DatasetDocument>(datasetDocumentPath(entry.id), documentSchema);
      const isWhole = records && sha256(records) === entry.sha256;
      if (records && !isWhole) report(entry.path, `does not have the sha256 that ${PACK_MANIFEST} lists`);
      const broken = isWhole ? brokenLine(records) : null;
      if (broken !== null)
        report(entry.path, `line ${broken} is not a record: expected one JSON object per line`);
      if (!isWhole || !described || broken !== null) return null;
      packs.push({ entry, records });
      documents.set(entry.id, described);
    }
    return citedDatasets(documents, packs);
  };
  return { bytes, document, datasets };
}

/** The first line, from 1, that is not a JSON object; null where every line is one. */
function brokenLine(records: Buffer): number | null {
  const lines = records.toString().split('\n').filter(Boolean);
  const at = lines.findIndex((line) => !isObject(parsed(Buffer.from(line))));
  return at < 0 ? null : at + 1;
}

/** Undefined for what is not JSON, which no schema allows. */
function parsed(bytes: Buffer): JsonValue | undefined {
  try {
    return JSON.parse(bytes.toString()) as JsonValue;
  } catch {
    return undefined;
  }
}
