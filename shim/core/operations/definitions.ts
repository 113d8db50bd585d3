/** The description of an operation is data: its tool, its summary and its parameters are read from definitions.json. */
import definitions from './definitions.json' with { type: 'json' };
import { CURSOR_ACCEPTS, pagedOperation, type Paged } from '../pagination.ts';
import type { JsonSchema, Operation, Parameter } from '../types.ts';

/** An entry of definitions.json; a collection has a page size and thereby the parameters `limit` and `cursor`. */
interface Definition
  extends Pick<Operation, 'tool' | 'summary' | 'example'>, Partial<Pick<Operation, 'refused' | 'agents'>> {
  parameters: (Omit<Parameter, 'accepts'> & Partial<Parameter>)[];
  pageSize?: { default: number; maximum: number };
}

/** The members of an operation that definitions.json holds. */
export function defined(
  name: keyof typeof definitions,
): Pick<Operation, 'name' | 'tool' | 'summary' | 'parameters' | 'refused' | 'agents' | 'example'> {
  const {
    tool,
    summary,
    parameters,
    pageSize,
    refused = {},
    agents = {},
    example,
  }: Definition = definitions[name];
  const own = parameters.map(({ name: parameter, description, schema, accepts = choicesOf(schema) }) => ({
    name: parameter,
    description,
    accepts,
    schema,
  }));
  const all = pageSize ? [...own, ...pagingParameters(pageSize)] : own;
  return { name, tool, summary, parameters: all, refused, agents, example };
}

type Definitions = typeof definitions;
type PagedName = {
  [Name in keyof Definitions]: Definitions[Name] extends { pageSize: object } ? Name : never;
}[keyof Definitions];

/** A resource that gives pages of a collection. */
export function pagedResource(name: PagedName, output: JsonSchema, own: Paged): Operation {
  const paged = pagedOperation(`svc.api.${name}.v1`, definitions[name], own);
  return { ...defined(name), output, freshness: 'data', ...paged };
}

/** A resource that is one document, which without parameters is made ahead. */
export function documentResource(
  name: keyof Definitions,
  output: JsonSchema,
  run: Operation['run'],
): Operation {
  return { ...defined(name), output, freshness: 'data', run, prerender: () => [{}] };
}

function choicesOf(schema: JsonSchema): string {
  return `one of ${[schema['enum']].flat().join(', ')}`;
}

function pagingParameters({ default: size, maximum }: { default: number; maximum: number }): Parameter[] {
  return [
    {
      name: 'limit',
      description: `Records per page (default ${size}, maximum ${maximum}). May change between pages.`,
      accepts: `an integer from 1 to ${maximum}`,
      schema: { type: 'integer', minimum: 1, maximum, default: size },
    },
    {
      name: 'cursor',
      description:
        "The previous page's page.next_cursor, with the same filters. If rejected as stale, restart from the first page.",
      accepts: CURSOR_ACCEPTS,
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 2048 },
    },
  ];
}
