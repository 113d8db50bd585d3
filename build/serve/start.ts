/** `npm start` and `npm run dev`: build site and server when their inputs changed, then serve on one port until stopped. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesInSums, sidecarPath, SUMS } from '../../shim/core/paths.ts';
import { whenOrphaned } from '../../shim/orphan.ts';
import { serverSettings } from '../../shim/settings.ts';
import { readWhole } from '../../shim/store/disk.ts';
import { build } from '../build.ts';
import { VERDICTS, type Verdict } from '../lib/dataset.ts';
import type { BuildEffects } from '../lib/effects.ts';
import { sha256 } from '../lib/tree.ts';
import type { Meant } from '../release/replacing.ts';
import { realEffects } from '../write/effects.ts';
import { lockFolder } from '../write/folder-lock.ts';
import { recoverTree } from '../write/tree-folder.ts';
import { buildSettings } from '../settings.ts';
import { endBundling } from '../render/site/client.ts';
import { makeTwins } from './twins.ts';
import { makeFolder } from '../lib/replace-file.ts';

const TREE = 'public';
const WORK = '.build';
/** A folder: server and parts, always built together. */
const SERVER = `${WORK}/server`;
/** Records what site and server were built from. */
const RECORD = `${WORK}/inputs`;
const DATASETS = 'datasets';
/** The code that site and server are made from. */
const CODE = ['schemas', 'build', 'shim'];
const SETUP = ['package-lock.json', 'tsconfig.json'];

type Env = Record<string, string | undefined>;
type StartOptions = Meant & { rights?: readonly Verdict[]; cache?: string | boolean };

/** Makes public/ and the server bundle current. A build that fails leaves the last ones in place. */
async function prepare(env: Env, { rights = VERDICTS, cache = true, ...meant }: StartOptions): Promise<void> {
  const effects = realEffects({ cache });
  recoverTree(TREE);
  const settings = buildSettings(env);
  const code = digestOf(effects, CODE, SETUP);
  const site = sha256(JSON.stringify([code, digestOf(effects, [DATASETS, 'docs']), settings, rights]));
  const [builtSite, builtServer] = existsSync(RECORD) ? readWhole(RECORD).toString().split('\n') : [];
  const isServer = builtServer === serverRecord(code);
  if (isServer && builtSite === siteRecord(site) && isWhole(TREE)) return;
  const unlock = lockFolder(SERVER);
  try {
    // While they are rebuilt, no record may say what they are.
    rmSync(RECORD, { force: true });
    await build({ datasets: DATASETS, schemas: 'schemas', out: TREE, settings, rights, ...meant }, effects);
    if (!isServer) {
      effects.progress('bundling the server');
      makeFolder(WORK);
      const { bundleFolder, keepCompiled } = await import('../bundle/bundle.ts');
      await bundleFolder(SERVER);
      await keepCompiled(SERVER, TREE);
    }
    await endBundling();
    effects.progress('compressing files');
    await makeTwins(TREE);
    writeFileSync(RECORD, `${siteRecord(site)}\n${serverRecord(code)}`);
  } finally {
    unlock();
  }
}

/** Which inputs gave which release. */
function siteRecord(inputs: string): string {
  const release = existsSync(`${TREE}/release.json`) ? readWhole(`${TREE}/release.json`) : '';
  return JSON.stringify({ inputs, release: sha256(release) });
}

/** Which code gave which server files; what is compiled of them is of one version of node. */
function serverRecord(code: string): string {
  const names = existsSync(SERVER) ? readdirSync(SERVER).sort() : [];
  const parts = names.map((name) => [name, sha256(readWhole(`${SERVER}/${name}`))]);
  return JSON.stringify({ code, node: process.version, parts });
}

/** Whether every file of the site is there, with its sidecar; their contents are checked when they are read. */
function isWhole(tree: string): boolean {
  const sums = existsSync(`${tree}/${SUMS}`) ? readWhole(`${tree}/${SUMS}`).toString() : '';
  const paths = filesInSums(sums).map(({ path }) => path);
  const isThere = (path: string): boolean => existsSync(`${tree}/${path}`);
  return paths.length > 0 && [SUMS, ...paths].every((path) => isThere(path) && isThere(sidecarPath(path)));
}

/** Builds what changed, then serves unless only the build is wanted. Resolves to the exit code. */
export async function start(
  env: Env,
  { buildOnly = false, ...options }: StartOptions & { buildOnly?: boolean },
): Promise<number> {
  // Stopped while it builds, it does not serve afterwards; the server that it becomes drains.
  if (env['npm_lifecycle_event'] === 'start') whenOrphaned(() => process.kill(process.pid, 'SIGTERM'));
  const { dataFrom } = serverSettings(env);
  if (dataFrom && !buildOnly) {
    // Nothing is published here: the data is that of the address.
    const { runServer } = await import('../../shim/node.ts');
    await runServer(TREE, env);
    return 0;
  }
  await prepare(env, options);
  if (buildOnly) return 0;
  const { runServer } = (await import(
    pathToFileURL(resolve(SERVER, 'main.cjs')).href
  )) as typeof import('../../shim/main.ts');
  await runServer(TREE, env);
  return 0;
}

/** Serves a preview; starts again when code changes. A new process is started once the old one has ended. */
export async function dev(env: Env): Promise<number> {
  serverSettings(env);
  buildSettings(env);
  const watched = CODE.flatMap((folder) => ['--include', `${folder}/**`]);
  const ignored = [TREE, WORK, DATASETS].flatMap((folder) => ['--exclude', `${folder}/**`]);
  const watch = ['watch', '--clear-screen=false', ...watched, ...ignored, 'build/serve/preview-main.ts'];
  const child = spawn(process.execPath, ['node_modules/tsx/dist/cli.mjs', ...watch], {
    stdio: 'inherit',
    env,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  if (env['npm_lifecycle_event'] === 'dev') whenOrphaned(() => child.kill('SIGTERM'));
  return new Promise((done) => child.once('exit', () => done(0)));
}

/** One hash over every file of folders, and over others. */
function digestOf(
  { files, read }: Pick<BuildEffects, 'files' | 'read'>,
  folders: readonly string[],
  others: readonly string[] = [],
): string {
  const sum = createHash('sha256');
  const listed = folders.flatMap((folder) => files(folder).map((name) => `${folder}/${name}`));
  for (const path of [...listed, ...others]) sum.update(path).update(sha256(read(path) ?? ''));
  return sum.digest('hex');
}
