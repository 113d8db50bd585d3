/**
 * `npm run emulate`: the whole path of a deploy without the host: edge router, redirects, headers, function. The packages
 * (half a gigabyte) are installed into .build/emulation on first use and are not dependencies of the project.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from '../build.ts';
import { realEffects } from '../write/effects.ts';
import { bundleFunction, FUNCTIONS_FOLDER } from './netlify.ts';
import { buildSettings } from '../settings.ts';
import { makeFolder } from '../lib/replace-file.ts';

/** Where the packages are installed. */
const PACKAGES = '.build/emulation';

/** Versions known to work together: later ones of deno fail to start the edge functions. */
const PINNED = ['@netlify/dev@5.1.3', 'deno@2.5.6', 'node@24.21.0'];
const PROJECT = '.build/cdn';

type Env = Record<string, string | undefined>;

/** Installs, lays out and serves until interrupted. */
export async function emulate(port: number, env: Env): Promise<void> {
  if (!isInstalled()) install();
  const siteUrl = env['SITE_URL'] ?? `http://localhost:${port}`;
  const paths = { datasets: 'datasets', schemas: 'schemas', out: `${PROJECT}/public` };
  makeFolder(PROJECT);
  await build({ ...paths, settings: buildSettings({ ...env, SITE_URL: siteUrl }) }, realEffects());
  // The data may come from another host of files: this one answers one request after the other.
  const { DATA_FROM, DATA_KEY } = env;
  await layOut(PROJECT, { SITE_URL: siteUrl, DATA_FROM, DATA_KEY });
  const cdn = await startCdn(PROJECT, port);
  console.log(`${PROJECT} on ${cdn.url}`);
  await new Promise<void>((stopped) => process.once('SIGINT', stopped));
  await cdn.close();
}

/** Whether the packages are there. */
export function isInstalled(): boolean {
  return existsSync(nodeOf()) && existsSync(`${PACKAGES}/node_modules/@netlify/dev`);
}

/** Makes a project folder that holds public/ deployable: configuration, edge router and function, with these settings. */
export async function layOut(project: string, env: Env): Promise<void> {
  for (const path of ['netlify.toml', 'netlify']) {
    rmSync(join(project, path), { recursive: true, force: true });
    cpSync(path, join(project, path), { recursive: true });
  }
  await bundleFunction(join(project, FUNCTIONS_FOLDER), env);
}

/** Serves a laid-out project as the CDN would; port 0 takes a free one. Rejects with its output when it does not start. */
export async function startCdn(
  project: string,
  port: number,
): Promise<{ url: string; close(): Promise<void> }> {
  // The program itself, not its launcher: what the launcher starts would outlive it.
  const deno = resolve(PACKAGES, 'node_modules/deno');
  const child = spawn(
    nodeOf(),
    [resolve('build/deploy/cdn.ts'), resolve(project), resolve(PACKAGES), String(port)],
    {
      cwd: project,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, PATH: `${deno}${delimiter}${process.env['PATH'] ?? ''}` },
    },
  );
  const ended = new Promise<void>((resolveEnd) => child.once('exit', () => resolveEnd()));
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = / (http:\S+)$/.exec(line)?.[1];
    if (line.startsWith('the emulated CDN answers') && url !== undefined) {
      child.stdout.resume();
      return { url, close };
    }
    console.log(line);
  }
  throw new Error('the emulated CDN ended before it answered');
}

function nodeOf(): string {
  return resolve(PACKAGES, 'node_modules/node/bin/node');
}

function install(): void {
  makeFolder(PACKAGES);
  writeFileSync(`${PACKAGES}/package.json`, '{ "private": true }\n');
  const words = ['install', '--prefix', PACKAGES, '--no-audit', '--no-fund', ...PINNED];
  if (spawnSync('npm', words, { stdio: 'inherit' }).status !== 0)
    throw new Error(`the packages could not be installed into ${PACKAGES}`);
}
