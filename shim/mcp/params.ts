/**
 * What is wrong with the params of a request that the SDK cannot take. The SDK tells it as a dump of its parser, and drops a
 * member named `__proto__` unseen; here both are one sentence.
 */
import { specTypeSchemas } from '@modelcontextprotocol/server';
import type { SpecTypeName } from '@modelcontextprotocol/server';

/** The protocol's own type of the params of each method served here. */
const TYPES: Record<string, SpecTypeName> = {
  initialize: 'InitializeRequestParams',
  'tools/list': 'PaginatedRequestParams',
  'tools/call': 'CallToolRequestParams',
  'resources/list': 'PaginatedRequestParams',
  'resources/templates/list': 'PaginatedRequestParams',
  'resources/read': 'ReadResourceRequestParams',
  'prompts/list': 'PaginatedRequestParams',
  'prompts/get': 'GetPromptRequestParams',
  'completion/complete': 'CompleteRequestParams',
};

/** Longest path of a member that is shown. */
const MOST = 100;

/** A sentence about the first member that is not of the protocol's type, null where all are. */
export function misfit(method: string, params: unknown): string | null {
  const type = TYPES[method];
  if (type === undefined) return null;
  try {
    const result = specTypeSchemas[type]['~standard'].validate(params ?? {});
    const [issue] = result.issues ?? [];
    if (!issue) return null;
    const path = ['params', ...(issue.path ?? [])].map(String).join('.').slice(0, MOST);
    return `${path} is missing or not what ${method} takes there.`;
  } catch {
    // The parser recurses, and the body may be nested as deep as it is long.
    return `params are nested deeper than ${method} takes.`;
  }
}

/** A sentence about a member that the SDK would drop, null where there is none. Walks with its own stack. */
export function dropped(method: string, params: unknown): string | null {
  const pending = [params];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return `${method} takes no member "__proto__".`;
    for (const member of Object.values(value) as unknown[]) pending.push(member);
  }
  return null;
}
