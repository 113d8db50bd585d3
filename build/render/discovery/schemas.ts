/** The schemas, published under their addresses; for each resource also the schema of the whole REST body. */
import type { Operation } from '../../../shim/core/operation.ts';
import { absolute, payloadSchemaPath, responseSchemaPath } from '../../../shim/core/paths.ts';
import type { JsonSchema } from '../../../shim/core/types.ts';
import { prettyJsonArtifact, type Artifact } from '../../lib/tree.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Renders schemas/: the repository's files with their `$id`, and a response schema per operation. */
export function renderSchemas(
  files: Map<string, JsonSchema>,
  operations: Operation[],
  siteUrl: string,
): Artifact[] {
  const own = [...files].map(([name, schema]) => identified(siteUrl, `schemas/${name}`, schema));
  const payloads = operations
    .filter(({ name }) => !files.has(`${name}.schema.json`))
    .map(({ name, output }) => identified(siteUrl, payloadSchemaPath(name), output));
  const responses = operations.map((operation) =>
    identified(siteUrl, responseSchemaPath(operation.name), responseSchema(operation)),
  );
  const error = identified(siteUrl, 'schemas/error.schema.json', errorSchema());
  return [...own, ...payloads, ...responses, error];
}

/** The success body of an operation. */
export function responseSchema({ name, output }: Operation): JsonSchema {
  const { $schema: _dialect, $id: _id, $defs, ...payload } = output;
  return {
    $schema: DIALECT,
    title: `Response of ${name}`,
    type: 'object',
    properties: { ok: { const: true }, resource: { const: name }, data: payload },
    required: ['ok', 'resource', 'data'],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
  };
}

/** The generic error envelope. */
export function errorSchema(): JsonSchema {
  return {
    $schema: DIALECT,
    title: 'Error',
    type: 'object',
    properties: {
      ok: { const: false },
      error: { type: 'string', minLength: 1 },
      message: { type: 'string', minLength: 1 },
    },
    required: ['ok', 'error', 'message'],
    additionalProperties: false,
  };
}

function identified(siteUrl: string, path: string, schema: JsonSchema): Artifact {
  const { $schema, $id: _replaced, ...rest } = schema;
  return prettyJsonArtifact(path, { $schema: $schema ?? DIALECT, $id: absolute(siteUrl, path), ...rest });
}
