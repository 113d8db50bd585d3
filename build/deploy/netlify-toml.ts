/** netlify.toml as text: what is fixed, then redirects and headers. Committed; a test holds the file against this. */
import type { Operation } from '../../shim/core/operation.ts';
import { API_ROOT } from '../../shim/core/paths.ts';
import { FUNCTIONS_FOLDER, INCLUDED_FILES } from './function.ts';
import { headerRules } from './header-rules.ts';
import { redirects } from './redirects.ts';

/** The whole file. */
export function netlifyToml(operations: Operation[]): string {
  const tables = [
    FIXED,
    ...redirects(operations).map((rule) => table('[[redirects]]', { ...rule })),
    ...headerRules().map((rule) => `${table('[[headers]]', { for: rule.for })}${values(rule.values)}`),
  ];
  return tables.join('\n');
}

const FIXED = `# Written by \`npm run host\` from the operations, the header constants and the media types: change those, not this file.

[build]
command = "npm run build && node --import tsx build/main.ts bundle-function"
publish = "public"
edge_functions = "netlify/edge-functions"

[build.environment]
NODE_VERSION = "24"

# Pages are served byte for byte as the release lists them.
[build.processing]
skip_processing = true

[functions]
directory = ${text(FUNCTIONS_FOLDER)}
included_files = [
${INCLUDED_FILES.map((path) => `  ${text(path)},\n`).join('')}]

[[edge_functions]]
function = "router"
path = "/${API_ROOT}/*"
`;

function table(heading: string, members: Record<string, unknown>): string {
  const lines = Object.entries(members).map(([name, value]) => `${name} = ${literal(value)}\n`);
  return `${heading}\n${lines.join('')}`;
}

function values(members: Record<string, string>): string {
  return table('[headers.values]', members);
}

function literal(value: unknown): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${name} = ${literal(member)}`);
  return `{ ${members.join(', ')} }`;
}

/** A TOML basic string; for the characters used here JSON writes the same. */
function text(value: string): string {
  return JSON.stringify(value);
}
