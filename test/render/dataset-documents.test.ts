/** data/datasets/<id>.json: one document per dataset of any kind, to which every record's source and indicator leads. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DatasetDocument } from '../../shim/core/records.ts';
import dataFiles from '../../schemas/data-files.schema.json' with { type: 'json' };
import schema from '../../schemas/dataset-document.schema.json' with { type: 'json' };
import packList from '../../schemas/packs.schema.json' with { type: 'json' };
import { sha256 as hashOf } from '../../build/lib/tree.ts';
import { validator } from '../../shim/core/schema.ts';
import type { JsonObject, PackManifest } from '../../shim/core/types.ts';
import { builtTree, treeJson, treeRecords } from '../_support/tree.ts';

function read<T>(path: string): T {
  return treeJson<T>(path);
}

const { packs } = read<PackManifest>('data/packs.json');

test.each([
  ['files.json', dataFiles],
  ['packs.json', packList],
])('data/%s is as its schema says, and names files as they are', (name, schemaOf) => {
  const list = read<JsonObject>(`data/${name}`);
  expect(validator(schemaOf)(list)).toBeNull();
  const named = [
    ...JSON.stringify(list).matchAll(/"path":"\/?([^"]+)","bytes":(\d+),"sha256":"([0-9a-f]+)"/g),
  ];
  expect(named.length).toBeGreaterThan(packs.length);
  for (const [, path = '', bytes, sha256] of named) {
    const content = readFileSync(join(builtTree(), path));
    expect([path, content.length, hashOf(content)]).toEqual([path, Number(bytes), sha256]);
  }
});

test.each(packs)('$id has a document that names its sources, indicators and files', ({ id, rows }) => {
  const document = read<DatasetDocument>(`data/datasets/${id}.json`);
  expect(validator(schema)(document)).toBeNull();
  expect(document.records).toBe(rows);
  for (const { path, bytes } of document.files) expect(statSync(join(builtTree(), path)).size).toBe(bytes);
  const sources = new Set(document.sources.map((source) => source.id));
  const indicators = new Set(document.indicators.map((indicator) => indicator.id));
  const lost = treeRecords<JsonObject>(`data/${id}.ndjson`).filter(
    ({ sourceId, indicatorId }) =>
      typeof sourceId === 'string' && !(sources.has(sourceId) && indicators.has(String(indicatorId))),
  );
  expect(lost).toEqual([]);
});

test('[CORRIDORS-RECORDS] the corridors lead to the documents, national indicators included', () => {
  const { datasets } = read<{ datasets: { id: string; document: string }[] }>(
    'data/svc-producerp-corridors-v1.json',
  );
  expect(datasets.map(({ id }) => id)).toContain('national-indicators');
  for (const { document } of datasets) expect(existsSync(join(builtTree(), document))).toBe(true);
  const { sources, indicators, limitations } = read<DatasetDocument>(
    'data/datasets/national-indicators.json',
  );
  expect(sources.flatMap(({ notes }) => notes).join(' ')).toContain('The World Bank takes this series from');
  expect(indicators.every(({ label, market }) => label !== '' && market === 'context')).toBe(true);
  expect(limitations.length).toBeGreaterThan(0);
});
