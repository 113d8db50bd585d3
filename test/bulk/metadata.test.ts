/** The metadata documents: accepted by the rules of their specifications, and true of every published file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fieldsOf } from '../../shim/core/fields.ts';
import { sha256 } from '../../build/lib/tree.ts';
import { guarded } from '../../shim/core/csv.ts';
import { mediaTypeOf } from '../../shim/core/headers.ts';
import type { JsonObject } from '../../shim/core/types.ts';
import { TEST_SITE as SITE, builtTree, treeFile } from '../_support/tree.ts';
import { croissantFindings, dcatFindings, frictionlessFindings } from './metadata-rules.ts';
import { csvCells, parquetFooter } from './read.ts';

let datapackage: JsonObject;
let croissant: JsonObject;
let dcat: JsonObject;
/** Every bulk file of the records of current editions: path below the site root. */
let published: string[];
let datasets: string[];

beforeAll(() => {
  const read = (path: string): JsonObject => JSON.parse(treeFile(path).toString('utf8')) as JsonObject;
  datapackage = read('data/datapackage.json');
  croissant = read('data/croissant.json');
  dcat = read('data/dcat.jsonld');
  published = readdirSync(join(builtTree(), 'data'), { recursive: true, encoding: 'utf8' })
    .map((path) => `data/${path}`)
    .filter((path) => /\.(ndjson|csv|parquet|xlsx)$/.test(path))
    // The three describe current editions; each earlier one has its own document.
    .filter((path) => !path.startsWith('data/editions/') && !path.startsWith('data/revisions.'))
    .sort();
  datasets = published.flatMap((path) => /^data\/([^/]+)\.ndjson$/.exec(path)?.[1] ?? []).sort();
});

describe('[BULK-METADATA] datapackage.json', () => {
  it('keeps the rules of Data Package 2.0', () => {
    expect(frictionlessFindings(datapackage)).toEqual([]);
  });

  it('lists every file with its bytes and hash', () => {
    const listed = list(datapackage['resources']);
    expect(listed.map(({ path }) => `data/${String(path)}`).sort()).toEqual(published);
    for (const { path, bytes, hash, mediatype, format } of listed) {
      const file = treeFile(`data/${String(path)}`);
      expect([path, bytes, hash]).toEqual([path, file.length, `sha256:${sha256(file)}`]);
      expect(mediaTypeOf(`data/${String(path)}`).split(';')[0]).toBe(mediatype);
      expect(String(path).endsWith(`.${String(format)}`)).toBe(true);
    }
  });

  it('names the columns each CSV and Parquet file has, in their order', () => {
    for (const { path, format, schema } of list(datapackage['resources'])) {
      const file = treeFile(`data/${String(path)}`);
      const names = list((schema as JsonObject | undefined)?.['fields']).map(({ name }) => name);
      const header = format === 'csv' ? headerOf(file) : names;
      expect(names).toEqual(header);
      const footer = format === 'parquet' ? topLevel(file) : names;
      expect(names).toEqual(footer);
    }
  });

  it('says that an empty cell is missing in a value, and a text in a category', () => {
    const seizures = list(datapackage['resources']).find(({ name }) => name === 'drug-seizures.csv');
    const schema = (seizures?.['schema'] ?? {}) as JsonObject;
    const fields = new Map(list(schema['fields']).map((field) => [field['name'], field]));
    expect(fields.get('value')).not.toHaveProperty('missingValues');
    expect(fields.get('unavailableReason')).not.toHaveProperty('missingValues');
    expect(fields.get('category')).toMatchObject({ type: 'string', missingValues: [] });
    expect(schema['missingValues']).toEqual(['']);
  });

  it('gives a file of one indicator the source of that indicator only', () => {
    const part = list(datapackage['resources']).find(
      ({ name }) => name === 'national-indicators.sp.pop.totl.parquet',
    );
    expect(list(part?.['sources']).map(({ path }) => path)).toEqual([
      'https://api.worldbank.org/v2/en/indicator/SP.POP.TOTL?downloadformat=csv',
    ]);
  });

  it('gives a file of one indicator every table that holds it', () => {
    const part = list(datapackage['resources']).find(
      ({ name }) => name === 'border-drug-seizures.cbp-seizure-events.parquet',
    );
    expect(list(part?.['sources']).map(({ title }) => title)).toEqual([
      'Drug Seizure Statistics, nationwide drugs, fiscal years 2019 to 2022',
      'Drug Seizure Statistics, nationwide drugs, fiscal years 2023 to 2026',
    ]);
  });
});

describe('[BULK-METADATA] croissant.json', () => {
  it('keeps the rules of Croissant 1.0', () => {
    expect(croissantFindings(croissant)).toEqual([]);
  });

  it('gives each whole file with its sha256, and a record set per dataset with the columns of its CSV', () => {
    const files = list(croissant['distribution']);
    const whole = published.filter((path) => !path.startsWith('data/parquet/'));
    expect(files.map(({ contentUrl }) => contentUrl).sort()).toEqual(whole.map((path) => `${SITE}/${path}`));
    for (const { contentUrl, sha256: hash } of files)
      expect(hash).toBe(sha256(treeFile(String(contentUrl).slice(SITE.length + 1))));
    const sets = list(croissant['recordSet']);
    expect(sets.map((set) => set['@id'])).toEqual(datasets);
    for (const set of sets) {
      const header = headerOf(treeFile(`data/${String(set['@id'])}.csv`));
      const columns = list(set['field']).map(
        ({ source }) => ((source as JsonObject)['extract'] as JsonObject)['column'],
      );
      expect(columns).toEqual(header);
    }
  });
});

describe('[BULK-METADATA] dcat.jsonld', () => {
  it('keeps the rules of DCAT-AP 3', () => {
    expect(dcatFindings(dcat)).toEqual([]);
  });

  it('has a dataset per dataset and a distribution per file, with checksum and size', () => {
    const described = list(dcat['@graph']).filter((node) => node['@type'] === 'Dataset');
    expect(described.map(({ identifier }) => identifier)).toEqual(datasets);
    const distributions = described.flatMap(({ distribution }) => list(distribution));
    expect(distributions.map(({ downloadURL }) => downloadURL).sort()).toEqual(
      published.map((path) => `${SITE}/${path}`).sort(),
    );
    for (const { downloadURL, byteSize, checksum } of distributions) {
      const file = treeFile(String(downloadURL).slice(SITE.length + 1));
      expect(byteSize).toBe(String(file.length));
      expect((checksum as JsonObject)['checksumValue']).toBe(sha256(file));
    }
  });

  it('takes place and time from the records, and none where there is none', () => {
    const byId = new Map(list(dcat['@graph']).map((node) => [node['identifier'], node]));
    expect(byId.get('designations')).not.toHaveProperty('spatial');
    expect(byId.get('designations')).not.toHaveProperty('temporal');
    const coca = byId.get('coca-cultivation');
    expect(coca?.['spatial']).toEqual([
      'country:BOL',
      'country:COL',
      'country:PER',
      `${SITE}/data/dcat.jsonld#x-coca-total`,
    ]);
    expect(coca?.['temporal']).toMatchObject({ startDate: { '@type': 'xsd:gYear' } });
  });
});

describe('the rules', () => {
  type Case = [name: string, findings: (document: JsonObject) => string[], damaged: () => JsonObject];
  it.each<Case>([
    ['a resource without path', frictionlessFindings, () => without(datapackage, 'resources', 'path')],
    ['a resource without hash', frictionlessFindings, () => without(datapackage, 'resources', 'hash')],
    ['a file without sha256', croissantFindings, () => without(croissant, 'distribution', 'sha256')],
    ['a record set without fields', croissantFindings, () => without(croissant, 'recordSet', 'field')],
    ['a Croissant without licence', croissantFindings, () => ({ ...croissant, license: [] })],
    ['a catalogue without description', dcatFindings, () => without(dcat, '@graph', 'description')],
    ['missing datasets', dcatFindings, () => ({ ...dcat, '@graph': list(dcat['@graph']).slice(0, 3) })],
  ])('find %s', (_, findings, damaged) => {
    expect(findings(damaged()).length).toBeGreaterThan(0);
  });
});

describe('docs/data-formats.md', () => {
  it('names every column of an observation, and its function undoes the guard of the CSV', () => {
    const page = readFileSync('docs/data-formats.md', 'utf8');
    expect(fieldsOf({ kind: 'observations' }).filter(({ name }) => !page.includes(`\`${name}\``))).toEqual(
      [],
    );
    const pattern = /\/(\^'.+?)\/\.test\(cell\) \? cell\.slice\(1\)/.exec(page)?.[1] ?? 'no pattern';
    for (const text of ['=1', "'=1", "''+x", "'NDRANGHETA", 'plain', '\t', '']) {
      const cell = guarded(text);
      expect(new RegExp(pattern).test(cell) ? cell.slice(1) : cell).toBe(text);
    }
  });
});

function without(document: JsonObject, member: string, name: string): JsonObject {
  const [first = {}, ...rest] = list(document[member]);
  const { [name]: _left, ...kept } = first;
  return { ...document, [member]: [kept, ...rest] };
}

function list(value: unknown): JsonObject[] {
  return (Array.isArray(value) ? value : []) as JsonObject[];
}

function headerOf(file: Uint8Array): string[] {
  return csvCells(file.subarray(0, file.indexOf(10) + 1)).header;
}

function topLevel(file: Uint8Array): string[] {
  const { schema } = parquetFooter(file);
  return schema.slice(1).flatMap(({ name }) => (['list', 'element'].includes(name) ? [] : [name]));
}
