/**
 * The tools: every operation that has one. Schemas, description and result are the operation's own. Added are the coverage of the
 * open release, an example, and the defaults that fit a model's context.
 */
import type { CallToolResult, Resource, ResourceLink, Tool } from '@modelcontextprotocol/server';
import listings from './listings.json' with { type: 'json' };
import { call, inputSchema, settled } from '../core/call.ts';
import type { RawInput, Report, Result } from '../core/call.ts';
import { coverageOf } from '../core/coverage.ts';
import { payloadBytes } from '../core/envelope.ts';
import { unlessFault } from '../core/faults.ts';
import { LIMITS } from '../core/limits.ts';
import { outputSchema } from './compact-schema.ts';
import { OPERATIONS } from '../core/operations/all.ts';
import type { Context, Input, JsonObject, JsonSchema, JsonValue, Operation, Release } from '../core/types.ts';
import { KeptWith } from '../store/blocks.ts';
import { invalidParams } from './protocol.ts';
import { datasetResource } from './resources.ts';
import type { Turn } from './transport.ts';

const BY_NAME = new Map<string, Operation>(
  OPERATIONS.flatMap((operation) => (operation.tool === null ? [] : [[operation.tool, operation]])),
);

/** Every tool, in the order of the operations, described for what the open release holds. */
export function listTools({ release }: Context): Tool[] {
  return release.derive(toolsOf);
}

function toolsOf(release: Release): Tool[] {
  return [...BY_NAME].map(([name, operation]) => toolOf(name, operation, release));
}

/** Results held in memory, in bytes: parsing and building a page again costs more than sending it. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** A result holds its text and the parsed objects. */
const BYTES_PER_CHARACTER = 4;

/** Whole results of one release, by tool and arguments. */
function resultsOf(release: Release): KeptWith<CallToolResult> {
  return new KeptWith<CallToolResult>(release, { maxSize: CACHE_BYTES });
}

/**
 * Runs one tool call: structured content is the REST `data`, the text block the same JSON. Unavailable evidence is a result,
 * refused arguments an error with the REST message, anything unexpected a masked error. Throws invalid-params for an unknown
 * tool; `raw` is whatever was sent as arguments.
 */
export async function callTool(
  name: string,
  raw: unknown,
  context: Context,
  report: Report,
  turn: Turn,
): Promise<CallToolResult> {
  const operation = BY_NAME.get(name);
  if (!operation) throw invalidParams(`Unknown tool. Available: ${[...BY_NAME.keys()].join(', ')}.`);
  const { release } = context;
  const results = release.derive(resultsOf);
  const key = cacheKey(operation, raw);
  const known = key === null ? undefined : results.get(key);
  if (known) return known;
  // The operation itself checks the arguments, as for REST.
  const given = readYears(operation, raw);
  let isWhole = true;
  const { settings, federation, settled: far } = context;
  const bounded: Context = {
    settings,
    federation,
    settled: far,
    most: LIMITS.mcpResult,
    // The newest release at each access: `call` tries that where something is missing.
    get release() {
      return context.release;
    },
  };
  const run = async (args: RawInput): Promise<Result> =>
    await settled(context, () => {
      const answered = call(operation, args, bounded, report);
      isWhole = release.isWhole?.() !== false;
      return answered;
    });
  const result = await shortened(operation, given, run);
  // Many requests may have waited for the same upstream: their results are not serialized all at once.
  if (operation.freshness === 'live') await turn();
  if (result.ok) {
    const text = new TextDecoder().decode(payloadBytes(result.payload));
    const made = evidence(operation, text, JSON.parse(text) as JsonObject);
    if (key !== null && isWhole && !result.missing && results.isFrequent(key))
      results.set(key, made, { size: text.length * BYTES_PER_CHARACTER });
    return made;
  }
  const { code, message } = result.fault;
  if (code !== 'unavailable') return { content: [{ type: 'text', text: message }], isError: true };
  const data = result.data ?? { status: 'unavailable', error: { code, message } };
  return evidence(operation, JSON.stringify(data), data);
}

/** Parameters that hold a year, or a period that may be one. */
const YEARS = ['year', 'from', 'to'];

/** Converts years to the type of their parameter, text or number, because programs send either. */
function readYears(operation: Operation, raw: unknown): RawInput {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw as RawInput;
  const input: RawInput = { ...raw };
  for (const { name, schema } of operation.parameters) {
    const value = input[name];
    if (!YEARS.includes(name)) continue;
    if (schema['type'] === 'string' && Number.isInteger(value)) input[name] = String(value);
    else if (schema['type'] === 'integer' && typeof value === 'string' && /^[1-9][0-9]{3}$/.test(value))
      input[name] = Number(value);
  }
  return input;
}

/**
 * Runs a call with the defaults of MCP for arguments that are not given. Without a limit, the page of REST is returned where it is
 * short enough; otherwise the call is repeated with the limit of MCP.
 */
async function shortened(
  { agents }: Operation,
  given: RawInput,
  run: (args: RawInput) => Promise<Result>,
): Promise<Result> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return run(given);
  const { limit, ...others } = agents;
  const args = { ...others, ...given };
  const whole = await run(args);
  if (limit === undefined || args['limit'] !== undefined || !whole.ok) return whole;
  const { returned } = whole.payload['page'] as JsonObject;
  return Number(returned) > Number(limit) ? run({ ...args, limit }) : whole;
}

/** Null for live results, and for arguments that cannot be valid. */
function cacheKey({ name, freshness }: Operation, raw: unknown): string | null {
  if (freshness === 'live' || typeof raw !== 'object' || raw === null) return null;
  if (Object.values(raw).some((value) => typeof value === 'object')) return null;
  return `${name} ${JSON.stringify(raw)}`;
}

function evidence(operation: Operation, text: string, structuredContent: JsonObject): CallToolResult {
  return {
    content: [{ type: 'text', text }, ...linksOf(operation.name, structuredContent)],
    structuredContent,
    isError: false,
  };
}

/** The same result for clients that take no links. */
export function withoutLinks(result: CallToolResult): CallToolResult {
  return { ...result, content: result.content.filter(({ type }) => type !== 'resource_link') };
}

/** Where a result has the ids of its datasets: a member, and the path to the id in it or in each of its rows. */
const DATASET_IDS: Record<string, [member: string, ...path: string[]]> = {
  'market-observations': ['observations', 'datasetId'],
  series: ['series', 'dataset'],
  revisions: ['pairs', 'datasetId'],
  'producerp-corridors': ['datasets', 'id'],
  atlas: ['sources', 'metadata', 'id'],
  entities: ['source', 'id'],
};

/** The resource that is an operation's whole payload. */
const RESOURCE_OF: Record<string, string> = {
  markets: 'svc://catalog',
  'producerp-bri': 'svc://producerp-bri',
};

/** Links from a result to the resources it was made of; a result of no packaged dataset has none. */
function linksOf(operation: string, data: JsonObject): ResourceLink[] {
  const uri = RESOURCE_OF[operation];
  const fixed = listings.resources.find((resource) => resource.uri === uri);
  if (fixed) return [linkTo(fixed)];
  const [member, ...path] = DATASET_IDS[operation] ?? [];
  const rows = member === undefined ? [] : [data[member] ?? []].flat();
  const ids = rows.map((row) => path.reduce<JsonValue>(memberOf, row));
  return [...new Set(ids.filter((id) => typeof id === 'string'))].map((id) => linkTo(datasetResource(id)));
}

function memberOf(value: JsonValue, name: string): JsonValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value[name] ?? null) : null;
}

function linkTo({ uri, name, title = name }: Pick<Resource, 'uri' | 'name' | 'title'>): ResourceLink {
  return { type: 'resource_link', uri, name, title, mimeType: 'application/json' };
}

function toolOf(name: string, operation: Operation, release: Release): Tool {
  const { title } = operation.output;
  const covered = coverageOf(operation.name, release);
  const example = isHere(operation.example, release) ? [`Example: ${JSON.stringify(operation.example)}`] : [];
  return {
    name,
    ...(typeof title === 'string' ? { title } : {}),
    description: [operation.summary, ...covered, ...example].join(' '),
    inputSchema: { ...inputOf(operation), type: 'object' },
    outputSchema: { ...outputSchema(operation), type: 'object' },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: operation.freshness === 'live',
    },
  };
}

/** Whether nothing that the arguments name was left out of the release. */
function isHere(args: Input, release: Release): boolean {
  const named = Object.values(args);
  const missing = unlessFault(() => release.manifest().unavailable, []);
  return !missing.some(({ id, domain = id, indicators = [] }) =>
    [id, domain, ...indicators].some((one) => named.includes(one)),
  );
}

/** The input schema of the operation, with the defaults of MCP. */
function inputOf(operation: Operation): JsonSchema {
  const schema = inputSchema(operation);
  const properties: JsonObject = {};
  for (const [name, property] of Object.entries(schema['properties'] as Record<string, JsonSchema>)) {
    const value = operation.agents[name];
    const { description, default: own } = property;
    const text = String(description).replace(`default ${String(own)}`, `default ${String(value)}`);
    properties[name] = value === undefined ? property : { ...property, default: value, description: text };
  }
  return { ...schema, properties };
}
