/**
 * Runs the command line from few files that are made of its code, which node reads in a fifth of the time of its modules. They
 * are in a folder named by a hash over that code, so they are never of other code; one over themselves says that they are whole.
 * Where none can be written, the modules are run.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PROJECT = fileURLToPath(new URL('../', import.meta.url));
const CODE = join(PROJECT, '.build/code');
/** Folders that are kept: of this code, and of what was run before. */
const MOST = 5;

/** Of a folder that is kept: the hash over its files as they were made. */
const SUM = 'sum';

/** One hash over files and their names. */
function hashOf(files, nameOf, start = '') {
  const sum = createHash('sha256').update(start);
  for (const file of files.sort())
    sum.update(`${nameOf(file)}\n`).update(createHash('sha256').update(readFileSync(file)).digest());
  return sum.digest('hex');
}

/** Of every file that the code is made of: the project's own, the lists of its libraries as locked and as installed, and how it is compiled. */
function hashOfCode() {
  const listed = ['build', 'shim', 'schemas'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true }),
  );
  const files = listed.flatMap((one) => (one.isFile() ? join(one.parentPath, one.name) : []));
  const setup = ['package-lock.json', 'node_modules/.package-lock.json', 'tsconfig.json']
    .map((name) => join(PROJECT, name))
    .filter((path) => existsSync(path));
  return hashOf([...files, ...setup], (file) => file, process.version);
}

/** Of what was made of it. */
function hashOfMade(folder) {
  const names = readdirSync(folder).filter((name) => name !== SUM);
  return hashOf(
    names.map((name) => join(folder, name)),
    (file) => basename(file),
  );
}

/** Whether a folder is there, and as it was made; one that cannot be read is not. */
function isWhole(folder) {
  try {
    return readFileSync(join(folder, SUM), 'utf8') === hashOfMade(folder);
  } catch {
    return false;
  }
}

/** Modules read files that are next to them: each knows its place by a name of its own. */
const PLACES = {
  name: 'places',
  setup: (build) =>
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: `const ownUrl = ${JSON.stringify(pathToFileURL(path).href)};${readFileSync(path, 'utf8')}`,
    })),
};

/** Data are texts that are parsed when they are needed: as code they would be read at every start. */
const DATA = {
  name: 'data',
  setup: (build) =>
    build.onLoad({ filter: /\.json$/ }, ({ path }) => ({
      loader: 'js',
      contents: `module.exports = JSON.parse(${JSON.stringify(readFileSync(path, 'utf8'))});`,
    })),
};

/** Libraries that are CommonJS find what node gives to such modules. */
const COMMON_JS =
  "import { createRequire as requireFrom } from 'node:module';import { fileURLToPath as pathFrom } from 'node:url';" +
  'const require = requireFrom(import.meta.url);const __filename = pathFrom(import.meta.url);';

async function make(folder, hash) {
  const { build, stop } = await import('esbuild');
  const fresh = `${folder}.${process.pid}`;
  await build({
    absWorkingDir: PROJECT,
    // The second thread finds its start next to what starts it.
    entryPoints: { main: 'build/main.ts', 'second-thread-start': 'build/write/second-thread-worker.ts' },
    outdir: fresh,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['esbuild', 'tsx', '@sqlite.org/sqlite-wasm'],
    define: { 'import.meta.url': 'ownUrl' },
    plugins: [PLACES, DATA],
    banner: { js: COMMON_JS },
    logLevel: 'silent',
  });
  // Its process would keep its memory as long as the command runs.
  await stop();
  writeFileSync(join(fresh, SUM), hashOfMade(fresh));
  if (!isWhole(folder)) rmSync(folder, { recursive: true, force: true });
  // What was edited meanwhile may be half in it.
  if (hashOfCode() === hash) renameSync(fresh, folder);
  const made = readdirSync(CODE).map((name) => join(CODE, name));
  const newestFirst = made.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of newestFirst.slice(MOST)) rmSync(old, { recursive: true, force: true });
}

const hash = hashOfCode();
const folder = join(CODE, hash);
let isMade = isWhole(folder);
if (!isMade) {
  try {
    await make(folder, hash);
  } catch {
    // Another process made it meanwhile, or nothing can be written.
  }
  isMade = isWhole(folder);
}
if (isMade) await import(pathToFileURL(join(folder, 'main.mjs')).href);
else {
  const { register } = await import('tsx/esm/api');
  register();
  await import('./main.ts');
}
