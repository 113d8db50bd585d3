/**
 * Examples of the description: real responses, from the same call that answers requests. A collection is limited to one
 * record; other payloads have their lists cut short. The build has no upstream, so a live resource shows what the packaged
 * data alone can give.
 */
import { memberAt } from '../../../shim/core/json.ts';
import { call } from '../../../shim/core/call.ts';
import { lastDay } from '../../../shim/core/editions.ts';
import { written } from '../../../shim/core/envelope.ts';
import { unlessFault } from '../../../shim/core/faults.ts';
import { API_ROOT, BRI_ARTIFACT, NEWSWIRE_RECEIPT } from '../../../shim/core/paths.ts';
import type { Context, Input, JsonObject, JsonValue, Operation } from '../../../shim/core/types.ts';
import { rememberedLater, type BuildCache } from '../../lib/cache.ts';
import type { BuildEffects } from '../../lib/effects.ts';
import { sha256 } from '../../lib/tree.ts';
import settings from './examples.json' with { type: 'json' };

/** Filters of an example: the example of a designation is not a person, that of the federation not a large lane. */
const FILTERS: Record<string, Input> = settings.filters;

/** Where a payload has the value of a parameter. */
const IN_PAYLOAD: Record<string, string | string[]> = settings.inPayload;

/** A response: its HTTP status and its body. */
export interface OperationExample {
  status: number;
  body: JsonObject;
}

/** Examples of all operations by name. Throws where a response is neither a success nor unavailable. */
export async function operationExamples(
  operations: Operation[],
  context: Context,
  { cache }: Pick<BuildEffects, 'cache'>,
): Promise<Map<string, OperationExample>> {
  const examples = new Map<string, OperationExample>();
  for (const operation of operations) {
    const { name } = operation;
    const paged = isPaged(operation);
    const input = { ...FILTERS[name], ...(paged ? { limit: 1 } : {}) };
    const respond = async (): Promise<OperationExample> => responseTo(operation, input, context);
    const isLive = operation.freshness === 'live';
    const example = await (isLive
      ? rememberedLater(cache, liveKey(name, context, cache), respond)
      : respond());
    const { status, body } = example;
    if (status !== 200 && status !== 503)
      throw new Error(`the example of ${name} has status ${status}: ${JSON.stringify(body)}`);
    if (status === 200 && !paged) body['data'] = cut(body['data'] ?? null);
    examples.set(name, example);
  }
  return examples;
}

/** The key of a live resource's example, which is made of the producer's documents: to check them takes longer than all other examples. */
function liveKey(name: string, { settings: { siteUrl }, release }: Context, cache: BuildCache): string {
  const hashes = [BRI_ARTIFACT, NEWSWIRE_RECEIPT].map((path) =>
    unlessFault(() => sha256(release.document(path)), null),
  );
  return cache.key('example', name, siteUrl, release.manifest().generatedAt, hashes);
}

/** The response of any call. */
export async function responseTo(
  operation: Operation,
  input: Input,
  context: Context,
): Promise<OperationExample> {
  const { status, body } = written(operation.name, await call(operation, input, context, () => undefined));
  return { status, body: JSON.parse(new TextDecoder().decode(body)) as JsonObject };
}

/** Whether a resource is a collection of pages. */
export function isPaged({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => name === 'cursor');
}

/** `get_atlas`: the name of the tool where there is one. */
export function operationId({ tool, name }: Operation): string {
  return tool ?? `get_${name.replaceAll('-', '_')}`;
}

/** The first clause of a summary: the line a list shows. */
export function shortSummary({ summary }: Operation): string {
  return summary.split(/[.:](?: |$)/)[0] ?? summary;
}

/**
 * A real value for each parameter: what the record of the example has, else its default or its first choice. Together they
 * find that record. `cursor` has none: a cursor belongs to one set of filters.
 */
export function parameterExamples(
  { parameters }: Operation,
  example: OperationExample,
): Map<string, JsonValue> {
  const data = example.body['data'] ?? null;
  const values = new Map<string, JsonValue>();
  for (const { name, schema } of parameters) {
    const choices = schema['enum'];
    const [found] = [IN_PAYLOAD[name] ?? []].flat().flatMap((path) => memberAt(data, path) ?? []);
    const shown = name === 'as_of' && typeof found === 'string' ? lastDay(found) : found;
    const value = shown ?? schema['default'] ?? (Array.isArray(choices) ? choices[0] : undefined);
    if (name !== 'cursor' && value !== undefined && value !== null) values.set(name, value);
  }
  return values;
}

/** The path and query, below the site root, that find the record of an example: by its first three filters. */
export function exampleTarget(operation: Operation, example: OperationExample | undefined): string {
  const values = example ? [...parameterExamples(operation, example)] : [];
  const query = values
    .filter(([name]) => name !== 'limit')
    .slice(0, 3)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
  return `${API_ROOT}/${operation.name}${query === '' ? '' : `?${query}`}`;
}

/** Longer lists and larger objects are cut: schemas fix the length of shorter lists only, and only maps from ids are larger. */
const LONGEST = { objects: 5, texts: 10 };
const LARGEST_OBJECT = 30;

function cut(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const most = typeof value[0] === 'object' && value.length > LONGEST.objects ? 1 : LONGEST.texts;
    return value.slice(0, most).map(cut);
  }
  const members = Object.entries(value);
  const shown = members.length > LARGEST_OBJECT ? members.slice(0, 3) : members;
  return Object.fromEntries(shown.map(([name, member]) => [name, cut(member)]));
}
