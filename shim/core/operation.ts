/**
 * The operation contract: a resource is written once as a plain object. The build calls it to pre-render pages, REST for
 * filtered queries, MCP offers it as a tool, OpenAPI and capabilities list it. The parameters that several operations share
 * are written here too.
 */
import type { Context, JsonObject, JsonSchema, Payload } from './types.ts';

/** A query parameter (and member of the tool's arguments). */
export interface Parameter {
  name: string;
  /** One sentence for people and agents. */
  description: string;
  /** How error messages name what is accepted: `an integer from 1 to 100`. */
  accepts: string;
  /** Its JSON Schema, with `default` where one applies. */
  schema: JsonSchema;
}

/** Validated arguments: parameters that were given, by name. */
export type Input = { [parameter: string]: string | number };

export interface Operation {
  /** Resource name: the last part of the path, the `resource` of the envelope. */
  name: string;
  /** Name of the MCP tool, null where the resource is not a tool. */
  tool: string | null;
  /** What it returns, what null means, how to page, what may not be inferred: also the MCP description. */
  summary: string;
  parameters: Parameter[];
  /** JSON Schema 2020-12 of the payload (`data`). */
  output: JsonSchema;
  /** `live` responses come from upstreams and are cached for a minute; `data` responses change with the release only. */
  freshness: 'data' | 'live';
  /** The payload; throws a Fault and nothing else. */
  run(input: Input, context: Context): Payload | Promise<Payload>;
  /** The schema-valid payload that says unavailable, for resources that have one. */
  unavailable?(input: Input, context: Context, message: string): JsonObject;
  /** Inputs worth a static page. */
  prerender(context: Context): Input[];
}

/** What `cursor` accepts. */
export const CURSOR_ACCEPTS = 'a next_cursor of this resource, unchanged and with the same filters';

/** `limit`: an integer from 1 to `most`. */
export function limitParameter(byDefault: number, most: number): Parameter {
  return {
    name: 'limit',
    description: `Records per page (default ${byDefault}, maximum ${most}). May change between pages.`,
    accepts: `an integer from 1 to ${most}`,
    schema: { type: 'integer', minimum: 1, maximum: most, default: byDefault },
  };
}

/** `cursor`: where the next page starts. */
export function cursorParameter(): Parameter {
  return {
    name: 'cursor',
    description:
      "The previous page's page.next_cursor, with the same filters. If rejected as stale, restart from the first page.",
    accepts: CURSOR_ACCEPTS,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 2048 },
  };
}

/** A text parameter of so many characters. */
export function textParameter(
  name: string,
  description: string,
  accepts: string,
  least = 1,
  most = 120,
): Parameter {
  return { name, description, accepts, schema: { type: 'string', minLength: least, maxLength: most } };
}

/** A parameter with a closed list of values. */
export function choiceParameter(
  name: string,
  description: string,
  values: string[],
  byDefault?: string,
): Parameter {
  return {
    name,
    description,
    accepts: `one of ${values.join(', ')}`,
    schema: { type: 'string', enum: values, ...(byDefault === undefined ? {} : { default: byDefault }) },
  };
}
