/** schemas/index.json: every published schema with its address and title. */
import type { JsonObject } from '../../../shim/core/types.ts';
import { prettyJsonArtifact, type Artifact, type Tree } from '../../lib/tree.ts';

/** A published schema. */
export interface SchemaEntry {
  /** File name below schemas/. */
  file: string;
  url: string;
  title: string;
  description: string;
}

/** The schemas of the tree so far, by file name. */
export function schemaEntries(tree: Tree, siteUrl: string): SchemaEntry[] {
  return tree
    .sorted()
    .filter(([path]) => path.startsWith('schemas/') && path.endsWith('.schema.json'))
    .map(([path, bytes]) => {
      const schema = JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
      const file = path.slice('schemas/'.length);
      return {
        file,
        url: `${siteUrl}/${path}`,
        title: text(schema['title']) || file,
        description: text(schema['description']),
      };
    });
}

/** Renders the list. */
export function renderSchemaIndex(entries: SchemaEntry[]): Artifact {
  return prettyJsonArtifact('schemas/index.json', {
    schema: 'svc.schemas.v1',
    dialect: 'https://json-schema.org/draft/2020-12/schema',
    schemas: entries,
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
