/**
 * `npm run compat:openapi`: generates a client of openapi.json with each generator of openapi.yaml, compiles it strictly, and calls
 * every operation, downloads included, on a server of the published tree. Prints a line for each; exits with 1 when one fails.
 */
import { errorMessage } from '../../build/lib/findings.ts';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { parse } from 'yaml';
import { newCommand } from '../../build/lib/command-line.ts';
import { startServer } from '../../shim/node.ts';
import type { Description } from '../_support/openapi.ts';
import { programOptions } from '../_support/program-options.ts';
import { callingProgram } from './openapi-calls.ts';

interface Generator {
  name: string;
  install: Record<string, string>;
  command: string;
}

const STRICT = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  },
  files: ['calls.ts'],
};
const ORVAL = `module.exports = { api: { input: 'openapi.json', output: {
  target: 'client/index.ts', client: 'axios', baseUrl: { getBaseUrlFromSpecification: true } } } };\n`;

const { tree, only = '' } = programOptions<{ tree: string; only?: string }>(
  newCommand(
    'npm run compat:openapi',
    'Generate clients of openapi.json, compile them and call every operation.',
  )
    .option('--tree <folder>', 'published tree', 'public')
    .option('--only <text>', 'only generators whose name has this text'),
);
const { typescript, generators } = parse(readFileSync('test/compat/openapi.yaml', 'utf8')) as {
  typescript: Record<string, string>;
  generators: Generator[];
};
const folder = mkdtempSync(join(tmpdir(), 'compat-openapi-'));
const server = await startServer(resolve(tree), { PORT: '0', SITE_URL: 'http://127.0.0.1' });
const described = JSON.parse(readFileSync(join(tree, 'openapi.json'), 'utf8')) as Description;
described.servers = [{ url: server.url.replace(/\/$/, '') }];
try {
  for (const generator of generators.filter(({ name }) => name.includes(only))) {
    const problems = await tried(generator);
    console.log(`${generator.name} ${Object.values(generator.install)[0]}: ${problems}`);
    if (!/^\d+ calls$/.test(problems)) process.exitCode = 1;
  }
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Installs, generates, compiles and calls; what failed, or how many calls were answered. */
async function tried({ name, install, command }: Generator): Promise<string> {
  const home = join(folder, name);
  mkdirSync(join(home, 'client'), { recursive: true });
  const write = (file: string, text: string): void => writeFileSync(join(home, file), text);
  write('package.json', '{ "private": true, "type": "module" }\n');
  write('openapi.json', JSON.stringify(described));
  write('orval.cjs', ORVAL);
  write('tsconfig.json', JSON.stringify(STRICT));
  write('calls.ts', callingProgram(name, described));
  const packages = Object.entries({ ...typescript, ...install }).map(([id, version]) => `${id}@${version}`);
  const flags = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run(home, 'npm', ['install', ...flags, ...packages]);
    await run(home, 'npx', ['--no-install', ...command.split(' ')]);
    await run(home, 'npx', ['--no-install', 'tsc']);
    const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm' } as const;
    await build({ ...options, entryPoints: [join(home, 'calls.ts')], outfile: join(home, 'calls.mjs') });
    return (await run(home, process.execPath, ['calls.mjs'])).trim();
  } catch (error) {
    return errorMessage(error);
  }
}

/** What a program printed; rejects with it when it failed. */
async function run(cwd: string, program: string, words: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, words, { cwd })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${words.join(' ')} failed: ${`${stdout}${stderr}`.slice(0, 2000)}`, {
      cause: error,
    });
  }
}
