/** shim/core/records.ts is generated from the schemas; `npx vitest run test/build/record-types.test.ts -u` writes it again. */
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { expect, test } from 'vitest';
import atlasRecord from '../../schemas/atlas-record.schema.json' with { type: 'json' };
import datasetDocument from '../../schemas/dataset-document.schema.json' with { type: 'json' };
import entity from '../../schemas/entity.schema.json' with { type: 'json' };
import observation from '../../schemas/observation.schema.json' with { type: 'json' };
import revision from '../../schemas/revision.schema.json' with { type: 'json' };

const HEAD = `/**
 * The records of the three kinds of dataset, a revision and the document of a dataset, as their schemas define them. Generated from schemas/ by
 * test/build/record-types.test.ts: change a schema, then run that test with -u.
 */`;

/** The schema with its small types written where they are used. */
function inlined(schema: object): JSONSchema {
  const { geography, file } = datasetDocument.$defs;
  const small = new Map<unknown, object>([
    ['#/$defs/geography', { ...geography, title: undefined }],
    ['#/$defs/file', { ...file, title: undefined }],
  ]);
  const expand = (key: string, value: unknown): unknown => {
    if (key === 'title' && value === 'DatasetField') return undefined;
    const ref = typeof value === 'object' && value !== null && '$ref' in value ? value.$ref : null;
    return small.get(ref) ?? value;
  };
  return JSON.parse(JSON.stringify(schema, expand)) as JSONSchema;
}

const { properties } = revision;
const side = { tsType: 'RevisedCell | null' };
/** A revision, and what it says of its record in either edition as a type of its own. */
const REVISION = [
  {
    ...properties.from,
    type: 'object',
    title: 'RevisedCell',
    description: 'A record that differs, as one of the two editions prints it.',
    properties: {
      ...properties.from.properties,
      unavailableReason: { tsType: "Observation['unavailableReason']" },
    },
  },
  { ...revision, properties: { ...properties, from: side, to: side } },
];

/** A group of members is one line where it fits. */
function collapsed(text: string): string {
  return text.replaceAll(/^ .*\{\n(?: {4,}[^{}]*;\n)+ +\}.*$/gm, (group) => {
    const line = group.replaceAll(/\n */g, ' ').replace('; }', ' }');
    return line.length <= 110 ? line : group;
  });
}

test('the types of records are those of their schemas', async () => {
  const options = {
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { printWidth: 110, singleQuote: true, trailingComma: 'all' as const },
  };
  const parts: string[] = [];
  for (const schema of [observation, atlasRecord, entity, ...REVISION, datasetDocument])
    parts.push((await compile(inlined(schema), schema.title, options)).trim());
  // One line per type; what a member means is in its schema.
  const text = parts
    .join('\n\n')
    .replaceAll(/\/\*\*\n\s*\* ([^\n]*)\n(\s*\* @[^\n]*\n|\s*\*\n)*\s*\*\//g, '/** $1 */')
    .replaceAll(/^ +\/\*\* .* \*\/\n/gm, '');
  await expect(`${HEAD}\n\n${collapsed(text)}\n`).toMatchFileSnapshot('../../shim/core/records.ts');
});
