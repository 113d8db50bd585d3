/**
 * Runs the official MCP conformance tool twice: against the product over the packaged data, and against the fixture on the
 * same transport. Each run has its list of expected failures; an entry that passes fails the run, so no list outlives its
 * reason. `--tool <folder>` names an installed copy of the tool.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from 'srvx';
import { build } from '../../build/build.ts';
import { realEffects } from '../../build/write/effects.ts';
import { createService } from '../../shim/service.ts';
import { serverSettings } from '../../shim/settings.ts';
import { mcpTransport } from '../../shim/mcp/transport.ts';
import { fixtureServer } from './fixture.ts';
import { newCommand } from '../../build/lib/command-line.ts';
import { programOptions } from '../_support/program-options.ts';

const REVISION = '2026-07-28';
const HERE = 'test/conformance';

type Handler = (request: Request) => Promise<Response>;

const given = programOptions<{ tool: string }>(
  newCommand(
    'npm run conformance',
    'Run the official MCP conformance tool against the product and a fixture.',
  ).option(
    '--tool <folder>',
    'an installed copy of the tool',
    'node_modules/@modelcontextprotocol/conformance',
  ),
);
const tool = join(given.tool, 'dist/index.js');
if (!existsSync(tool)) {
  console.error(
    `${tool} is missing: npm ci installs the conformance tool, --tool <folder> names another copy.`,
  );
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
try {
  const codes = [
    await run('product', await productHandler(join(folder, 'public'))),
    await run('fixture', mcpTransport(fixtureServer(), transportOptions())),
  ];
  process.exitCode = Math.max(...codes);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function transportOptions() {
  const local = ['localhost', '127.0.0.1', '[::1]'];
  return { allowedHosts: local, allowedOrigins: local, report: (error: unknown) => console.error(error) };
}

/** The product as it is served: the whole app over a tree built from the packaged datasets. */
async function productHandler(out: string): Promise<Handler> {
  const siteUrl = 'http://localhost:3000';
  const effects = { ...realEffects(), progress: () => undefined };
  await build({ datasets: 'datasets', schemas: 'schemas', out, settings: { siteUrl } }, effects);
  const settings = serverSettings({ SITE_URL: siteUrl });
  return createService({ root: out, settings, files: false }).fetch;
}

async function run(name: string, handler: Handler): Promise<number> {
  const local = { port: 0, hostname: '127.0.0.1', silent: true, gracefulShutdown: false };
  const server = serve({ ...local, fetch: handler });
  await server.ready();
  console.log(`\n${name}: ${REVISION}`);
  const { port } = new URL(server.url ?? '');
  const flags = {
    url: `http://127.0.0.1:${port}/mcp`,
    requirements: REVISION,
    'expected-failures': `${HERE}/${name}.yaml`,
    'output-dir': join(folder, name),
  };
  const words = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
  const child = spawn(process.execPath, ['--import', `./${HERE}/old-node.mjs`, tool, 'server', ...words], {
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  await server.close(true);
  return code ?? 1;
}
