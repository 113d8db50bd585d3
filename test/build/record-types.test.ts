/** build/lib/records.ts is generated from the schemas; `npx vitest run test/build/record-types.test.ts -u` writes it again. */
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { expect, test } from 'vitest';
import atlasRecord from '../../schemas/atlas-record.schema.json' with { type: 'json' };
import datasetDocument from '../../schemas/dataset-document.schema.json' with { type: 'json' };
import entity from '../../schemas/entity.schema.json' with { type: 'json' };
import observation from '../../schemas/observation.schema.json' with { type: 'json' };

const HEAD = `/**
 * The records of the three kinds of dataset and the document of a dataset, as their schemas define them. Generated from schemas/ by
 * test/build/record-types.test.ts: change a schema, then run that test with -u.
 */`;

test('the types of records are those of their schemas', async () => {
  const options = {
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { printWidth: 110, singleQuote: true, trailingComma: 'all' as const },
  };
  const parts: string[] = [];
  for (const schema of [observation, atlasRecord, entity, datasetDocument])
    parts.push((await compile(structuredClone(schema) as JSONSchema, schema.title, options)).trim());
  // One line per type; what a member means is in its schema.
  const text = parts
    .join('\n\n')
    .replaceAll(/\/\*\*\n\s*\* ([^\n]*)\n(\s*\* @[^\n]*\n|\s*\*\n)*\s*\*\//g, '/** $1 */')
    .replaceAll(/^ +\/\*\* .* \*\/\n/gm, '');
  await expect(`${HEAD}\n\n${text}\n`).toMatchFileSnapshot('../../build/lib/records.ts');
});
