/**
 * `npm run compat`: real MCP clients from the registry, old and new, against the service over a published tree. Each connects,
 * lists the tools, calls every one and reads a resource. Prints the table of docs/mcp.md; exits with 1 when a client fails.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pMap from 'p-map';
import { newCommand } from '../../build/lib/command-line.ts';
import { OPERATIONS } from '../../shim/core/operations/all.ts';
import { createService } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';
import { answered, callTool } from '../mcp/asking.ts';
import { modern } from '../_support/mcp-request.ts';
import { programOptions } from '../_support/program-options.ts';
import { drive, type Expected, type Outcome } from './drive.ts';
import { CLIENTS, install, versionOf, type ClientPin } from './install.ts';

interface Options {
  tree: string;
  folder?: string;
  only?: string;
}

/** The outcome of a client that could not be installed. */
const NONE = { protocol: null, named: null, tools: null, calls: null, resource: null };
/** Clients at work at the same time. */
const AT_ONCE = 2;
const URI = 'svc://datasets/coca-cultivation';

const given = programOptions<Options>(
  newCommand('npm run compat', 'Run MCP clients from the registry against the service; prints a table.')
    .option('--tree <folder>', 'published tree', 'public')
    .option('--folder <folder>', 'where clients are installed and kept; a temporary folder unless given')
    .option('--only <text>', 'only clients whose name or version has this text'),
);
const folder = resolve(given.folder ?? mkdtempSync(join(tmpdir(), 'compat-')));
mkdirSync(folder, { recursive: true });
const service = createService({
  root: given.tree,
  settings: serverSettings({ MCP_ALLOWED_HOSTS: '127.0.0.1,evidence.example' }),
  files: true,
});
try {
  const expected = await expectedOf();
  const chosen = CLIENTS.filter((pin) => `${pin.client} ${versionOf(pin)}`.includes(given.only ?? ''));
  const outcomes = await pMap(chosen, async (pin) => outcomeOf(pin, expected), { concurrency: AT_ONCE });
  console.log(
    [
      '| client | version | protocol | named by | tools | calls | resource |',
      '|---|---|---|---|---|---|---|',
    ].join('\n'),
  );
  chosen.forEach((pin, at) => console.log(rowOf(pin, outcomes[at] ?? null)));
  if (outcomes.some((outcome) => outcome !== null && outcome.wrong.length > 0)) process.exitCode = 1;
} finally {
  if (given.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

/** One call of each tool, with the example of its operation, and one resource: what the service gives without any client. */
async function expectedOf(): Promise<Expected> {
  const calls = await Promise.all(
    OPERATIONS.flatMap(({ tool, example }) => (tool === null ? [] : [{ name: tool, args: example }])).map(
      async (call) => ({
        ...call,
        data: (await callTool(service.fetch, call.name, call.args)).structuredContent,
      }),
    ),
  );
  const { result } = await answered(service.fetch, modern('resources/read', { uri: URI }));
  const [content] = result['contents'] as { text: string }[];
  return { calls, uri: URI, text: content?.text ?? '' };
}

/** Null where the client needs a later Node. */
async function outcomeOf(pin: ClientPin, expected: Expected): Promise<Outcome | null> {
  const label = `${pin.client} ${versionOf(pin)}`;
  if (pin.node !== undefined && process.versions.node.localeCompare(pin.node, 'en', { numeric: true }) < 0) {
    console.error(`skip ${label}: needs Node ${pin.node} or later`);
    return null;
  }
  const outcome = await install(pin, folder)
    .then((home) => drive(home, service, expected))
    .catch((error: unknown) => ({ ...NONE, wrong: [String(error)] }));
  console.error(outcome.wrong.length === 0 ? `ok   ${label}` : `FAIL ${label}`);
  for (const what of outcome.wrong) console.error(`     ${what}`);
  return outcome;
}

function rowOf(pin: ClientPin, outcome: Outcome | null): string {
  const { protocol, named, tools, calls, resource } = outcome ?? {};
  const read = resource === true ? 'yes' : resource === false ? 'no' : null;
  const cells = [protocol, named, tools, calls, read].map((cell) => cell ?? '–');
  return `| ${[pin.client, versionOf(pin), ...cells].join(' | ')} |`;
}
