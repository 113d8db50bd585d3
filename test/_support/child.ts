/** Runs a piece of the build in a process of its own that a test may kill: bundled once, so that it starts at once. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { temporaryFolder } from './tree.ts';
import { seeded } from './seeded.ts';

/** The sources find the files next to them wherever the bundle is. */
const AT_HOME: Plugin = {
  name: 'at-home',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](build|shim)[\\/].*\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      );
      return { contents, loader: 'ts' };
    });
  },
};

/** Packages stay where they are: some look for files next to their own. */
const OUTSIDE: Plugin = {
  name: 'outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[@a-z]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('node:')
        ? undefined
        : { path: import.meta.resolve(path), external: true },
    );
  },
};

/**
 * Bundles a script that may import the sources by their path from the repository; resolves to the file to run. With `outside`, the
 * packages are not in it.
 */
export async function bundled(script: string, { outside = false } = {}): Promise<string> {
  const outfile = join(temporaryFolder(), 'child.mjs');
  // Named apart from what fflate declares in its own files.
  const banner =
    "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url); const __filename = import.meta.filename;";
  await build({
    stdin: { contents: script, resolveDir: resolve('.'), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: banner },
    plugins: outside ? [AT_HOME, OUTSIDE] : [AT_HOME],
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

/** Starts it and waits until it prints `go`. */
export async function started(file: string, ...args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return child;
}

/** Kills it so that it cannot tidy up, some milliseconds from now; resolves when it is gone. */
export async function killed(child: ChildProcess, afterMs: number): Promise<void> {
  await new Promise((done) => setTimeout(done, afterMs));
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** The same moments in every run, spread over `span` milliseconds. */
export function moments(count: number, span: number): number[] {
  const random = seeded(4_321);
  return Array.from({ length: count }, () => random() * span);
}

/** The port that a server prints when it serves. Fails where it ends before. */
export async function portOf(child: ChildProcess): Promise<number> {
  let said = '';
  return new Promise((done, fail) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, port] = /serving .*:(\d+)\/\n/.exec(said) ?? [];
      if (port !== undefined) done(Number(port));
    });
    child.once('exit', () => fail(new Error(`it ended before it served: ${said}`)));
  });
}
