/** schemas/: every published schema at its own URL, for each resource also the schema of the whole REST body, and the lists of them. */
import { markup } from '../lib/html.ts';
import { type Artifact, type Tree, prettyJsonArtifact } from '../lib/tree.ts';
import type { BuildEffects } from '../lib/effects.ts';
import type { SiteFacts } from './facts.ts';
import { contentPage } from './site/page.ts';
import { list } from '../../shim/view/table.ts';
import {
  absolute,
  ENVELOPED,
  ERROR_SCHEMA,
  errorSchemaPath,
  payloadSchemaPath,
  responseSchemaPath,
} from '../../shim/core/paths.ts';
import type { JsonSchema, Operation } from '../../shim/core/types.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The schemas of the repository, by file name. */
export function readSchemas(folder: string, { files, read }: BuildEffects): Map<string, JsonSchema> {
  const names = files(folder).filter((path) => path.endsWith('.schema.json'));
  return new Map(
    names.map((name) => [name, JSON.parse(String(read(`${folder}/${name}`) ?? '{}')) as JsonSchema]),
  );
}

/** Renders the repository's schemas with their `$id`, and a payload and a response schema per operation. */
export function renderSchemas(
  files: Map<string, JsonSchema>,
  operations: Operation[],
  siteUrl: string,
): Artifact[] {
  const identified = (path: string, { $schema, $id: _replaced, ...rest }: JsonSchema): Artifact =>
    prettyJsonArtifact(path, { $schema: $schema ?? DIALECT, $id: absolute(siteUrl, path), ...rest });
  const payloads = operations.filter(({ name }) => !files.has(`${name}.schema.json`));
  return [
    ...[...files].map(([name, schema]) => identified(`schemas/${name}`, schema)),
    ...payloads.map(({ name, output }) => identified(payloadSchemaPath(name), output)),
    ...operations.map((operation) =>
      identified(responseSchemaPath(operation.name), responseSchema(operation)),
    ),
    ...operations
      .filter(({ name }) => ENVELOPED.has(name))
      .map((operation) => identified(errorSchemaPath(operation.name), unavailableSchema(operation))),
    identified(ERROR_SCHEMA, errorSchema()),
  ];
}

/** The success body of an operation. */
export function responseSchema(operation: Operation): JsonSchema {
  const { name } = operation;
  return bodySchema(operation, `Response of ${name}`, { ok: { const: true }, resource: { const: name } });
}

/** The 503 body of an operation whose payload says unavailable. */
function unavailableSchema(operation: Operation): JsonSchema {
  const { name } = operation;
  const message = { type: 'string', minLength: 1 };
  const facts = { ok: { const: false }, resource: { const: name }, error: { const: 'unavailable' }, message };
  return bodySchema(operation, `Unavailable response of ${name}`, facts);
}

/** The schema of these members and the payload, whose definitions move to the top. */
function bodySchema({ output }: Operation, title: string, members: JsonSchema): JsonSchema {
  const { $schema: _dialect, $id: _id, $defs, ...data } = output;
  return {
    $schema: DIALECT,
    ...objectOf(title, { ...members, data }),
    ...($defs === undefined ? {} : { $defs }),
  };
}

/** The generic error envelope. */
export function errorSchema(): JsonSchema {
  const text = { type: 'string', minLength: 1 };
  return { $schema: DIALECT, ...objectOf('Error', { ok: { const: false }, error: text, message: text }) };
}

/** The schema of an object with these members and no others. */
export function objectOf(title: string, properties: JsonSchema): JsonSchema {
  const required = Object.keys(properties);
  return { title, type: 'object', properties, required, additionalProperties: false };
}

/** Renders the list of the schemas in the tree, for programs and for people. */
export function renderSchemaLists(tree: Tree, facts: SiteFacts): Artifact[] {
  const entries = tree
    .sorted()
    .filter(({ path }) => path.startsWith('schemas/') && path.endsWith('.schema.json'))
    .map(({ path }) => {
      const schema = JSON.parse(String(tree.read(path))) as JsonSchema;
      const file = path.slice('schemas/'.length);
      const title = String(schema['title'] ?? file);
      const description = String(schema['description'] ?? '');
      return { file, url: absolute(facts.siteUrl, path), title, description };
    });
  const items = entries.map(
    ({ file, title, description }) =>
      markup`<a href="./${file}">${file.replace('.schema.json', '')}</a>: ${title}${description === '' ? '' : `. ${description}`}`,
  );
  return [
    prettyJsonArtifact('schemas/index.json', {
      schema: 'svc.schemas.v1',
      dialect: DIALECT,
      schemas: entries,
    }),
    contentPage('schemas', facts, { schemas: list(items) }),
  ];
}
