/** The published description as a judge: what openapi.json says an answer must look like. */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { newAjv } from '../../shim/core/schema.ts';
import type { JsonObject, JsonSchema } from '../../shim/core/types.ts';
import { treeJson } from './tree.ts';

/** The parts of the description the tests look at. */
export interface Description {
  openapi: string;
  info: JsonObject;
  servers: { url: string }[];
  paths: Record<string, { get: DescribedGet }>;
  components: { schemas: JsonObject; responses: Record<string, DescribedResponse>; headers: JsonObject };
}
export interface DescribedGet {
  operationId: string;
  parameters?: { name: string; in: string; description: string; schema: JsonSchema; example?: unknown }[];
  responses: Record<string, DescribedResponse>;
}
export interface DescribedResponse {
  $ref?: string;
  description: string;
  headers?: JsonObject;
  content?: Record<
    string,
    { schema?: JsonSchema; examples?: Record<string, { summary: string; value: JsonObject }> }
  >;
}

/** openapi.json of the built tree. */
export function description(): Description {
  return treeJson<Description>('openapi.json');
}

/** Says how an answer departs from the description; empty where it is described. `target` is a path with query. */
export function judge(described: Description): (target: string, status: number, text: string) => string[] {
  const known = new Map<string, ValidateFunction | null>();
  const ajv = newAjv();
  ajv.addSchema({ $id: 'components', $defs: moved(described.components.schemas) });
  const compiled = (path: string, status: number): ValidateFunction | null => {
    const response = described.paths[path]?.get.responses[status];
    const schema = response && responseOf(described, response).content?.['application/json']?.schema;
    return schema ? ajv.compile(moved(schema)) : null;
  };
  return (target, status, text) => {
    const [path = ''] = target.split('?');
    const key = `${path} ${status}`;
    const validate = known.get(key) ?? compiled(path, status);
    known.set(key, validate);
    if (!validate) return [`${path} does not describe status ${status}`];
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, keyword, message }) => `${target} ${instancePath} ${keyword}: ${message}`,
    );
  };
}

/** A response behind its reference. */
export function responseOf({ components }: Description, response: DescribedResponse): DescribedResponse {
  const name = response.$ref?.split('/').at(-1);
  return name === undefined ? response : (components.responses[name] ?? response);
}

function moved(schema: JsonObject): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('#/components/schemas/', 'components#/$defs/'),
  ) as JsonSchema;
}
