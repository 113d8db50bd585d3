/**
 * The operation contract: a resource is written once as a plain object. The build calls it to pre-render pages, REST for
 * filtered queries, MCP offers it as a tool, OpenAPI and capabilities list it.
 */
import type { Context, JsonObject, JsonSchema, PackEntry, Payload, Store } from './types.ts';

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
  /** Name of the MCP tool, null where the resource is no tool. */
  tool: string | null;
  /** What it answers, what null means, how to page, what may not be inferred: also the MCP description. */
  summary: string;
  parameters: Parameter[];
  /** JSON Schema 2020-12 of the payload (`data`). */
  output: JsonSchema;
  /** `live` answers ask upstreams and are cached for a minute; `data` answers change with the release only. */
  freshness: 'data' | 'live';
  /** Published document that must be intact: without it no page made of it is given either. */
  pinned?: string;
  /** The packs its pages are made of: while one of them is damaged the operation answers instead of its pages. */
  packs?(store: Store): PackEntry[];
  /** The payload; throws a Fault and nothing else. */
  run(input: Input, context: Context): Payload | Promise<Payload>;
  /** The schema-valid payload of the 503, for resources whose unavailable envelope carries one. */
  unavailable?(input: Input, context: Context, message: string): JsonObject;
  /** Inputs worth a static page. */
  prerender(context: Context): Input[];
}
